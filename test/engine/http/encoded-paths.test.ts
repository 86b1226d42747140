import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOf } from '../../../src/engine/http/request-target.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { create } from '../../support/fixtures/fixtures.js';
import { speak } from '../../support/clients/socket.js';

/** Sends the address unchanged: `fetch` would remove the fragment. */
async function ask(
  store: TestApp,
  method: string,
  target: string,
  fields = '',
): Promise<{ status: number; head: string; body: string }> {
  const text = await speak(store.port, [
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n`,
  ]);
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(head.slice(9, 12)), head, body };
}

describe('a path with needlessly encoded characters', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CORS_ORIGINS: 'https://shop.example' });
    await create(store);
  });
  afterAll(() => store.close());

  it.each([
    ['GET', '/%61pi/v1/products', 200],
    ['HEAD', '/api/v1/p%72oducts', 200],
    ['OPTIONS', '/%61pi/v1/p%72oducts', 204],
    ['OPTIONS', '/api/v2/products/%31', 204],
    ['DELETE', '/api/v1/p%72oducts', 405],
    ['PUT', '/api/v2/users/m%65', 405],
    ['GET', '/api/%76%31/products/%31', 200],
    ['GET', '/%2Ewell-known/oauth-protected-resource', 200],
    ['GET', '/%2ewell%2Dknown/oauth%2dprotected-resource', 200],
    ['GET', '/openapi%2Fv1.json', 404],
    ['GET', '/api%2Fv1/products', 404],
    ['GET', '/%2561pi/v1/products', 404],
    ['GET', '/%API/v1/products', 400],
    ['GET', '/%zz', 400],
    ['GET', '/%%36%31pi/v1/products', 400],
    ['GET', '/api/v1/products/%', 400],
    ['GET', '/api/v1/products/%ff', 400],
    ['GET', '/%67raphql?query=%7B__typename%7D', 200],
    ['GET', '/%6Fauth/jwks', 200],
    ['GET', '/o%61uth/.well-known/openid-configuration', 200],
    ['GET', 'http://x/%61pi/v1/products', 200],
  ])('%s %s is answered with %i', async (method, target, expected) => {
    const { status } = await ask(store, method, target, 'Accept: application/json\r\n');
    expect(status).toBe(expected);
  });

  it('has the same methods and types of patches as the path without encoding, and allows preflights', async () => {
    const [plain, encoded] = await Promise.all(
      ['/api/v1/products/1', '/%61pi/v1/products/%31'].map(async (path) => {
        const { head } = await ask(store, 'OPTIONS', path);
        return head.match(/^(allow|accept-patch): .*$/gim);
      }),
    );
    expect(encoded).toHaveLength(2);
    expect(encoded).toEqual(plain);
    const preflight = 'Origin: https://shop.example\r\nAccess-Control-Request-Method: GET\r\n';
    const { status, head } = await ask(store, 'OPTIONS', '/%61pi/v1/products', preflight);
    expect(status).toBe(204);
    expect(head).toMatch(/^access-control-allow-methods: /im);
  });

  it('is read without the fragment, which a client should not send', async () => {
    for (const target of ['/api/v1/products#top?limit=x', '/api/v1/products?limit=1#top']) {
      const { status, body } = await ask(store, 'GET', target);
      expect([status, body]).toMatchObject([200, expect.stringContaining('Chai')]);
    }
  });

  it('opens a WebSocket, like the path without encoding', async () => {
    const socket = connect(store.port, '127.0.0.1').setEncoding('utf8');
    const answer = new Promise<string>((resolve) => socket.once('data', resolve));
    socket.write(
      'GET /%67raphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    expect(await answer).toMatch(/^HTTP\/1.1 101 /);
    socket.destroy();
  });

  it('is refused with 414 if its encoded form is too long', async () => {
    const { status, body } = await ask(store, 'GET', `/api/v1/products/${'%31'.repeat(3_000)}`);
    expect([status, body]).toMatchObject([414, expect.stringContaining('The request target has 9017 bytes')]);
  });
});

describe('an encoded path, after the end of version 1,', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', {
      STORE_V1_SUNSET: '2020-06-30',
      STORE_RATE_LIMIT: 'anonymous=100/h,caller=100/h',
    });
  });
  afterAll(() => store.close());

  it.each([
    ['GET', '/%61pi/v1/products'],
    ['HEAD', '/%61pi/v1/products'],
    ['OPTIONS', '/%61pi/v1/products'],
    ['POST', '/api/%76%31/products'],
    ['GET', '/%61%70%69/products'],
    ['GET', '/%61pi'],
    ['GET', '/api#x'],
    ['GET', '/api/v1#x'],
    ['GET', '/%75sers/1'],
    ['GET', '/user%73/1'],
    ['GET', 'http://x/%61pi/v1/products'],
    ['GET', 'http://x/api#'],
  ])('is answered with 410 if the path without encoding is of version 1: %s %s', async (method, target) => {
    const { status, head } = await ask(store, method, target);
    expect([status, head]).toEqual([410, expect.stringMatching(/^sunset: Tue, 30 Jun 2020/im)]);
  });

  it('is answered with 404, without a Sunset header, if it is encoded twice', async () => {
    const { status, head } = await ask(store, 'GET', '/%2561pi/v1/products');
    expect([status, /^sunset:/im.test(head)]).toEqual([404, false]);
  });

  it('is not counted for the rate limit if the path without encoding is not counted', async () => {
    for (const path of ['/health/live', '/h%65alth/live', '/%61ssets/none.js', '/d%6Fcs']) {
      expect((await ask(store, 'GET', path)).head).not.toMatch(/^ratelimit:/im);
    }
  });
});

describe('the target of a request', () => {
  it.each([
    ['/api/v1/products', '/api/v1/products'],
    ['/api?q=%61#x', '/api?q=%61'],
    ['/%61?b=1#c?d#e', '/a?b=1'],
    ['/%61?%61', '/a?%61'],
    ['/%41%5A%61%7a%30%39%2d%2E%5f%7E', '/AZaz09-._~'],
    ['/%2F%3f%23%25%20%C3%A4%40', '/%2F%3f%23%25%20%C3%A4%40'],
    ['/%2561', '/%2561'],
    // Sequences that the router refuses stay unchanged, so that decoding creates no new sequence.
    ['/%%36%31', '/%%36%31'],
    ['/%6', '/%6'],
    ['/a#%61?b', '/a'],
    ['*', '*'],
    ['http://x', '/'],
    ['HTTPS://x:1/%61', '/a'],
    ['http://x?a', '/?a'],
  ])('%s is read as %s', (given, target) => {
    expect(targetOf(given)).toBe(target);
  });
});
