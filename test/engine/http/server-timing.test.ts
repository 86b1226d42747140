import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type Call, type TestApp } from '../../support/clients/app.js';
import { openStream } from '../../support/clients/sse.js';
import { aProduct, create } from '../../support/fixtures/fixtures.js';

const ORIGIN = 'https://app.example';

/** The parts of the header, in their order. */
function partsOf(headers: Headers): Map<string, number> {
  const parts = (headers.get('server-timing') ?? '').split(', ').map((part) => part.split(';dur='));
  return new Map(parts.map(([name = '', ms]) => [name, Number(ms)]));
}

describe('STORE_SERVER_TIMING', () => {
  let store: TestApp;
  let silent: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_SERVER_TIMING: 'true', STORE_CORS_ORIGINS: ORIGIN });
    silent = await startApp('sqlite', { STORE_CORS_ORIGINS: ORIGIN });
  });
  afterAll(async () => {
    await store.close();
    await silent.close();
  });

  it.each<[method: string, path: string, call: Call, status: number]>([
    ['GET', '/api/v1/products', {}, 200],
    ['HEAD', '/api/v2/products', {}, 200],
    ['POST', '/api/v1/products', { body: aProduct() }, 201],
    ['POST', '/api/v1/products', { body: { name: '' } }, 400],
    ['GET', '/api/v2/products/999999', {}, 404],
    ['GET', '/health/live', {}, 200],
  ])('adds the parts of the time to the answer of %s %s', async (method, path, call, status) => {
    const answer = await store.call(method, path, call);
    expect(answer.status).toBe(status);
    const parts = partsOf(answer.headers);
    expect([...parts.keys()]).toEqual(['access', 'body', 'app', 'total']);
    const { access = 0, body = 0, app = 0, total = -1 } = Object.fromEntries(parts);
    expect(access + body + app).toBeCloseTo(total, 0);
    expect(Math.min(...parts.values())).toBeGreaterThanOrEqual(0);
  });

  it('adds the parts of the time to the results of GraphQL', async () => {
    const answer = await fetch(`${store.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ products(limit: 1) { id } }' }),
    });
    expect([...partsOf(answer.headers).keys()]).toEqual(['access', 'body', 'app', 'total']);
  });

  it('adds only the total if the request is refused before its body is read', async () => {
    for (const [path, key] of [
      ['/no/such/address', null],
      ['/api/v1/users', 'sk_9_wrong'],
    ] as const) {
      const { status, headers } = await store.call('GET', path, { key });
      expect(status).toBeGreaterThan(400);
      expect([...partsOf(headers).keys()]).toEqual(['total']);
    }
  });

  it('adds its header only once to a 304 for a page of a list that the service remembers', async () => {
    const path = '/api/v1/products?limit=2';
    const first = await store.call('GET', path);
    const again = await store.call('GET', path, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get('server-timing')?.split('total')).toHaveLength(2);
  });

  it('adds nothing to a stream of events', async () => {
    const stream = await openStream(store, '/api/v1/events');
    expect(stream.status).toBe(200);
    expect(stream.headers.get('server-timing')).toBeNull();
    stream.leave();
  });

  it('lets scripts read the times only if their origin may read the answer', async () => {
    const { id } = await create(store);
    const allowedTo = async (origin: string) =>
      (await store.call('GET', `/api/v1/products/${id}`, { headers: { origin } })).headers.get(
        'timing-allow-origin',
      );
    expect(await allowedTo(ORIGIN)).toBe(ORIGIN);
    expect(await allowedTo('https://other.example')).toBeNull();
  });

  it('is off by default', async () => {
    const { headers } = await silent.call('GET', '/api/v1/products', { headers: { origin: ORIGIN } });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('server-timing')).toBeNull();
    expect(headers.get('timing-allow-origin')).toBeNull();
  });
});
