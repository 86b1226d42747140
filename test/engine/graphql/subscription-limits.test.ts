import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventStreams } from '../../../src/engine/http/event-streams.js';
import { HeldBytes } from '../../../src/engine/rate-limits/held-bytes.js';
import { RateLimits } from '../../../src/engine/rate-limits/rate-limits.js';
import { Places } from '../../../src/engine/rate-limits/places.js';
import { ADMIN_KEY, NO_LIMIT, startApp, type TestApp } from '../../support/clients/app.js';
import { create } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { liveUrl, open, openAs, type Raw } from '../../support/clients/live.js';
import { WebSocket } from 'ws';

const SMALL = 'subscription { productChanged { id } }';
/** An operation that has almost a thousand characters when it is printed. */
const LARGE = `subscription { productChanged { ${'id name '.repeat(60)} } }`;

const HANDSHAKE =
  'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
  `Sec-WebSocket-Protocol: graphql-transport-ws\r\nX-API-Key: ${ADMIN_KEY}\r\n\r\n`;

const aliases = (count: number) =>
  `subscription { productChanged { ${Array.from({ length: count }, (_, n) => `s${n}: stock`).join(' ')} } }`;

const subscribe = (raw: Raw, id: string, query = SMALL) =>
  raw.say({ id, type: 'subscribe', payload: { query } });

