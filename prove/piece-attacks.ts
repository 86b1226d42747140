import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attacks.ts';
import { requireThat } from './options.ts';
import { ended, heardOn, type Target } from './target.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const EVENTS = { Accept: 'text/event-stream' };
/** The number of connections of one attack. They all belong to one caller. */
const MANY = 60;
/** The time within which a stream must send old events. */
const PATIENCE_MS = 20_000;

const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const spaces = (size: number, text: string): string => text + ' '.repeat(size - text.length);
const chunked = (bytes: string): string => bytes.replaceAll(/[^]/g, '1\r\n$&\r\n');

/** Sends each byte in a packet of its own. */
async function trickle(socket: Socket, bytes: string): Promise<void> {
  socket.setNoDelay(true);
  for (const byte of bytes) {
    if (socket.destroyed) return;
    socket.write(byte, 'latin1');
    await new Promise(setImmediate);
  }
}

function requireStatuses(what: string, text: string, statuses: readonly number[]): void {
  const found = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  requireThat(
    found.length === statuses.length && found.every((status, n) => status === statuses[n]),
    () => `${what}: the answers have the statuses ${found.join(', ')} instead of ${statuses.join(', ')}.`,
  );
}

/** Requests that arrive together, or in very small pieces. */
export const IN_PIECES: Readonly<Record<string, Attack>> = {
  'mixed pipelining': async (target) => {
    const product = JSON.stringify({ name: 'Chai', price: 18 });
    const query = JSON.stringify({ query: '{ products(limit: 1) { id } }' });
    const post = (path: string, body: string, more: object = {}) =>
      `${target.head(`POST ${path}`, { ...JSON_TYPE, 'Content-Length': body.length, ...more })}\r\n${body}`;
    const kinds: readonly (readonly [string, number])[] = [
      [post('/api/v1/products', product), 201],
      [`${target.head('GET /api/v1/products?limit=1')}\r\n`, 200],
      [post('/graphql', query), 200],
      [`${target.head('HEAD /api/v1/products')}\r\n`, 200],
      [`${target.head('GET /api/v1/nothing')}\r\n`, 404],
      [post('/api/v1/products', '{"name":'), 400],
      [`${target.head('POST /api/v1/products', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' })}\r\n${chunked(product)}0\r\n\r\n`, 201],
      [`${target.head('GET /docs')}\r\n`, 200],
    ]; // prettier-ignore
    const round = kinds.map(([request]) => request).join('');
    const last = `${target.head('GET /health/live', { Connection: 'close' })}\r\n`;
    const rounds = 12;
    await times(5, async () => {
      const text = await target.speak('mixed pipelining', round.repeat(rounds) + last);
      const statuses = Array.from({ length: rounds }, () => kinds.map(([, status]) => status)).flat();
      requireStatuses('mixed pipelining', text, [...statuses, 200]);
    });
    // A stream does not end, so the requests behind it wait. More than 1,000 waiting requests end the connection.
    const stream = `${target.head('GET /api/v1/events', EVENTS)}\r\n`;
    await times(5, async () => {
      const text = await target.speak('behind a stream', stream, round.repeat(500));
      requireThat(!/HTTP\/1\.1 (?!200 )/.test(text), () => `behind a stream: ${text.slice(0, 300)}`);
    });
    return `5 connections with ${rounds * kinds.length} requests of ${kinds.length} kinds, all answered in order; 5 with 4,000 requests behind a stream, all cut off`;
  },
  'heads in single bytes': async (target) => {
    await times(30, async (n) => {
      const body = JSON.stringify({ name: 'Chai', price: 18 });
      const request =
        n % 2 === 0
          ? `${target.head('GET /api/v1/products?limit=1', { Connection: 'close' })}\r\n`
          : `${target.head('POST /api/v1/products', { ...JSON_TYPE, 'Content-Length': body.length, Connection: 'close' })}\r\n${body}`;
      const socket = await target.open();
      const heard = heardOn(socket);
      await trickle(socket, request);
      await ended(socket, 'heads in single bytes');
      requireStatuses('heads in single bytes', heard(), [n % 2 === 0 ? 200 : 201]);
    });
    await times(10, async () => {
      const socket = await target.open();
      const heard = heardOn(socket);
      await trickle(socket, target.head('GET /health/live', { X: 'x'.repeat(17_000) }));
      await ended(socket, 'a large head in single bytes');
      requireThat(/^(HTTP\/1\.1 431 |$)/.test(heard()), () => `a large head: ${heard().slice(0, 300)}`);
    });
    return '30 requests, one byte in each packet, all answered; 10 with too large a head, all refused';
  },
  'bodies in single bytes': async (target) => {
    const send = (path: string, body: string, statuses: readonly number[], more: object = {}) =>
      target.refused(
        `a body in single bytes to ${path}`,
        statuses,
        `${target.head(`POST ${path}`, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked', Connection: 'close', ...more })}\r\n`,
        chunked(body),
        '0\r\n\r\n',
      );
    const query = JSON.stringify({ query: '{ __typename }' });
    await times(4, async () => {
      // More than 5,000 such chunks are refused.
      await send('/api/v1/products', spaces(4_000, '{"name":"Chai","price":18}'), [201]);
      await send('/api/v1/products', spaces(40_000, '{"name":"Chai","price":18}'), [400]);
      for (const [path, more] of [['/graphql'], ['/graphql/stream', EVENTS]] as const) {
        await send(path, spaces(4_000, query), [200], more);
        await send(path, spaces(50_000, query), [400], more);
      }
    });
    return '24 bodies of up to 50,000 chunks of one byte, all answered or refused';
  },
};

