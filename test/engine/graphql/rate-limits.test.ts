import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { connect, open, openAs, type Raw } from '../../support/clients/live.js';
import { anAddress, limitIn } from '../../support/fixtures/rate-limits.js';
import { speak } from '../../support/clients/socket.js';

const CHEAP = '{ product(id: 1) { name } }';
const DEAR = '{ a: products(limit: 100) { id } b: products(limit: 100) { id } c: products(limit: 1) { id } }';
/** The units that the cost of `DEAR` takes from a limit. The request itself takes one more unit. */
const DEAR_UNITS = 3;

const REFUSED = (message: RegExp) => ({
  message: expect.stringMatching(message),
  extensions: expect.objectContaining({ code: 'RATE_LIMITED', status: 429, type: '/problems/rate-limited' }),
});

function ownClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
}

const as = (ip: string, key: string | null = null) => ({ key, headers: { 'x-forwarded-for': ip } });

const init = async (raw: Raw, key: string | null) => {
  raw.say({ type: 'connection_init', ...(key !== null && { payload: { 'x-api-key': key } }) });
  return (await raw.hear()) as { type: string };
};

describe('the rate limit of operations over HTTP', () => {
  ownClock();
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', {
      STORE_TRUST_PROXY: 'true',
      STORE_RATE_LIMIT: 'anonymous=10/min,caller=9/h',
    });
  });
  afterAll(() => store.close());

  it.each([
    ['{ products(limit: 1) { id } }', 1],
    ['{ products(limit: 1, inStock: true) { id } }', 201],
    ['{ products(limit: 1, q: "tea", sort: [NAME_ASC]) { id } }', 501],
    ['{ products(limit: 1, q: null) { id } }', 1],
    ['query ($q: String) { products(limit: 1, q: $q) { id } }', 1],
    ['query ($q: String = "tea") { products(limit: 1, q: $q) { id } }', 501],
    ['{ a: products(limit: 1, q: "a") { id } b: products(limit: 1, q: "b") { id } }', 1002],
    ['{ productsConnection(first: 1, minPrice: 1) { nodes { id } } }', 202],
  ])('counts the rows that the service reads because of the arguments: %s', async (query, cost) => {
    const { headers, body } = await ask(store, { query }, as(anAddress()));
    expect(body.extensions.cost.requested).toBe(cost);
    const units = Math.ceil(cost / 100);
    // One of ten units is for the request. A cost above the remaining units is not deducted.
    expect(limitIn(headers)?.left).toBe(units > 9 ? 9 : 9 - units);
  });

  it('counts a request and its cost, and refuses an operation whose cost is above the remaining units', async () => {
    const ip = anAddress();
    const cheap = await ask(store, { query: CHEAP }, as(ip));
    expect(limitIn(cheap.headers)).toEqual({
      policy: 'anonymous',
      quota: 10,
      seconds: 60,
      left: 8,
      resetsIn: 60,
    });
    const dear = await ask(store, { query: DEAR }, as(ip));
    expect(Math.ceil(dear.body.extensions.cost.requested / 100)).toBe(DEAR_UNITS);
    expect(limitIn(dear.headers)?.left).toBe(8 - 1 - DEAR_UNITS);
    // A request without cost counts as one unit. A request that is not executed also counts as one unit.
    expect(limitIn((await ask(store, { query: '{ __typename }' }, as(ip))).headers)?.left).toBe(3);
    expect(limitIn((await ask(store, { query: '{ nothing }' }, as(ip))).headers)?.left).toBe(2);

    vi.advanceTimersByTime(20_000);
    const refused = await ask(store, { query: DEAR }, as(ip));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    expect(limitIn(refused.headers)).toMatchObject({ left: 1, resetsIn: 40 });
    expect(refused.body.errors).toEqual([
      REFUSED(
        /^The cost of this operation, \d+, counts as 3 requests; the limit "anonymous" is 10 in 60 s, with 1 left\. Try again in 40 s\.$/,
      ),
    ]);
    // An operation that is sent with GET counts in the same limit.
    expect((await ask(store, { query: CHEAP }, { ...as(ip), method: 'GET' })).status).toBe(429);
  });

  it('answers 429 without reading the operation when no units are left', async () => {
    const ip = anAddress();
    for (let i = 0; i < 10; i += 1) await ask(store, { query: '{ __typename }' }, as(ip));
    const { status, headers, body } = await ask(store, '{"query', as(ip));
    expect([status, headers.get('content-type'), body.code]).toEqual([
      429,
      'application/problem+json; charset=utf-8',
      'RATE_LIMITED',
    ]);
  });

  it('reports an operation that can never fit into the limit', async () => {
    const fields = Array.from({ length: 10 }, (_value, i) => `p${i}: products(limit: 100) { id }`);
    const { body } = await ask(
      store,
      { query: `{ ${fields.join(' ')} q: product(id: 1) { id } }` },
      as(anAddress()),
    );
    expect(body.errors).toEqual([REFUSED(/, counts as 11 requests; .* with 9 left\. Ask for less\.$/)]);
  });

  it('counts operations with a credential in the limit of the caller', async () => {
    const key = await createKey(store, ['products:write']);
    const create = 'mutation { createProduct(name: "Chai", price: 1) { id } }';
    const created = await ask(store, { query: create }, as(anAddress(), key));
    expect(created.body.data.createProduct.id).toBe('1');
    expect(limitIn(created.headers)).toMatchObject({ policy: 'caller', quota: 9, left: 7 });
    for (const left of [5, 3, 1]) {
      expect(limitIn((await ask(store, { query: create }, as(anAddress(), key))).headers)?.left).toBe(left);
    }
    const refused = await ask(store, { query: create }, as(anAddress(), key));
    expect(refused.status).toBe(429);
    expect(refused.body.data).toBeUndefined();
    const { body } = await ask(store, { query: '{ products { id } }' }, as(anAddress()));
    expect(body.data.products).toHaveLength(4);
  });
});