/** The answer to a refused handshake. */
async function refusalOf(store: TestApp, headers: Record<string, string> = {}) {
  const socket = new WebSocket(liveUrl(store), 'graphql-transport-ws', { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    AsyncIterable<Buffer> & { headers: Record<string, string> },
  ];
  let text = '';
  for await (const part of response) text += part.toString();
  return { headers: response.headers, body: JSON.parse(text) as Record<string, unknown> };
}

describe('the counter of open connections and subscriptions', () => {
  let store: TestApp;
  const opened: Raw[] = [];
  const places = () => store.app.get(Places, { strict: false });
  const units = () => [places().unitsOf('WebSockets'), places().unitsOf('subscriptions')];
  const openOne = async (key: string | null = null) => {
    const raw = await openAs(store, key);
    opened.push(raw);
    return raw;
  };
  beforeAll(async () => {
    store = await startApp('sqlite', {
      STORE_RATE_LIMIT: NO_LIMIT,
      STORE_SUBSCRIPTION_LIMITS: 'anonymous=4,caller=6,process=16',
    });
  });
  afterEach(async () => {
    for (const { socket } of opened.splice(0)) socket.terminate();
    // After each test, all connections and subscriptions must be released.
    await vi.waitFor(() => {
      const left = [
        ...units(),
        places().countSubjects('WebSockets'),
        places().countSubjects('subscriptions'),
      ];
      left.push(store.app.get(HeldBytes, { strict: false }).total);
      left.push(store.app.get(EventStreams, { strict: false }).count);
      if (left.some((count) => count !== 0))
        throw new Error(
          `Something is still held (units of WebSockets and of subscriptions, their subjects, held bytes, event streams): ${left.join(', ')}.`,
        );
    });
  });
  afterAll(() => store.close());

  it('limits the WebSockets of an address: one more WebSocket gets an error, and is accepted after another has closed', async () => {
    for (let n = 0; n < 4; n++) await openOne();
    const { headers, body } = await refusalOf(store);
    expect(body).toMatchObject({ status: 429, code: 'RATE_LIMITED', instance: '/graphql' });
    expect(body['detail']).toBe(
      'The limit "anonymous" of WebSockets is 4 at a time, and 4 are open. Close one first.',
    );
    expect(headers['retry-after']).toBe('10');
    opened.shift()?.socket.close();
    await expect.poll(() => units()[0]).toBe(3);
    await openOne();
  });

  it('limits the WebSockets of a caller, which do not count for the address', async () => {
    const key = await createKey(store, []);
    for (let n = 0; n < 6; n++) await openOne(key);
    const raw = await open(store);
    opened.push(raw);
    raw.say({ type: 'connection_init', payload: { 'x-api-key': key } });
    expect(await raw.closed).toEqual({
      code: 1013,
      reason: 'The limit "caller" of WebSockets is 6 at a time, and 6 are open. Close one first.',
    });
    for (let n = 0; n < 4; n++) await openOne();
  });

  it('gives anonymous clients at most half of all places, so that callers with a credential can connect', async () => {
    const many = await startApp('sqlite', {
      STORE_RATE_LIMIT: 'off',
      STORE_SUBSCRIPTION_LIMITS: 'process=4',
    });
    try {
      const sockets = [await openAs(many, null), await openAs(many, null)];
      const { headers, body } = await refusalOf(many);
      expect(body).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      expect(body['detail']).toContain('The limit of the process is 2 WebSockets without a credential');
      expect(headers['retry-after']).toBe('1');
      sockets[0]?.socket.close();
      await sockets[0]?.closed;
      const raw = await openAs(many);
      for (const id of ['1', '2', '3', '4', '5']) subscribe(raw, id);
      // Standard clients reconnect after this code.
      expect(await raw.closed).toEqual({
        code: 1013,
        reason:
          'The limit of the process is 4 subscriptions: connect again and continue after your last cursor',
      });
    } finally {
      await many.close();
    }
  });

  it('limits subscriptions: one more subscription gets an error, and the others continue', async () => {
    const raw = await openOne();
    for (const id of ['1', '2', '3', '4', '5']) subscribe(raw, id);
    const refused = await raw.hear();
    expect(refused).toMatchObject({ id: '5', type: 'error' });
    expect(refused.payload[0]).toMatchObject({
      message:
        'The limit "anonymous" of subscriptions is 4 at a time, and 4 are open. End some of them first, or ask for less.',
      extensions: { code: 'RATE_LIMITED', status: 429, request_id: expect.any(String) },
    });
    raw.say({ id: '1', type: 'complete' });
    await expect.poll(() => units()[1]).toBe(3);
    subscribe(raw, '6');
    await expect.poll(() => units()[1]).toBe(4);
    await create(store);
    const heard = [await raw.hear(), await raw.hear(), await raw.hear(), await raw.hear()];
    expect(heard.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 6]);
  });

  it('counts the length and the cost of a selection once for all subscriptions of a caller', async () => {
    const raw = await openOne();
    subscribe(raw, '1', LARGE);
    const refused = await raw.hear();
    expect(refused.payload[0].message).toMatch(
      /This one counts as (9|1\d)\. End some of them first, or ask for less\./,
    );
    const known = await openOne(await createKey(store, []));
    // An event costs 5: two for each `stock`, and one for the product. This cost counts as one unit. The text is too
    // short to count.
    subscribe(known, '1', aliases(2));
    await expect.poll(() => units()[1]).toBe(2);
    subscribe(known, '2', aliases(2));
    subscribe(known, '3', `# written otherwise\n${aliases(2)}`);
    await expect.poll(() => units()[1]).toBe(4);
  });

  it('is zero again after a subscription that could not start', async () => {
    const raw = await openOne();
    for (const [id, query] of [
      'subscription { newOrder { id } }',
      'subscription { productChanged(after: "999999") { id } }',
      'subscription { productChanged(after: "-1") { id } }',
    ].entries()) {
      subscribe(raw, `${id}`, query);
      expect(await raw.hear()).toMatchObject({ type: 'error' });
      expect(units()).toEqual([1, 0]);
    }
  });

  const stream = (path: string, headers: Record<string, string>, control: AbortController, body?: object) =>
    fetch(store.url + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
      signal: control.signal,
    });

  it('limits the event streams of /graphql/stream and of /api/v1/events as subscriptions', async () => {
    const control = new AbortController();
    const key = await createKey(store, ['events:read']);
    for (let n = 0; n < 4; n++) {
      expect((await stream('/graphql/stream', {}, control, { query: SMALL })).status).toBe(200);
    }
    const refused = await stream('/graphql/stream', {}, control, { query: SMALL });
    const text = await refused.text();
    expect(text).toContain('"code":"RATE_LIMITED"');
    expect(text).toContain('event: complete');
    for (let n = 0; n < 6; n++) {
      expect((await stream('/api/v1/events', { 'x-api-key': key }, control)).status).toBe(200);
    }
    expect(units()[1]).toBe(10);
    const one = await store.call('GET', '/api/v1/events', { key, headers: { accept: 'text/event-stream' } });
    expect(one.status).toBe(429);
    expect(one.headers.get('retry-after')).toBe('10');
    expect(one.body.detail).toContain('The limit "caller" of subscriptions is 6 at a time');
    control.abort();
  });

  it('does not count a connection that the client has reset during the handshake or just after it', async () => {
    for (let n = 0; n < 10; n++) {
      const socket = connectSocket(store.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(HANDSHAKE);
      if (n % 2 === 0) await once(socket, 'data');
      socket.resetAndDestroy();
    }
    await expect.poll(() => units()[0]).toBe(0);
  });

  it('does not count a connection that the client has reset while Redis was asked for its limit', async () => {
    const asked = Promise.withResolvers<null>();
    const take = vi
      .spyOn(store.app.get(RateLimits, { strict: false }), 'take')
      .mockReturnValue(asked.promise);
    const left = Promise.withResolvers<void>();
    store.app
      .getHttpServer()
      .once('upgrade', (_request: unknown, duplex: Duplex) => duplex.once('close', left.resolve));
    const socket = connectSocket(store.port, '127.0.0.1');
    socket.write(HANDSHAKE);
    await expect.poll(() => take.mock.calls.length).toBe(1);
    socket.resetAndDestroy();
    await left.promise;
    asked.resolve(null);
    take.mockRestore();
    // The service continues with the handshake in a later turn of the event loop.
    await nextTurn();
    expect(units()[0]).toBe(0);
  });
});
