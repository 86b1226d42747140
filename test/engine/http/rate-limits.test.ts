import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { Logins } from '../../../src/store/accounts/logins.js';
import { ADMIN_KEY, startApp, type Call, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword } from '../../support/clients/basic.js';
import { createKey } from '../../support/clients/keys.js';
import { anAddress, limitIn } from '../../support/fixtures/rate-limits.js';
import { speak } from '../../support/clients/socket.js';

const PRODUCTS = '/api/v1/products';

/** The service believes `X-Forwarded-For`, so that each test can have an address of its own. */
const PROXIED = { STORE_TRUST_PROXY: 'true' };

/** Fakes only the clocks that the rate limits read, so that no test waits for a minute. */
function ownClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
  afterEach(() => void vi.useRealTimers());
}

function pass(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

const from = (ip: string, call: Call = {}): Call => ({
  key: null,
  ...call,
  headers: { 'x-forwarded-for': ip, ...call.headers },
});

const times = (store: TestApp, headers: (i: number) => Record<string, string>) =>
  Promise.all(
    Array.from({ length: 4 }, async (_value, i) => {
      const { status } = await store.call('GET', PRODUCTS, { key: null, headers: headers(i) });
      return status;
    }),
  );

describe('the limit of an address', () => {
  ownClock();
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { ...PROXIED, STORE_RATE_LIMIT: 'anonymous=5/min' });
  });
  afterAll(() => store.close());

  const ask = (ip: string, path = PRODUCTS, call: Call = {}, method = 'GET') =>
    store.call(method, path, from(ip, call));

  async function spent(): Promise<string> {
    const ip = anAddress();
    for (let i = 0; i < 5; i += 1) expect((await ask(ip)).status).toBe(200);
    return ip;
  }

  it('counts down in every answer, then answers 429 until the window is over', async () => {
    const ip = anAddress();
    for (const left of [4, 3, 2, 1, 0]) {
      const { status, headers } = await ask(ip);
      expect(status).toBe(200);
      expect(limitIn(headers)).toEqual({ policy: 'anonymous', quota: 5, seconds: 60, left, resetsIn: 60 });
    }
    pass(18);
    const refused = await ask(ip);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('42');
    expect(limitIn(refused.headers)).toMatchObject({ left: 0, resetsIn: 42 });
    expect(refused.body).toMatchObject({
      code: 'RATE_LIMITED',
      detail:
        'There were too many requests; the limit "anonymous" is 5 in 60 s, with 0 left. Try again in 42 s.',
    });
    pass(41.9);
    expect((await ask(ip)).status).toBe(429);
    pass(0.1);
    expect(limitIn((await ask(ip)).headers)).toMatchObject({ left: 4, resetsIn: 60 });
  });

  it('counts each IPv4 address and each IPv6 network of 64 bits separately', async () => {
    const ip = await spent();
    expect((await ask(ip)).status).toBe(429);
    expect((await ask(anAddress())).status).toBe(200);
    expect((await ask(`::ffff:${ip}`)).status).toBe(429);
    for (const host of [':1', ':dead:beef', '0:0:0:3', 'ffff:ffff:ffff:4', '1::']) {
      expect((await ask(`2001:db8:7:1:${host}`)).status).toBe(200);
    }
    expect((await ask('2001:DB8:0007:0001:aaaa:bbbb:cccc:dddd')).status).toBe(429);
    expect((await ask('2001:db8:7:2::1')).status).toBe(200);
  });

  it('answers 429 before it checks the path, the method, the headers or the body', async () => {
    const ip = await spent();
    const answers = [
      await ask(ip, '/nothing/here'),
      await ask(ip, PRODUCTS, {}, 'DELETE'),
      await ask(ip, PRODUCTS, { headers: { accept: 'image/png' } }),
      await ask(ip, PRODUCTS, { body: '{', headers: { 'content-type': 'text/csv' } }, 'POST'),
      await ask(ip, `${PRODUCTS}?q=${'x'.repeat(8200)}`),
      await ask(ip, PRODUCTS, {}, 'HEAD'),
      await ask(ip, PRODUCTS, {}, 'OPTIONS'),
      await ask(ip, '/openapi.json'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 429));
  });

  it.each([-3, 3])('keeps its window when the clock of the machine jumps by %d hours', async (hours) => {
    const ip = await spent();
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    const { status, headers } = await ask(ip);
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    pass(60);
    expect((await ask(ip)).status).toBe(200);
  });

  it('counts every request except those for health and pages', async () => {
    const ip = anAddress();
    await ask(ip, PRODUCTS, {}, 'HEAD');
    await ask(ip, PRODUCTS, {}, 'OPTIONS');
    await ask(ip, '/nothing/here');
    const { headers } = await ask(ip, '/schema.graphql');
    expect(limitIn(headers)).toMatchObject({ left: 1 });
    await ask(ip);
    expect((await ask(ip)).status).toBe(429);
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await ask(ip, path);
      expect([answer.status, limitIn(answer.headers)]).toEqual([200, null]);
    }
    for (const path of ['/', '/docs', '/assets/none.js']) {
      const { status } = await fetch(store.url + path, { headers: { 'x-forwarded-for': ip } });
      expect([path, status]).not.toEqual([path, 429]);
    }
  });

  it('does not count pages and their files if a browser adds the password of its dialog', async () => {
    const { email } = await createUserWithPassword(store);
    const ip = anAddress();
    const headers = { 'x-forwarded-for': ip, authorization: basic(email) };
    for (const path of ['/', '/docs', '/imports', '/assets/none.js']) {
      await (await fetch(store.url + path, { headers })).arrayBuffer();
    }
    expect(limitIn((await ask(ip)).headers)).toMatchObject({ policy: 'anonymous', left: 4 });
  });

  it('counts the order board for the caller, or for the address if its credential is wrong', async () => {
    const ip = anAddress();
    const board = async (key: string) => {
      const answer = await fetch(`${store.url}/board`, {
        headers: { 'x-forwarded-for': ip, 'x-api-key': key },
      });
      await answer.arrayBuffer();
    };
    await board('made up');
    expect(limitIn((await ask(ip)).headers)).toMatchObject({ left: 3 });
    const key = await createKey(store, ['orders:read']);
    await board(key);
    expect(limitIn((await ask(ip)).headers)).toMatchObject({ left: 2 });
    expect(limitIn((await ask(ip, PRODUCTS, { key })).headers)).toMatchObject({
      policy: 'caller',
      left: 1196,
    });
  });

  it('does not count callers with a valid credential at the same address', async () => {
    const ip = await spent();
    const { status, headers } = await ask(ip, PRODUCTS, { key: ADMIN_KEY });
    expect(status).toBe(200);
    expect(limitIn(headers)).toMatchObject({ policy: 'caller', quota: 1200 });
    expect((await ask(ip)).status).toBe(429);
    // Requests of such callers do not use up the limit of the address.
    const other = anAddress();
    for (let i = 0; i < 10; i += 1) await ask(other, PRODUCTS, { key: ADMIN_KEY });
    expect(limitIn((await ask(other)).headers)).toMatchObject({ policy: 'anonymous', left: 4 });
  });

  it('answers 429 to wrong keys at any path when no units are left, and still accepts a valid key', async () => {
    const ip = anAddress();
    const wrong = { key: 'sk_1_wrong' };
    for (const [i, path] of [PRODUCTS, '/health/live', '/api/orders', PRODUCTS].entries()) {
      const { status, headers } = await ask(ip, path, wrong);
      expect([path, status, limitIn(headers)?.left]).toEqual([path, 401, 4 - i]);
    }
    expect((await ask(ip, PRODUCTS, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
    for (const path of [PRODUCTS, '/health/live', '/nothing/here']) {
      const { status, headers } = await ask(ip, path, wrong);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 429, '60']);
    }
    const two = { key: ADMIN_KEY, headers: { authorization: basic('a@b.example') } };
    expect((await ask(ip, PRODUCTS, two)).status).toBe(429);
    expect((await ask(ip, PRODUCTS, { key: ADMIN_KEY })).status).toBe(200);
    expect((await ask(ip, '/nothing/here', { key: ADMIN_KEY })).status).toBe(404);
  });

  it('answers 429 before it tries a password, unless the password was right a moment ago', async () => {
    const { email } = await createUserWithPassword(store);
    const right = { headers: { authorization: basic(email) } };
    const ip = await spent();
    expect((await ask(ip, '/api/users/me', right)).status).toBe(429);
    expect((await ask(anAddress(), '/api/users/me', right)).status).toBe(200);
    // The service now remembers that this password is right, so the answer says nothing new about it.
    expect((await ask(ip, '/api/users/me', right)).status).toBe(200);
  });

  it('answers 429 if a bug prevents the check of the credential, but 503 during an outage', async () => {
    const find = vi.spyOn(store.app.get(Logins, { strict: false }), 'find');
    onTestFinished(() => find.mockRestore());
    const asAda = { headers: { authorization: basic('ada@example.com') } };
    const statuses = async (ip: string) => {
      const answers = [];
      for (let i = 0; i < 40; i += 1) answers.push((await ask(ip, PRODUCTS, asAda)).status);
      return answers;
    };
    find.mockRejectedValue(new DatabaseUnavailable('The database is not available'));
    expect(new Set(await statuses(anAddress()))).toEqual(new Set([503]));
    find.mockRejectedValue(new Error('a bug')).mockClear();
    const counts = Map.groupBy(await statuses(anAddress()), (status) => status);
    expect([counts.get(500)?.length, counts.get(429)?.length]).toEqual([5, 35]);
    // Without a bound, a caller could make the service run into the bug at each request.
    expect(find.mock.calls.length).toBeLessThan(40);
  });

  it('counts requests that get an error before their credential is read', async () => {
    const ip = anAddress();
    for (let i = 0; i < 5; i += 1) expect((await ask(ip, '/nothing', { key: 'made up' })).status).toBe(404);
    expect((await ask(ip, '/nothing', { key: 'made up' })).status).toBe(429);
    expect((await ask(ip)).status).toBe(429);
  });
});

