import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Unavailable } from '../../../src/engine/errors/errors.js';
import { LoopGuard } from '../../../src/engine/http/loop-guard.js';
import { HeldBytes } from '../../../src/engine/rate-limits/held-bytes.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { open, openAs, type Raw } from '../../support/clients/live.js';
import { sampled } from '../../support/sampled.js';

const FLOODED = {
  code: 1008,
  reason: 'Too many messages: a socket may send 500 at once and 50 a second; operations do not count',
};
const FLOODED_TOGETHER = {
  code: 1008,
  reason:
    'Too many messages: all sockets of a caller or address may send 5000 at once and 250 a second; operations do not count',
};
const PING = '{"type":"ping"}';

describe('messages of a WebSocket', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  const FLOODS: Record<string, (raw: Raw) => void> = {
    pings: ({ say }) => say(PING),
    pongs: ({ say }) => say('{"type":"pong"}'),
    'messages of the type `complete` for unknown operations': ({ say }) => say({ type: 'complete', id: 'x' }),
    'ping frames': ({ socket }) => socket.ping(),
    'pong frames without a ping': ({ socket }) => socket.pong(),
    // Fifty operations run. The service refuses all other operations, and counts their messages.
    'too many concurrent operations': ({ say }) =>
      say({
        type: 'subscribe',
        id: `${Math.random()}`,
        payload: { query: 'subscription { newOrder { id } }' },
      }),
  };
  // The service waits three seconds for each of these clients to answer the close frame. So the tests run at the same
  // time.
  it.concurrent.each(sampled(Object.entries(FLOODS), 2))('are bounded: %s', async (_what, flood) => {
    const raw = await openAs(store);
    for (let n = 0; n < 5_000; n++) flood(raw);
    expect(await raw.closed).toEqual(FLOODED);
  });

  it('are bounded before connection_init', async () => {
    const raw = await open(store);
    // The number is so small that a slow machine reads these messages before the time limit of connection_init.
    for (let n = 0; n < 1_200; n++) raw.say(PING);
    expect(await raw.closed).toEqual(FLOODED);
  });

  it('are bounded for all sockets of a caller together, and the reason says so', async () => {
    const limited = await startApp('sqlite');
    try {
      // Each socket stays below its own bound. The bound of the caller refuses the last sockets.
      const sockets = await Promise.all(Array.from({ length: 30 }, () => openAs(limited)));
      for (const { say } of sockets) for (let n = 0; n < 450; n++) say(PING);
      expect(await Promise.race(sockets.map(({ closed }) => closed))).toEqual(FLOODED_TOGETHER);
      for (const { socket } of sockets) socket.terminate();
    } finally {
      await limited.close();
    }
  });

  it('are bounded for a caller who opens one socket after the other', async () => {
    const limited = await startApp('sqlite');
    const flood = async (): Promise<unknown> => {
      const raw = await openAs(limited);
      for (let n = 0; n < 490; n++) raw.say(PING);
      const answered = async (): Promise<void> => {
        for (let n = 0; n < 490; n++) await raw.hear();
      };
      const closing = await Promise.race([answered(), raw.closed]);
      raw.socket.terminate();
      return closing;
    };
    // Each socket stays below its own bound, and is closed before the next one is opened.
    let closing: unknown;
    for (let socket = 0; socket < 40 && closing === undefined; socket += 1) closing = await flood();
    await limited.close();
    expect(closing).toEqual(FLOODED_TOGETHER);
  });

  it('do not block other clients, even if a client sends 400 messages at once', async () => {
    const raw = await openAs(store);
    const other = await openAs(store);
    // All messages have arrived before the service reads the first message.
    for (let n = 0; n < 400; n++) raw.say(PING);
    other.say(PING);
    await other.hear();
    const { unheard } = raw;
    for (let n = 0; n < 400; n++) await raw.hear();
    expect(unheard).toBeLessThan(200);
    raw.socket.terminate();
    other.socket.terminate();
  });

  it('are not counted if they are operations, which have other limits', async () => {
    const raw = await openAs(store);
    for (let n = 0; n < 700; n++) {
      raw.say({ type: 'subscribe', id: `${n}`, payload: { query: '{ __typename }' } });
      expect((await raw.hear()).type).toBe('next');
      expect((await raw.hear()).type).toBe('complete');
    }
    raw.socket.terminate();
  });

  it('are counted if they are operations that the service refuses, also when it is overloaded', async () => {
    const limited = await startApp('sqlite', { STORE_RATE_LIMIT: 'anonymous=10/min' });
    const guard = limited.app.get(LoopGuard, { strict: false });
    vi.spyOn(guard, 'requireRoom').mockImplementation(() => {
      throw new Unavailable('The service is overloaded.');
    });
    try {
      const raw = await openAs(limited, null);
      for (let n = 0; n < 2_000; n++)
        raw.say({ type: 'subscribe', id: `${n}`, payload: { query: '{ __typename }' } });
      expect(await raw.closed).toEqual(FLOODED);
    } finally {
      await limited.close();
    }
  });

  it('must be short until connection_init has succeeded', async () => {
    const raw = await open(store);
    const payload = { 'x-api-key': 'x'.repeat(20_000) };
    raw.say({ type: 'connection_init', payload });
    const { code, reason } = await raw.closed;
    expect(code).toBe(1009);
    expect(reason).toMatch(/^The message has 20\d{3} bytes; connection_init may have at most 16384$/);
  });

  it.concurrent('must not come in a thousand parts', async () => {
    const raw = await openAs(store);
    for (let n = 0; n < 1_000; n++) raw.socket.send('{', { fin: false });
    expect((await raw.closed).code).toBe(1008);
  });

  it('that are incomplete count as held bytes until the socket closes; complete messages do not count', async () => {
    const held = store.app.get(HeldBytes, { strict: false });
    const raw = await openAs(store);
    raw.socket.send('x'.repeat(100_000), { fin: false });
    await expect.poll(() => held.total).toBeGreaterThan(100_000);
    raw.socket.send('x'.repeat(50_000), { fin: false });
    await expect.poll(() => held.total).toBeGreaterThan(150_000);
    raw.socket.terminate();
    await expect.poll(() => [held.total, held.holders]).toEqual([0, 0]);
    const whole = await openAs(store);
    for (let n = 0; n < 40; n++) whole.say({ type: 'ping', payload: { a: 'x'.repeat(100 * n) } });
    for (let n = 0; n < 40; n++) await whole.hear();
    expect(held.total).toBe(0);
    whole.socket.terminate();
  });

  it('are never compressed, so that a small message cannot become large', async () => {
    const raw = await open(store, { perMessageDeflate: true });
    expect(raw.socket.extensions).toBe('');
    raw.socket.terminate();
  });
});