describe('the rate limit on a WebSocket', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', {
      STORE_TRUST_PROXY: 'true',
      STORE_RATE_LIMIT: 'anonymous=6/h,caller=20/h',
    });
  });
  afterAll(() => store.close());

  const at = (ip: string) => open(store, { headers: { 'x-forwarded-for': ip } });
  const leftAt = async (ip: string) => {
    const { headers } = await store.call('HEAD', '/api/products', {
      key: null,
      headers: { 'x-forwarded-for': ip },
    });
    return limitIn(headers)?.left;
  };
  const handshake = (ip: string) =>
    speak(store.port, [
      `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: ${ip}\r\n\r\n`,
    ]);

  it('refuses the handshake with problem details when no units are left', async () => {
    const ip = anAddress();
    for (let i = 0; i < 6; i += 1) expect(await handshake(ip)).toMatch(/^HTTP\/1\.1 400 /);
    const text = await handshake(ip);
    expect(text).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(text).toMatch(/\r\nRetry-After: 3[56]\d\d\r\n/);
    expect(text).toMatch(/\r\nratelimit: "anonymous";r=0;t=3[56]\d\d\r\n/i);
    expect(text).toContain('"code":"RATE_LIMITED"');
  });

  it('refuses an operation with an error message, and the socket stays open', async () => {
    const ip = anAddress();
    const raw = await at(ip);
    expect(await init(raw, null)).toMatchObject({ type: 'connection_ack' });
    for (const id of ['a', 'b']) {
      raw.say({ id, type: 'subscribe', payload: { query: CHEAP } });
      expect(await raw.hear()).toMatchObject({ id, type: 'next' });
      expect(await raw.hear()).toEqual({ id, type: 'complete' });
    }
    // One unit is left. The operation takes it, so none is left for its cost.
    raw.say({ id: 'c', type: 'subscribe', payload: { query: CHEAP } });
    expect(await raw.hear()).toMatchObject({
      id: 'c',
      type: 'error',
      payload: [REFUSED(/^The cost of this operation, 1, counts as a request; .* with 0 left/)],
    });
    raw.say({ id: 'd', type: 'subscribe', payload: { query: '{ not GraphQL' } });
    expect(await raw.hear()).toMatchObject({
      id: 'd',
      type: 'error',
      payload: [REFUSED(/^There were too many/)],
    });
    raw.say({ type: 'ping' });
    expect(await raw.hear()).toEqual({ type: 'pong' });
    raw.socket.close();
    await raw.closed;
  });

  it('counts the handshake for the caller if the credential is valid, otherwise for the address', async () => {
    const ip = anAddress();
    const key = await createKey(store, []);
    for (let i = 0; i < 8; i += 1) {
      const raw = await at(ip);
      expect(await init(raw, key)).toMatchObject({ type: 'connection_ack' });
      raw.socket.close();
      await raw.closed;
    }
    const { headers } = await store.call('HEAD', '/api/products', { key });
    expect(limitIn(headers)).toMatchObject({ policy: 'caller', left: 11 });
    expect(await leftAt(ip)).toBe(5);
    for (let i = 0; i < 5; i += 1) {
      const raw = await at(ip);
      raw.say({ type: 'connection_init', payload: { 'x-api-key': 'sk_1_wrong' } });
      expect((await raw.closed).code).toBe(4401);
    }
    expect(await handshake(ip)).toMatch(/^HTTP\/1\.1 429 /);
  });

  it('closes a connection with 1013 if its caller has no units left', async () => {
    const key = await createKey(store, []);
    for (let i = 0; i < 20; i += 1) await store.call('HEAD', '/api/products', { key });
    const raw = await at(anAddress());
    raw.say({ type: 'connection_init', payload: { 'x-api-key': key } });
    const { code, reason } = await raw.closed;
    // Standard clients reconnect after this code.
    expect([code, reason]).toEqual([1013, expect.stringMatching(/^There were too many requests/)]);
  });

  it('counts the start of a subscription, but not its events', async () => {
    const user = await createUser(store);
    const key = await createKey(store, [], user.id);
    const raw = await openAs(store, key);
    raw.say({ id: 's', type: 'subscribe', payload: { query: 'subscription { newOrder { id } }' } });
    const left = async () => {
      const { headers } = await store.call('HEAD', `/api/users/${user.id}`, { key });
      return limitIn(headers)?.left;
    };
    // At least four units are used: for the handshake, the operation, its cost, and each request of the poll.
    await expect.poll(left).toBeLessThanOrEqual(16);
    const before = (await left()) as number;
    const live = connect(store);
    const events = await live.subscribe('newOrder', '{ id }');
    live.close();
    await events.ended;
    for (let i = 0; i < 3; i += 1) {
      await placeOrder(store, { user_id: user.id });
      expect(await raw.hear()).toMatchObject({ id: 's', type: 'next' });
    }
    expect(await left()).toBe(before - 1);
    raw.socket.close();
    await raw.closed;
  });
});