describe('the address of a client', () => {
  it.each([
    ['if no proxy is trusted', {}],
    ['if only other proxies are trusted', { STORE_TRUST_PROXY: '10.0.0.0/8' }],
  ])('is not taken from X-Forwarded-For %s', async (_what, settings) => {
    const store = await startApp('sqlite', { STORE_RATE_LIMIT: 'anonymous=3/min', ...settings });
    try {
      const statuses = await times(store, (i) => ({
        'x-forwarded-for': `192.0.2.${i}`,
        forwarded: `for=192.0.2.${i}`,
      }));
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
      const text = await speak(store.port, [
        'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n',
      ]);
      expect(text).toMatch(/^HTTP\/1.1 429 /);
    } finally {
      await store.close();
    }
  });
});

describe('the limit of a caller', () => {
  ownClock();
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { ...PROXIED, STORE_RATE_LIMIT: 'anonymous=100/min,caller=6/h' });
  });
  afterAll(() => store.close());

  const left = async (path: string, call: Call): Promise<number | string | undefined> => {
    const { status, headers } = await store.call('GET', path, call);
    return status === 429 ? 'refused' : limitIn(headers)?.left;
  };

  it('counts all addresses and all credentials of one user together, and other callers separately', async () => {
    pass(3600);
    const user = await createUserWithPassword(store);
    const [first, second] = [
      await createKey(store, [], user.id),
      await createKey(store, ['products:read'], user.id),
    ];
    const other = await createKey(store, []);
    pass(3600);
    const own = `/api/users/${user.id}`;
    expect(await left(own, { key: first })).toBe(5);
    expect(await left(own, { key: second })).toBe(4);
    expect(await left(own, { key: null, headers: { authorization: basic(user.email) } })).toBe(3);
    expect(await left(PRODUCTS, { key: first, headers: { 'x-forwarded-for': anAddress() } })).toBe(2);
    expect(await left(PRODUCTS, { key: other })).toBe(5);
    expect(await left(PRODUCTS, {})).toBe(5);
    await left(own, { key: second });
    await left(own, { key: second });
    for (const key of [first, second]) {
      expect(await left(own, { key, headers: { 'x-forwarded-for': anAddress() } })).toBe('refused');
    }
    expect(await left(PRODUCTS, { key: other })).toBe(4);
  });

  it('is checked after the checks for 404, 405, 406 and 415, and before the checks for 403 and 400', async () => {
    pass(3600);
    const key = await createKey(store, []);
    for (let i = 0; i < 6; i += 1) await left(PRODUCTS, { key });
    const status = async (method: string, path: string, call: Call = {}) =>
      (await store.call(method, path, { key, ...call })).status;
    expect(await status('GET', '/nothing')).toBe(404);
    expect(await status('DELETE', PRODUCTS)).toBe(405);
    expect(await status('GET', PRODUCTS, { headers: { accept: 'image/png' } })).toBe(406);
    expect(await status('POST', PRODUCTS, { body: 'x', headers: { 'content-type': 'text/csv' } })).toBe(415);
    // If the caller had units left, the first answer would be 403, and the second 400.
    expect(await status('POST', PRODUCTS, { body: '{' })).toBe(429);
    expect(await status('GET', `${PRODUCTS}?nothing=1`)).toBe(429);
    expect(await status('OPTIONS', PRODUCTS)).toBe(429);
    expect(await status('GET', '/health/ready')).toBe(429);
    pass(3600);
    expect(await status('POST', PRODUCTS, { body: '{' })).toBe(403);
    expect(await status('GET', `${PRODUCTS}?nothing=1`)).toBe(400);
  });
});

