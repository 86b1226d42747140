import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword, hashCheaply } from '../../support/clients/basic.js';
import { liveUrl } from '../../support/clients/live.js';

const PROXIED = '10.9.8.7';

/** The status for each kind of open connection. The status 101 means that a WebSocket was opened. */
const statusesOf = async (app: TestApp, headers: Record<string, string>): Promise<Record<string, number>> => {
  const socket = new WebSocket(liveUrl(app), 'graphql-transport-ws', { headers });
  socket.on('error', () => {});
  const handshake = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode as number),
  ]);
  socket.terminate();
  const control = new AbortController();
  const init = { headers: { ...headers, accept: 'text/event-stream' }, signal: control.signal };
  const query = encodeURIComponent('subscription { productChanged { id } }');
  const get = await fetch(`${app.url}/graphql/stream?query=${query}`, init);
  const post = await fetch(`${app.url}/graphql/stream`, {
    ...init,
    method: 'POST',
    headers: { ...init.headers, 'content-type': 'application/json' },
    body: '{"query": "subscription { productChanged { id } }"}',
  });
  const key = 'an-administrator-key-for-tests-only-0123456789';
  const withKey = { ...init, headers: { ...init.headers, 'x-api-key': key } };
  const events = await fetch(`${app.url}/api/v1/events`, withKey);
  const page = await fetch(`${app.url}/api/v1/events`, {
    headers: { ...headers, 'x-api-key': key },
  });
  expect(page.status).toBe(200);
  control.abort();
  return { handshake, get: get.status, post: post.status, events: events.status };
};

const statusFrom = async (app: TestApp, site: string): Promise<number> => {
  const headers = { 'sec-fetch-site': site, accept: 'text/event-stream' };
  return (await fetch(`${app.url}/graphql/stream?query=x`, { headers })).status;
};

const statusOf = async (app: TestApp, headers: Record<string, string>): Promise<number> => {
  const body = { name: 'Chai', price: 18 };
  return (await app.call('POST', '/api/v1/products', { headers, body })).status;
};

describe('changes that a page or a program requests', () => {
  it('are accepted from our own pages, configured origins and programs, and refused from other pages', async () => {
    const store = await startApp('sqlite', {
      STORE_PUBLIC_URL: 'https://store.example',
      STORE_CORS_ORIGINS: 'https://app.example',
    });
    const own = `http://127.0.0.1:${store.port}`;
    const accepted = [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.example' },
      { origin: own },
      { origin: 'https://store.example' },
      { origin: 'https://app.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://app.example' },
    ];
    for (const headers of accepted) expect([headers, await statusOf(store, headers)]).toEqual([headers, 201]);
    const refused = [
      { 'sec-fetch-site': 'SAME-ORIGIN' },
      { 'sec-fetch-site': 'same-origin, cross-site', origin: own },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'https://store.example.evil.example' },
      { origin: 'null' },
    ];
    for (const headers of refused) {
      expect([headers, await statusOf(store, headers)]).toEqual([headers, 403]);
      expect(await store.graphql('{ __typename }', undefined, { headers })).toMatchObject({ status: 403 });
    }
    await store.close();
  });
});

describe('a password that the dialog of a browser sends (Basic)', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CORS_ORIGINS: '*' });
    hashCheaply(store);
  });
  afterAll(() => store.close());

  const foreign = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };

  it('does not let a page of another origin make a change without a preflight, even if STORE_CORS_ORIGINS is *', async () => {
    const { id, email } = await createUserWithPassword(store);
    const { authorization } = { authorization: basic(email) };
    const key = (
      await store.call('POST', '/api/v1/api-keys', { body: { name: 'Own', scopes: [], user_id: id } })
    ).body as { readonly id: number };
    const rotate = async (headers: Record<string, string>): Promise<number> => {
      const url = `${store.url}/api/v1/api-keys/${key.id}/rotate`;
      return (await fetch(url, { method: 'POST', headers })).status;
    };
    for (const type of [{}, { 'content-type': 'text/plain' }])
      expect(await rotate({ authorization, ...foreign, ...type })).toBe(403);
    // `application/json` and `X-API-Key` need a preflight, so a script and not the dialog sent the credential.
    expect(await rotate({ authorization, ...foreign, 'content-type': 'application/json' })).not.toBe(403);
    expect(await rotate({ authorization })).not.toBe(403);
    expect(await rotate({ 'x-api-key': ADMIN_KEY, ...foreign })).not.toBe(403);
  });

  it('is ignored in the handshake of a WebSocket of another origin', async () => {
    const { email } = await createUserWithPassword(store);
    const nameAt = async (headers: Record<string, string>): Promise<unknown> => {
      const socket = new WebSocket(liveUrl(store), 'graphql-transport-ws', { headers });
      await once(socket, 'open');
      socket.send('{"type": "connection_init"}');
      await once(socket, 'message');
      socket.send('{"type": "subscribe", "id": "1", "payload": {"query": "{ me { email } }"}}');
      const [message] = (await once(socket, 'message')) as [Buffer];
      socket.terminate();
      return (JSON.parse(String(message)) as { readonly payload: unknown }).payload;
    };
    const authorization = basic(email);
    expect(await nameAt({ authorization })).toMatchObject({ data: { me: { email } } });
    expect(JSON.stringify(await nameAt({ authorization, ...foreign }))).toContain('UNAUTHENTICATED');
  });
});

