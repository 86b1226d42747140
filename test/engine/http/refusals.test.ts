import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/engine/errors/errors.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { createKey } from '../../support/clients/keys.js';
import { speak } from '../../support/clients/socket.js';

describe('refusals', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it('follow the order of the contract', async () => {
    const powerless = await createKey(store, []);
    const everythingWrong = {
      body: '{"name"',
      key: powerless,
      headers: { accept: 'image/png', 'content-type': 'text/csv', 'if-match': '"9-v1-x"' },
    };
    const status = async (method: string, path: string, call: object) =>
      (await store.call(method, path, call)).status;
    expect(await status('LINK', '/api/products/99', everythingWrong)).toBe(405);
    expect(await status('PUT', '/api/nothing', everythingWrong)).toBe(404);
    const found = '/api/products/99';
    expect(await status('PUT', found, everythingWrong)).toBe(406);
    const acceptable = { ...everythingWrong, headers: { ...everythingWrong.headers, accept: '*/*' } };
    expect(await status('PUT', found, acceptable)).toBe(415);
    const taken = { ...acceptable, headers: { ...acceptable.headers, 'content-type': 'application/json' } };
    expect(await status('PUT', found, { ...taken, key: 'wrong' })).toBe(401);
    expect(await status('PUT', found, taken)).toBe(403);
    expect(await status('PUT', found, { ...taken, key: undefined })).toBe(400);
    const valid = { ...taken, key: undefined, body: { name: 'a', price: 1, in_stock: true } };
    expect(await status('PUT', found, valid)).toBe(404);
  });

  it('name the known versions if the version is unknown', async () => {
    const { status, body } = await store.call('GET', '/api/v7/products');
    expect(status).toBe(404);
    expect(body.detail).toContain('Available versions: v1');
  });

  it.each(['', 'Host: [\r\n', 'Host: a b\r\n', 'Host: a/b\r\n', 'Host: u@a\r\n', 'Host: a\r\nHost: a\r\n'])(
    'with 400 are for a missing or invalid Host, in REST and in GraphQL: %j',
    async (host) => {
      for (const path of ['/api/products', '/graphql?query=%7B__typename%7D', '/nothing']) {
        const text = await speak(store.port, [`GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`]);
        expect(text).toMatch(/^HTTP\/1.1 400 /);
        expect(text).toContain('MALFORMED_REQUEST');
      }
    },
  );

  it.each(['localhost', '127.0.0.1:3000', '[::1]:3000', 'a_b.example', ''])(
    'do not occur for the Host %j, or for HTTP/1.0 without a Host',
    async (host) => {
      const text = await speak(store.port, [
        `GET /api/products HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ]);
      expect(text).toMatch(/^HTTP\/1.1 200 /);
      expect(await speak(store.port, ['GET /api/products HTTP/1.0\r\n\r\n'])).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  it('for a missing credential come before the body is read', async () => {
    const head =
      'POST /api/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const text = await speak(store.port, [`${head}Content-Length: 1000000\r\n\r\n{`]);
    expect(text).toMatch(/^HTTP\/1.1 401 /);
  });

  it('with 405 list the methods, like OPTIONS', async () => {
    const { status, headers } = await store.call('DELETE', '/api/products');
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const options = await store.call('OPTIONS', '/api/v1/products/1');
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect((await store.call('OPTIONS', '/graphql')).headers.get('allow')).toBe('GET, POST, OPTIONS');
    // As the contract says, OPTIONS checks credentials but no parameters.
    expect((await store.call('OPTIONS', '/api/v1/products/abc?nothing=1')).status).toBe(204);
    const twice = { authorization: 'Basic eDp5', 'x-api-key': 'sk_1_x' };
    expect((await store.call('OPTIONS', '/api/v1/products', { headers: twice, key: null })).status).toBe(400);
  });

  it.each([
    ['not JSON', '{name: "a"}', 'MALFORMED_REQUEST'],
    ['cut off', '{"name":"a"', 'MALFORMED_REQUEST'],
    ['empty', '', 'MALFORMED_REQUEST'],
    ['invalid UTF-8', Buffer.from('{"name":"\xff","price":1}', 'latin1'), 'MALFORMED_REQUEST'],
  ])('report a body that is %s as malformed', async (_what, body, code) => {
    const answer = await store.call('POST', '/api/products', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(code);
  });

  it.each([
    ['a duplicate member', '{"name":"a","price":1,"price":2}', '#/price', 'DUPLICATE_MEMBER'],
    [
      'a duplicate member whose second name is escaped',
      '{"name":"a","price":1,"\\u0070rice":2}',
      '#/price',
      'DUPLICATE_MEMBER',
    ],
    ['__proto__', '{"name":"a","price":1,"__proto__":{}}', '#/__proto__', 'UNKNOWN_MEMBER'],
    ['constructor', '{"name":"a","price":1,"constructor":{}}', '#/constructor', 'UNKNOWN_MEMBER'],
  ])('report %s in a body', async (_what, body, pointer, code) => {
    const answer = await store.call('POST', '/api/products', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
  });

  it('report a body that is too deep', async () => {
    const body = `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)},"price":1}`;
    const answer = await store.call('POST', '/api/products', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '#', code: 'TOO_DEEP' })]);
  });

  it('with 400 list at most a hundred duplicate members of a body', async () => {
    const body = `{${'"a":1,'.repeat(2_500)}"a":1}`;
    const answer = await store.call('POST', '/api/products', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.length).toBeLessThanOrEqual(100);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer: '#/a' }));
  });

  it('with 400 list only a hundred unknown members of a body', async () => {
    const names = Array.from({ length: 1_800 }, (_, number) => `"${number}":1`);
    const answer = await store.call('POST', '/api/products', { body: `{${names.join(',')}}` });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveLength(100);
  });

  it.each([
    ['application/json; charset=utf-8', 200],
    ['application/json;charset=UTF-8;q=0.5', 200],
    ['text/csv, application/json; version="1,2; x"; q=0.1', 200],
    ['application/*;x=y', 200],
    ['application/json; charset=utf-8; q=0', 406],
    ['text/html; charset=utf-8', 200],
    ['image/png', 406],
  ])('depend on Accept: %s has the status %i', async (accept, status) => {
    expect((await store.call('GET', '/api/products', { headers: { accept } })).status).toBe(status);
  });

  it('report the faults of header parameters that the contract names, with all other faults', async () => {
    const wrong = { 'if-match': 'garbage', 'if-none-match': 'garbage' };
    const faults = async (method: string, path: string, body?: unknown) => {
      const answer = await store.call(method, path, { headers: wrong, body });
      if (answer.status !== 400) return answer.status;
      const errors = answer.body.errors as Fault[];
      return errors.map(({ parameter, pointer, code }) => [parameter ?? pointer, code]);
    };
    expect(await faults('GET', '/health/live')).toBe(200);
    expect(await faults('GET', '/api/api-keys')).toBe(200);
    expect(await faults('GET', '/api/products')).toEqual([['If-None-Match', 'PATTERN']]);
    expect(await faults('GET', '/api/products/x')).toEqual([
      ['id', 'WRONG_TYPE'],
      ['If-None-Match', 'PATTERN'],
    ]);
    expect(await faults('PUT', '/api/products/0?x=1', { name: 'a', price: -1, in_stock: true })).toEqual([
      ['id', 'TOO_SMALL'],
      ['x', 'UNKNOWN_PARAMETER'],
      ['If-Match', 'PATTERN'],
      ['If-None-Match', 'PATTERN'],
      ['#/price', 'TOO_SMALL'],
    ]);
    const long = { 'if-none-match': `"${'x'.repeat(1000)}"` };
    const answer = await store.call('GET', '/api/products/1', { headers: long });
    expect(answer.body.errors).toEqual([
      expect.objectContaining({ parameter: 'If-None-Match', code: 'TOO_LONG' }),
    ]);
  });

  it('report a missing body like an empty body', async () => {
    const answer = await store.call('POST', '/api/products', {});
    expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it('do not depend on the size or the type of a body that the operation does not read', async () => {
    for (const type of ['application/json', 'text/csv', 'no type at all', undefined]) {
      const { status } = await store.call('DELETE', '/api/products/987654', {
        body: ' '.repeat(2_000_000),
        headers: type === undefined ? {} : { 'content-type': type },
      });
      expect([type, status]).toEqual([type, 404]);
    }
  });

  it('are the same for an absolute URL as for its path', async () => {
    const { port } = store;
    const ask = (line: string) => speak(port, [`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]);
    expect(await ask('GET http://a/api/products')).toMatch(/^HTTP\/1.1 200 [^]*<\/api\/products\?page=1/);
    expect(await ask('GET http://a:80/api/products?limit=0')).toMatch(/400 [^]*"instance":"\/api\/products"/);
    expect(await ask('DELETE http://a/api/products')).toMatch(/405 [^]*allow: GET/i);
    expect(await ask('OPTIONS http://a/api/products')).toMatch(/204 /);
    expect(await ask('GET http://a/nothing')).toMatch(/404 [^]*"instance":"\/nothing"/);
    expect(await ask('GET http://a')).toMatch(/200 [^]*<title>Store service/);
    expect(await ask('GET ftp://a/x')).toMatch(/404 [^]*"instance":"\/"/);
    expect(await ask('OPTIONS *')).toMatch(/404 [^]*"instance":"\/"/);
    expect(await ask('GET //b.example/x')).toMatch(/404 [^]*"instance":"\/\.\/\/b\.example\/x"/);
  });

  it.each([
    ['/nothing/%7Eada/%E2%82%AC', '/nothing/~ada/%E2%82%AC'],
    ['/nothing/a%2Fb%23c%3f', '/nothing/a%2Fb%23c%3f'],
    ['/nothing/100%25', '/nothing/100%25'],
    ['/nothing/%252F', '/nothing/%252F'],
    ['/nothing/"{}', '/nothing/%22%7B%7D'],
    ['/nothing/%E2%82', '/'],
    ['/nothing/%', '/'],
    [`/${'%E2%82%AC'.repeat(400)}`, `/${'%E2%82%AC'.repeat(222)}`],
  ])('name the path of the request as a URI reference: %s', async (path, instance) => {
    const answer = await speak(store.port, [`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]);
    expect(/"instance":"([^"]*)"/.exec(answer)?.[1]).toBe(instance);
  });

  it('with 415 are for a wrong media type or coding of the body', async () => {
    const product = '{"name":"a","price":1}';
    for (const headers of [
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]) {
      expect((await store.call('POST', '/api/products', { body: product, headers })).status).toBe(415);
    }
    const utf8 = { 'content-type': 'Application/JSON; charset="UTF-8"' };
    expect((await store.call('POST', '/api/products', { body: product, headers: utf8 })).status).toBe(201);
  });

  it('report bad percent-encoding with 400 as problem details', async () => {
    for (const path of ['/api/products/%zz', '/api/products/%ff', '/api/products?q=%ff']) {
      const { status, body } = await store.call('GET', path);
      expect([path, status, body.code]).toEqual([path, 400, 'MALFORMED_REQUEST']);
    }
  });

  it.each(['0', '-1', 'abc', '1.5', '9007199254740992', '9'.repeat(500), '1;DROP TABLE'])(
    'with 400 report the id %s, and name its parameter',
    async (id) => {
      const { status, body } = await store.call('GET', `/api/products/${encodeURIComponent(id)}`);
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ parameter: 'id' })]);
    },
  );

  it('stop a page of another site from changing data, but not from reading public data', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await store.call('GET', '/api/products', { headers })).status).toBe(200);
    const write = await store.call('POST', '/api/products', { headers, body: { name: 'a', price: 1 } });
    expect(write.status).toBe(403);
    // There is no challenge, because no credential would help.
    expect(write.headers.get('www-authenticate')).toBeNull();
    expect((await store.call('DELETE', '/api/products', { headers })).status).toBe(405);
    expect((await store.call('POST', '/api/nothing', { headers })).status).toBe(404);
    expect((await store.call('POST', '/api/products', { headers, key: 'wrong' })).status).toBe(401);
    expect(await store.graphql('{ __typename }', undefined, { headers })).toMatchObject({ status: 403 });
  });

  it('with 401 have a challenge, and are also sent for a bad credential at a public operation', async () => {
    for (const headers of [
      { 'x-api-key': 'x' },
      { 'x-api-key': 'sk_999_x' },
      { 'x-api-key': `sk_9999999999999999_${'A'.repeat(43)}` },
      { authorization: 'Bearer abc' },
    ]) {
      const answer = await store.call('GET', '/api/products', { key: null, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('ApiKey');
    }
  });

  it('have the request id of the client if this id is safe, and otherwise a new id', async () => {
    const taken = await store.call('GET', '/api/nothing', { headers: { 'x-request-id': 'trace-1' } });
    expect(taken.headers.get('x-request-id')).toBe('trace-1');
    expect(taken.body.request_id).toBe('trace-1');
    const other = await store.call('GET', '/api/nothing', { headers: { 'x-request-id': 'a b' } });
    expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are problem details even for bytes that are not HTTP', async () => {
    const text = await speak(store.port, ['HELLO\r\n\r\n']);
    expect(text).toMatch(/^HTTP\/1.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
    expect(text).toContain('"code":"MALFORMED_REQUEST"');
  });

  it('report an expectation that the service does not support', async () => {
    const text = await speak(store.port, ['GET /api/products HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n']);
    expect(text).toMatch(/^HTTP\/1.1 417 /);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const { code, request_id } = JSON.parse(body) as { code: string; request_id: string };
    expect(code).toBe('EXPECTATION_FAILED');
    expect(head.toLowerCase().split('\r\n')).toEqual(
      expect.arrayContaining([
        `x-request-id: ${request_id}`,
        'cache-control: no-store',
        `content-length: ${body.length}`,
        'connection: close',
      ]),
    );
  });
});
