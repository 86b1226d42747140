import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_KEY, startApp, type Call, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword } from '../../support/clients/basic.js';
import { createKey } from '../../support/clients/keys.js';
import { open } from '../../support/clients/live.js';
import { withProcessorMs } from '../../support/fixtures/processor-time.js';
import { anAddress } from '../../support/fixtures/rate-limits.js';
import { tokenOf } from '../../support/clients/tokens.js';

const MOST = 8_192;
const TRIES = 20;
const PRODUCTS = '/api/v1/products';
const LONG = 'a credential may have at most 8192';

/** A credential that is mostly blanks. A pattern that backtracks from each blank needs quadratic time for it. */
const blanks = (length: number): string => `Bearer ${' '.repeat(length - 8)}x`;

describe('a credential', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  const DOORS: readonly [string, string, string, string?][] = [
    ['REST', 'GET', PRODUCTS],
    ['REST, version 2', 'GET', '/api/v2/products'],
    ['an unknown address', 'GET', '/nothing'],
    ['OPTIONS', 'OPTIONS', PRODUCTS],
    ['GraphQL', 'POST', '/graphql', '{"query":"{ me { id } }"}'],
    ['SSE', 'POST', '/graphql/stream', '{"query":"{ me { id } }"}'],
    ['the token endpoint', 'POST', '/oauth/token', 'grant_type=client_credentials'],
    ['a page', 'GET', '/docs'],
  ];
  it.each(DOORS)('that is too long is refused before it is read: %s', async (_door, method, path, body) => {
    for (const headers of [{ authorization: blanks(MOST + 1) }, { 'x-api-key': 'k'.repeat(MOST + 1) }]) {
      const type = path === '/oauth/token' ? 'application/x-www-form-urlencoded' : 'application/json';
      const response = await fetch(store.url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body }),
      });
      const problem = (await response.json()) as object;
      expect(response.status).toBe(431);
      expect(problem).toMatchObject({ code: 'HEADERS_TOO_LARGE', detail: expect.stringContaining(LONG) });
    }
  });

  const statusBy = async (headers: Record<string, string>) =>
    (await store.call('GET', PRODUCTS, { key: null, headers })).status;

  it('may have exactly the maximum number of characters', async () => {
    expect(await statusBy({ 'x-api-key': 'k'.repeat(MOST) })).toBe(401);
    expect(await statusBy({ authorization: blanks(MOST) })).toBe(401);
    expect(await statusBy({ authorization: `Bearer ${'x'.repeat(MOST - 7)}` })).toBe(401);
  });

  it.each(['authorization', 'x-api-key'])('that is too long closes a WebSocket: %s', async (name) => {
    const closing = async (length: number) => {
      const raw = await open(store);
      raw.say({ type: 'connection_init', payload: { [name]: blanks(length) } });
      return raw.closed;
    };
    expect(await closing(15_000)).toEqual({ code: 4400, reason: expect.stringContaining(LONG) });
    // At this length the message itself is too long.
    expect(await closing(200_000)).toMatchObject({ code: 1009 });
  });

  it('of blanks is not read by a pattern that needs quadratic time', async () => {
    const authorization = blanks(MOST);
    const times = 20;
    const [, quadraticMs] = await withProcessorMs(() => {
      for (let i = 0; i < times; i += 1) expect(/ +$/.test(authorization)).toBe(false);
    });
    const [, ms] = await withProcessorMs(async () => {
      for (let i = 0; i < times; i += 1) expect(await statusBy({ authorization })).toBe(401);
    });
    expect(ms).toBeLessThan(quadraticMs);
  });

  it('is refused with the name of the right header if an API key is sent as a Bearer token', async () => {
    const authorization = `Bearer ${await createKey(store, [])}`;
    const { status, body } = await store.call('GET', PRODUCTS, { key: null, headers: { authorization } });
    expect([status, body.detail]).toEqual([
      401,
      'Send an API key in the header X-API-Key, not as a Bearer token.',
    ]);
  });

  it('is valid only in its own header, even when it is cached', async () => {
    const key = await createKey(store, []);
    const { email } = await createUserWithPassword(store);
    expect(await statusBy({ 'x-api-key': key })).toBe(200);
    expect(await statusBy({ authorization: key })).toBe(401);
    expect(await statusBy({ authorization: basic(email) })).toBe(200);
    expect(await statusBy({ 'x-api-key': basic(email) })).toBe(401);
  });
});

