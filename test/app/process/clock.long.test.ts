import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_KEY } from '../../support/clients/app.js';
import { ClockedService, withClock } from '../../support/fixtures/clock.js';
import { freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';

const PASSWORD = 'correct horse battery';
const PUBLIC_URL = 'http://store.example';
const HOUR_MS = 3_600_000;

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- other tests check the bodies
  readonly body: any;
  readonly headers: Headers;
}

let database: FreshDatabase;
let service: ClockedService;

beforeEach(async () => {
  database = await freshDatabase('sqlite');
  service = await ClockedService.start({
    STORE_DATABASE_URL: database.url,
    STORE_ADMIN_KEY: ADMIN_KEY,
    STORE_SECRET: ADMIN_KEY,
    STORE_PUBLIC_URL: PUBLIC_URL,
    STORE_RATE_LIMIT: 'anonymous=100000/h,caller=300/h',
    STORE_ACCESS_LOG: 'errors',
    STORE_TOKEN_TTL: '10',
  });
});
afterEach(async () => {
  await service.end();
  await database.drop();
});

async function call(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = { 'x-api-key': ADMIN_KEY },
  body?: object,
): Promise<Answer> {
  const answer = await fetch(service.url + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const { status, headers: told } = answer;
  return { status, body: text === '' ? null : JSON.parse(text), headers: told };
}

const ADMIN = { 'x-api-key': ADMIN_KEY };

/** The status of a request of this caller. */
async function statusFor(headers: Readonly<Record<string, string>>): Promise<number> {
  return (await call('GET', '/api/v1/orders?limit=1', headers)).status;
}

async function createClient() {
  const grant = { grant_types: ['client_credentials'], scopes: ['orders:read'] };
  return (await call('POST', '/api/v1/clients', ADMIN, { name: 'Courier app', ...grant })).body;
}

/** @param resource makes the token a JWT; without it, the token is opaque */
async function tokenOf(
  { client_id, client_secret }: { client_id: string; client_secret: string },
  resource?: string,
): Promise<Record<string, string>> {
  const answer = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=client_credentials&scope=orders:read${resource === undefined ? '' : `&resource=${resource}`}`,
  });
  expect(answer.status).toBe(200);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${token}` };
}

async function pairOfTokens(client: { client_id: string; client_secret: string }) {
  return [await tokenOf(client), await tokenOf(client, PUBLIC_URL)] as const;
}

/** @param closed gets the name when the socket closes */
async function subscribe(name: string, payload: object, closed: string[]): Promise<WebSocket> {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('close', () => closed.push(name));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
  await new Promise<void>((resolve) =>
    socket.on('message', () => {
      socket.send(
        JSON.stringify({
          id: '1',
          type: 'subscribe',
          payload: { query: 'subscription { newOrder { id } }' },
        }),
      );
      resolve();
    }),
  );
  return socket;
}