/** A frame of a WebSocket with a text of at most 125 bytes. Its mask is zeros, so the text is unchanged. */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 + text.length]), Buffer.alloc(4), Buffer.from(text)]);
}

const CHANGED = 'subscription { productChanged { id name cursor } }';

/** For each way in which a client can continue a stream: the bytes to send, and a sign of the first old event. */
function replays(target: Target): readonly (readonly [parts: readonly (string | Buffer)[], sign: RegExp])[] {
  const body = JSON.stringify({ query: CHANGED });
  const resume = JSON.stringify({
    type: 'connection_init',
    payload: { resume: { productChanged: '0' } },
  });
  const post = { ...JSON_TYPE, ...EVENTS, 'Last-Event-ID': '0', 'Content-Length': body.length };
  return [
    [[`${target.head('GET /api/v1/events', { ...EVENTS, 'Last-Event-ID': '0' })}\r\n`], /\nid: ?\d/],
    [[`${target.head('POST /graphql/stream', post)}\r\n${body}`], /\nevent: ?next/],
    [
      [
        target.handshake('/graphql'),
        frame(resume),
        frame(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: CHANGED } })),
      ],
      /"type":"next"/,
    ],
  ];
}

/** One caller reads the whole log of events again on many connections. */
export const REPLAYS: Readonly<Record<string, Attack>> = {
  'replays of events': async (target) => {
    const ways = replays(target);
    await times(MANY, async (n) => {
      const [parts, sign] = ways[n % ways.length] as (typeof ways)[number];
      const socket = await target.open();
      const heard = heardOn(socket);
      for (const part of parts) socket.write(part);
      const until = performance.now() + PATIENCE_MS;
      while (!sign.test(heard())) {
        requireThat(
          performance.now() < until && !socket.destroyed,
          () => `replays of events: the stream has no old event, but ${heard().slice(0, 500)}`,
        );
        await sleep(20);
      }
      socket.destroy();
    });
    return `${MANY} connections that read from the beginning of the log, in ${ways.length} ways, all with old events`;
  },
  'replays that nobody reads': async (target) => {
    const ways = replays(target);
    const sockets = await times(MANY, async (n) => {
      const socket = await target.open();
      socket.pause();
      for (const part of ways[n % ways.length]?.[0] ?? []) socket.write(part);
      return socket;
    });
    await sleep(1_500);
    for (const socket of sockets) socket.resetAndDestroy();
    return `${MANY} connections that ask for the log from its beginning, and do not read`;
  },
  'replays that break off': async (target) => {
    const ways = replays(target);
    const connections = 5 * MANY;
    await times(connections, async (n) => {
      const socket = await target.open();
      for (const part of ways[n % ways.length]?.[0] ?? []) socket.write(part);
      await sleep(n % 40);
      socket.resetAndDestroy();
    });
    return `${connections} connections that read from the beginning of the log, reset at once or in the middle`;
  },
};