describe('from an address with no requests left', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_TRUST_PROXY: 'true', STORE_RATE_LIMIT: 'anonymous=30/min' });
  });
  afterAll(() => store.close());

  const from = async (ip: string, call: Call = {}): Promise<number> =>
    (
      await store.call('GET', PRODUCTS, {
        key: null,
        ...call,
        headers: { 'x-forwarded-for': ip, ...call.headers },
      })
    ).status;

  async function spend(ip: string): Promise<void> {
    while ((await from(ip)) === 200);
  }

  const guesses = [
    ['keys', (i: number): Call => ({ key: `sk_${i}_${'x'.repeat(43)}` })],
    ['tokens', (i: number): Call => ({ headers: { authorization: `Bearer ${'x'.repeat(40)}${i + 100}` } })],
    ['texts that are not credentials', (i: number): Call => ({ headers: { authorization: `Digest ${i}` } })],
  ] as const;
  it.each(guesses)(
    'a few unknown credentials are checked, and then only credentials that were valid before are accepted: %s',
    async (_what, guess) => {
      const ip = anAddress();
      const [known, fresh] = [await createKey(store, []), await createKey(store, [])];
      const jwt = {
        headers: { authorization: `Bearer ${await tokenOf(store, { scope: 'products:read' })}` },
      };
      for (const good of [{ key: known }, { key: ADMIN_KEY }, jwt]) expect(await from(ip, good)).toBe(200);
      await spend(ip);
      for (let i = 0; i < TRIES; i += 1) expect(await from(ip, guess(i))).toBe(429);
      expect(await from(ip, { key: fresh })).toBe(429);
      for (const good of [{ key: known }, { key: ADMIN_KEY }, jwt]) expect(await from(ip, good)).toBe(200);
      // The key is valid from another address, and a cached credential is valid from every address.
      expect(await from(anAddress(), { key: fresh })).toBe(200);
      expect(await from(ip, { key: fresh })).toBe(200);
    },
  );

  it('valid credentials do not use up the checks, and a minute later more checks are allowed', async () => {
    const ip = anAddress();
    await spend(ip);
    for (let i = 0; i < TRIES + 3; i += 1)
      expect(await from(ip, { key: await createKey(store, []) })).toBe(200);
    for (let i = 0; i < TRIES; i += 1) await from(ip, { key: 'made up' });
    const fresh = await createKey(store, []);
    expect(await from(ip, { key: fresh })).toBe(429);
    vi.advanceTimersByTime(61_000);
    await spend(ip);
    expect(await from(ip, { key: fresh })).toBe(200);
  });

  it('a password that was remembered there is checked again for a request from another address', async () => {
    const { email } = await createUserWithPassword(store);
    const right = { headers: { authorization: basic(email) } };
    expect(await from(anAddress(), right)).toBe(200);
    // The service still remembers that the password is right, but not the whole credential.
    vi.advanceTimersByTime(290_000);
    const ip = anAddress();
    await spend(ip);
    expect(await from(ip, right)).toBe(200);
    // Now the service remembers the whole credential, but no longer that the password is right. The new user is a
    // change, and after a change each remembered credential is checked again.
    vi.advanceTimersByTime(15_000);
    await createUserWithPassword(store);
    expect(await from(anAddress(), right)).toBe(200);
  });

  it('connection_init on open sockets follows the same rule: a few unknown credentials are checked', async () => {
    const ip = anAddress();
    const known = await createKey(store, []);
    expect(await from(anAddress(), { key: known })).toBe(200);
    const sockets = await Promise.all(
      Array.from({ length: TRIES + 2 }, () => open(store, { headers: { 'x-forwarded-for': ip } })),
    );
    await spend(ip);
    const said = async (key: string) => {
      const raw = sockets.pop();
      raw?.say({ type: 'connection_init', payload: { 'x-api-key': key } });
      const heard = await Promise.race([raw?.hear(), raw?.closed]);
      raw?.socket.terminate();
      return heard && 'code' in heard ? heard.code : (heard as { type: string }).type;
    };
    for (let i = 0; i < TRIES; i += 1) expect(await said(`sk_${i}_made up`)).toBe(4401);
    expect(await said(await createKey(store, []))).toBe(1013);
    expect(await said(known)).toBe('connection_ack');
  });
});