describe('a clock that is set while the service runs', withClock, () => {
  it('does not extend access tokens when it is set back', async () => {
    const client = await createClient();
    const known = await pairOfTokens(client);
    const unknown = await pairOfTokens(client);
    const issuedAt = performance.now();
    expect(await Promise.all(known.map(statusFor))).toEqual([200, 200]);
    await service.set(-3);
    // The service has not checked these tokens yet. They were issued later than the time that its clock now shows.
    expect(await Promise.all(unknown.map(statusFor))).toEqual([401, 401]);
    await expect.poll(() => Promise.all(known.map(statusFor)), { interval: 200 }).toEqual([401, 401]);
    // The known tokens, which are valid for 10 seconds, have ended although the clock was set back by three hours.
    expect(performance.now() - issuedAt).toBeLessThan(25_000);
    expect(await Promise.all((await pairOfTokens(client)).map(statusFor))).toEqual([200, 200]);
  });

  it('does not extend a token if it is set back to a time before the token was issued', async () => {
    const client = await createClient();
    const token = await tokenOf(client);
    const issuedAt = performance.now();
    expect(await statusFor(token)).toBe(200);
    // By the clock, the token would still be valid for a minute.
    await service.set(-50 / 3600);
    await expect.poll(() => statusFor(token), { interval: 200 }).toBe(401);
    expect(performance.now() - issuedAt).toBeLessThan(40_000);
    // After a refusal, the service still knows that the token has expired.
    expect(await statusFor(token)).toBe(401);
  });

  it('does not extend a key that expires, for requests and for open connections, when it is set back', async () => {
    const expires_at = new Date(Date.now() + 15_000).toISOString();
    const made = await call('POST', '/api/v1/api-keys', ADMIN, {
      name: 'k',
      scopes: ['orders:read', 'events:read'],
      expires_at,
    });
    const key = { 'x-api-key': made.body.key as string };
    expect(await statusFor(key)).toBe(200);
    const closed: string[] = [];
    const socket = await subscribe('socket', key, closed);
    const stream = await fetch(`${service.url}/api/v2/events`, {
      headers: { ...key, accept: 'text/event-stream' },
    });
    expect(stream.status).toBe(200);
    const ended = stream.text();
    await service.set(-3);
    await expect.poll(() => statusFor(key), { interval: 200 }).toBe(401);
    expect(await statusFor(key)).toBe(401);
    await expect.poll(() => closed).toEqual(['socket']);
    await ended;
    socket.terminate();
  });

  it('ends access tokens when it is set forward, and does not end keys that do not expire', async () => {
    const tokens = await pairOfTokens(await createClient());
    expect(await Promise.all(tokens.map(statusFor))).toEqual([200, 200]);
    await service.set(3);
    expect(await Promise.all(tokens.map(statusFor))).toEqual([401, 401]);
    expect(await statusFor(ADMIN)).toBe(200);
  });

  it('ends a key too early when it is set forward, and makes the key valid again when it is corrected', async () => {
    const expires_at = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    const made = await call('POST', '/api/v1/api-keys', ADMIN, {
      name: 'k',
      scopes: ['orders:read'],
      expires_at,
    });
    const key = { 'x-api-key': made.body.key };
    expect(await statusFor(key)).toBe(200);
    await service.set(3);
    expect(await statusFor(key)).toBe(401);
    await service.set(0);
    expect(await statusFor(key)).toBe(200);
  });

  it('does not make revoked and rotated credentials valid again', async () => {
    const client = await createClient();
    const jwts = await Promise.all([tokenOf(client, PUBLIC_URL), tokenOf(client, PUBLIC_URL)]);
    const key = (await call('POST', '/api/v1/api-keys', ADMIN, { name: 'k', scopes: ['orders:read'] })).body;
    expect(await Promise.all([...jwts, { 'x-api-key': key.key }].map(statusFor))).toEqual([200, 200, 200]);
    const rotated = await call('POST', `/api/v1/api-keys/${key.id}/rotate`, ADMIN, { overlap_seconds: 0 });
    expect(rotated.status).toBe(200);
    await service.set(-3);
    expect((await call('DELETE', `/api/v1/clients/${client.id}`)).status).toBe(200);
    expect(await Promise.all(jwts.map(statusFor))).toEqual([401, 401]);
    expect(await statusFor({ 'x-api-key': key.key })).toBe(401);
    await service.set(0);
    expect(await Promise.all(jwts.map(statusFor))).toEqual([401, 401]);
    expect(await statusFor({ 'x-api-key': rotated.body.key })).toBe(200);
  });

  it('does not change limits, delays and repeated requests', async () => {
    const made = await call('POST', '/api/v1/users', ADMIN, {
      name: 'Ann',
      email: 'ann@example.com',
      password: PASSWORD,
    });
    expect(made.status).toBe(201);
    const wrong = { authorization: `Basic ${Buffer.from('ann@example.com:wrong').toString('base64')}` };
    const body = { name: 'Masala chai', price: 18.5 };
    const create = () => call('POST', '/api/v1/products', { ...ADMIN, 'idempotency-key': '"a-key"' }, body);
    const first = await create();
    const key = (await call('POST', '/api/v1/api-keys', ADMIN, { name: 'k', scopes: ['orders:read'] })).body
      .key;
    const spend = async () => {
      let status = 200;
      for (let n = 0; n < 400 && status === 200; n += 1) status = await statusFor({ 'x-api-key': key });
      return status;
    };
    expect(await spend()).toBe(429);
    for (let n = 0; n < 5; n += 1) expect(await statusFor(wrong)).toBe(401);
    for (const hours of [3, -3]) {
      await service.set(hours);
      expect(await statusFor({ 'x-api-key': key })).toBe(429);
      const begun = performance.now();
      expect([401, 429]).toContain(await statusFor(wrong));
      expect(performance.now() - begun).toBeGreaterThan(200);
      const again = await create();
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('closes only the WebSocket whose token has ended', async () => {
    const [token] = await pairOfTokens(await createClient());
    const closed: string[] = [];
    const sockets = [
      await subscribe('token', token, closed),
      await subscribe('key', { 'X-API-Key': ADMIN_KEY }, closed),
    ];
    await service.set(3);
    await expect.poll(() => closed).toEqual(['token']);
    await service.set(-3);
    expect(closed).toEqual(['token']);
    for (const socket of sockets) socket.terminate();
  });

  it('delays an import by 90 seconds at most, if its process died while the clock was ahead', async () => {
    const begun = await call('POST', '/api/v2/imports', ADMIN, { format: 'csv', kind: 'products' });
    expect(begun.status).toBe(201);
    const { id } = begun.body;
    await service.kill();
    const file = new BetterSqlite3(database.url.replace('sqlite:', ''));
    const until = Date.now() + 3 * HOUR_MS;
    file
      .prepare("UPDATE imports SET state = 'running', runner = 'gone', lease_until = ? WHERE id = ?")
      .run(until, id);
    file.close();
    await service.start();
    const state = async () => (await call('GET', `/api/v2/imports/${id}`)).body.state;
    expect(await state()).toBe('running');
    await expect.poll(state, { timeout: 90_000, interval: 1_000 }).toMatch(/done|failed/);
  });
});