describe('without limits', () => {
  it('the service counts nothing, and its answers have no rate limit headers', async () => {
    const store = await startApp('sqlite', { STORE_RATE_LIMIT: 'off' });
    try {
      for (let i = 0; i < 130; i += 1) {
        const response = await fetch(store.url + PRODUCTS, {
          headers: i % 2 === 0 ? {} : { 'x-api-key': 'wrong' },
        });
        await response.arrayBuffer();
        expect(response.status).toBe(i % 2 === 0 ? 200 : 401);
        expect(limitIn(response.headers)).toBeNull();
      }
    } finally {
      await store.close();
    }
  });
});

describe('the units that a request counts as', () => {
  ownClock();
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { ...PROXIED, STORE_RATE_LIMIT: 'anonymous=100/min,caller=100/min' });
  });
  afterAll(() => store.close());

  it.each([
    ['/api/v1/products', 1],
    ['/api/v1/products/1', 1],
    ['/api/v1/products?page=2&limit=5', 1],
    ['/api/v1/products?in_stock=true', 3],
    ['/api/v1/products?sort=name&min_price=1', 3],
    ['/api/v1/products?q=tea', 6],
    ['/api/v2/products?%71=tea&sort=name', 6],
    ['/api/v1/products/export', 21],
    ['/api/v2/products/export?q=tea', 21],
  ])('for %s are %i', async (path, units) => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await store.call(method, path, from(anAddress()));
      expect([method, limitIn(headers)?.left]).toEqual([method, 100 - units]);
    }
  });

  it('for orders are counted for the caller', async () => {
    const key = await createKey(store, ['orders:read']);
    let left = 100;
    for (const [path, units] of [
      ['/api/v1/orders', 1],
      ['/api/v1/orders?user_id=1', 1],
      ['/api/v1/orders?status=paid', 3],
      ['/api/v2/orders?sort=-created_at', 3],
      ['/api/v1/orders/export', 21],
    ] as const) {
      left -= units;
      const { headers } = await store.call('GET', path, { key });
      expect([path, limitIn(headers)?.left]).toEqual([path, left]);
    }
  });

  it('must all be available before the service reads a row', async () => {
    const ip = anAddress();
    for (let i = 0; i < 4; i += 1)
      expect((await store.call('GET', `${PRODUCTS}/export`, from(ip))).status).toBe(200);
    const { status, headers, body } = await store.call('GET', `${PRODUCTS}/export`, from(ip));
    expect([status, headers.get('retry-after'), limitIn(headers)?.left]).toEqual([429, '60', 15]);
    expect(body.detail).toMatch(/^This request counts as 21 requests; .* with 15 left/);
    expect((await store.call('GET', PRODUCTS, from(ip))).status).toBe(200);
  });
});