describe('connections that stay open', () => {
  let store: TestApp;
  let listed: TestApp;
  let anybody: TestApp;
  let proxied: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_PUBLIC_URL: 'https://store.example' });
    listed = await startApp('sqlite', { STORE_CORS_ORIGINS: 'https://app.example' });
    anybody = await startApp('sqlite', { STORE_CORS_ORIGINS: '*' });
    proxied = await startApp('sqlite', { STORE_TRUST_PROXY: '127.0.0.1' });
  });
  afterAll(() => Promise.all([store, listed, anybody, proxied].map((app) => app.close())));

  const own = () => `http://127.0.0.1:${store.port}`;

  const OPEN = { handshake: 101, get: 200, post: 200, events: 200 };
  const REFUSED = { handshake: 403, get: 403, post: 403, events: 403 };

  it('can be opened by programs outside of browsers', async () => {
    expect(await statusesOf(store, {})).toEqual(OPEN);
  });

  it('can be opened by our own pages, at the host of the request and at STORE_PUBLIC_URL', async () => {
    expect(await statusesOf(store, { origin: own() })).toEqual(OPEN);
    expect(await statusesOf(store, { origin: own().replace('http:', 'https:') })).toEqual(OPEN);
    expect(await statusesOf(store, { origin: 'https://store.example' })).toEqual(OPEN);
  });

  it.each([
    'https://evil.example',
    'http://store.example',
    'https://store.example.evil.example',
    'http://127.0.0.1:1',
    'http://localhost',
    'null',
    'file://',
    '',
    'https://store.example, https://evil.example',
  ])('are refused to a page of %s', async (origin) => {
    expect(await statusesOf(store, { origin })).toEqual(REFUSED);
  });

  it('can be opened by pages of the configured origins, and not by pages of an unknown origin', async () => {
    expect(await statusesOf(listed, { origin: 'https://app.example' })).toEqual(OPEN);
    // Firefox sends `Sec-Fetch-Site` with a handshake too.
    const site = { 'sec-fetch-site': 'cross-site' };
    expect(await statusesOf(listed, { ...site, origin: 'https://app.example' })).toEqual(OPEN);
    expect(await statusesOf(listed, { ...site, origin: 'https://other.example' })).toEqual(REFUSED);
    expect(await statusesOf(listed, { origin: 'https://other.example' })).toEqual(REFUSED);
    expect(await statusesOf(anybody, { origin: 'https://other.example' })).toEqual(OPEN);
  });

  it('can be opened by pages of the host that a trusted proxy reports; a report of others is ignored', async () => {
    const shop = { 'x-forwarded-for': PROXIED, 'x-forwarded-host': 'shop.example' };
    expect(await statusesOf(proxied, { ...shop, origin: 'https://shop.example' })).toEqual(OPEN);
    expect(await statusesOf(proxied, { ...shop, origin: 'https://evil.example' })).toEqual(REFUSED);
    expect(await statusesOf(store, { ...shop, origin: 'https://shop.example' })).toEqual(REFUSED);
  });

  it('are refused with a message that names the setting', async () => {
    const answer = await fetch(`${store.url}/graphql/stream?query=x`, {
      headers: { origin: 'https://evil.example', accept: 'text/event-stream' },
    });
    expect(await answer.json()).toMatchObject({
      code: 'FORBIDDEN',
      detail:
        "A page of https://evil.example is not allowed to open this connection. Only the service's own origin and the origins in STORE_CORS_ORIGINS are allowed.",
    });
  });

  it('are refused to requests of a page of another site, even without the header Origin', async () => {
    expect(
      await Promise.all(
        ['cross-site', 'same-site', 'same-origin', 'none'].map((site) => statusFrom(store, site)),
      ),
    ).toEqual([403, 403, 200, 200]);
  });
});
