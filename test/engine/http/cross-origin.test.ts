import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/generated/operations.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { DOCUMENT } from '../../support/fixtures/schema.js';
import { openStream } from '../../support/clients/sse.js';

const APP = 'https://app.example';
const STRANGER = 'https://stranger.example';

const namesIn = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').split(',').map((part) => part.trim().toLowerCase());

describe('allowed origins', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CORS_ORIGINS: `${APP}, http://localhost:5173` });
  });
  afterAll(() => store.close());

  // `store.call` would check the answer with the contract. Preflights are not counted, so they have no rate limit
  // headers, which the contract requires.
  const preflight = (path: string, method: string, origin = APP, { url } = store) =>
    fetch(url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'sec-fetch-site': 'cross-site' },
    });

  it.each(Object.values(OPERATIONS).map((row) => [row.id, row] as const))(
    'may call %s, with all of its headers',
    async (_id, { method, paths, headers: own }) => {
      const path = (paths[0] as string).replaceAll(/:\w+/g, '1');
      const { status, headers } = await preflight(path, method);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(APP);
      expect(namesIn(headers, 'access-control-allow-methods')).toContain(method.toLowerCase());
      for (const name of [...Object.keys(own?.kinds ?? {}), 'authorization', 'x-api-key', 'content-type']) {
        expect(namesIn(headers, 'access-control-allow-headers')).toContain(name.toLowerCase());
      }
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toMatch(/\borigin\b/i);
    },
  );

  it.each(['/graphql', '/graphql/stream', '/oauth/token'])('may request %s', async (path) => {
    const { headers } = await preflight(path, 'POST');
    expect(namesIn(headers, 'access-control-allow-methods')).toContain('post');
  });

  it('may write, and read every header that the contract names', async () => {
    const answer = await store.call('POST', '/api/products', {
      headers: { origin: APP, 'sec-fetch-site': 'cross-site' },
      body: { name: 'Chai', price: 18 },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
    const exposed = namesIn(answer.headers, 'access-control-expose-headers');
    const named = Object.values(OPERATIONS).flatMap(({ answer: { headers } }) => headers);
    const { headers } = DOCUMENT.components;
    for (const name of [...named, ...Object.keys(headers), 'Deprecation']) {
      expect(exposed).toContain(name.toLowerCase());
    }
  });

  it('may read refusals of several kinds', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['DELETE', '/api/products'],
      ['GET', '/api/products/%zz'],
      ['GET', '/api/orders'],
    ] as const) {
      const { headers } = await store.call(method, path, { key: null, headers: { origin: APP } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, APP]);
    }
  });

  it('may use GraphQL, its event streams and the token endpoint', async () => {
    const headers = { origin: APP, 'sec-fetch-site': 'cross-site' };
    expect(await store.graphql('{ __typename }', undefined, { headers })).toMatchObject({
      data: { __typename: 'Query' },
    });
    const stream = await openStream(store, '/graphql/stream', { body: { query: '{ __typename }' }, headers });
    expect(stream.headers.get('access-control-allow-origin')).toBe(APP);
    stream.leave();
    const token = await fetch(`${store.url}/oauth/token`, { method: 'POST', headers });
    expect(token.headers.get('access-control-allow-origin')).toBe(APP);
    await token.text();
  });

  it.each([STRANGER, 'null', 'https://app.example.stranger.example', 'http://app.example', `${APP}:8443`])(
    'do not include other origins, such as %s',
    async (origin) => {
      const answer = await preflight('/api/products', 'POST', origin);
      expect([answer.status, answer.headers.get('access-control-allow-methods')]).toEqual([204, null]);
      const headers = { origin, 'sec-fetch-site': 'cross-site' };
      const read = await store.call('GET', '/api/products', { headers });
      expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, null]);
      const write = await store.call('POST', '/api/products', { headers, body: { name: 'a', price: 1 } });
      expect(write.status).toBe(403);
    },
  );

  it('make the answer depend on the header Origin, so Vary contains Origin', async () => {
    for (const headers of [{}, { origin: STRANGER }, { origin: APP }]) {
      const { headers: told } = await store.call('GET', '/api/products', { headers });
      expect(namesIn(told, 'vary')).toEqual([
        'accept',
        'accept-encoding',
        'authorization',
        'x-api-key',
        'origin',
      ]);
      const { headers: problem } = await store.call('GET', '/api/nothing', { headers });
      expect(namesIn(problem, 'vary')).toContain('origin');
    }
  });

  it('do not use up the rate limit of the address with preflights', async () => {
    const tight = await startApp('sqlite', {
      STORE_CORS_ORIGINS: APP,
      STORE_RATE_LIMIT: 'anonymous=2/h,caller=1000/h',
    });
    for (let n = 0; n < 5; n++) {
      expect((await preflight('/api/products', 'POST', APP, tight)).status).toBe(204);
    }
    const read = () => tight.call('GET', '/api/products', { key: null, headers: { origin: APP } });
    expect((await read()).status).toBe(200);
    await read();
    const refused = await read();
    // Without this header, the script would see a network error.
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, APP]);
    await tight.close();
  });

  it('are all origins if the setting is *, and no answer names a single origin', async () => {
    const open = await startApp('sqlite', { STORE_CORS_ORIGINS: '*' });
    const headers = { origin: STRANGER, 'sec-fetch-site': 'cross-site' };
    const answer = await open.call('POST', '/api/products', { headers, body: { name: 'a', price: 1 } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([201, '*']);
    const { headers: told } = await open.call('GET', '/api/products', { headers });
    expect(told.get('vary')).toBe('Accept, Accept-Encoding, Authorization, X-API-Key');
    await open.close();
  });

  it('do not exist without the setting', async () => {
    const closed = await startApp('sqlite');
    const answer = await closed.call('OPTIONS', '/api/products', {
      headers: { origin: APP, 'access-control-request-method': 'POST' },
    });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    for (const [name] of answer.headers) expect(name).not.toMatch(/^access-control/);
    await closed.close();
  });
});
