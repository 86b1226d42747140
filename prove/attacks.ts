import { setTimeout as sleep } from 'node:timers/promises';
import { requireThat } from './options.ts';
import { ended, heardOn, type Target } from './target.ts';

/**
 * Attacks the service. Returns a text for the report, with the kind and the number of requests. Throws `Broken` if the
 * service gives a wrong answer.
 */
export type Attack = (target: Target) => Promise<string>;

const CREATE = 'POST /api/v1/products';
const MEGABYTE = Buffer.alloc(1_048_576, 'x');
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));
const many = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');

/** Sends `begin`, and then `more` each half second, until the service closes the connection. */
export async function drip(target: Target, what: string, begin: string, more: string): Promise<void> {
  const socket = await target.open();
  const heard = heardOn(socket);
  socket.write(begin);
  const dripping = setInterval(() => socket.write(more), 500);
  await ended(socket, what).finally(() => clearInterval(dripping));
  requireThat(
    /^(HTTP\/1\.1 408 |$)/.test(heard()),
    () => `${what}: the service answered ${heard().slice(0, 300)}`,
  );
}

/** These attacks last until the service ends their connections by a timeout. The other attacks run at the same time. */
export const SLOW: Readonly<Record<string, Attack>> = {
  'slow headers': async (target) => {
    await times(50, () => drip(target, 'slow headers', 'GET /api/v1/products HTTP/1.1\r\nX: ', 'x'));
    return '50 connections with a byte of a header each half second, all cut off';
  },
  'slow bodies': async (target) => {
    const fields = { 'Content-Type': 'application/json', 'Content-Length': 16_000 };
    const body = `${target.head(CREATE, fields)}\r\n{"name":"`;
    await times(50, () => drip(target, 'slow bodies', body, 'x'));
    return '50 connections with a byte of a body each half second, all cut off';
  },
  'blank lines': async (target) => {
    await times(20, () => drip(target, 'blank lines', '\r\n'.repeat(5_000), '\r\n'));
    return '20 connections with nothing but blank lines, all cut off';
  },
  'idle sockets': async (target) => {
    await times(400, async () => ended(await target.open(), 'idle sockets'));
    return '400 connections without a byte, all cut off';
  },
};

export const QUICK: Readonly<Record<string, Attack>> = {
  'large bodies': async (target) => {
    const json = { 'Content-Type': 'application/json' };
    const size = 60;
    const sixty = Array.from({ length: size }, () => MEGABYTE);
    const chunks = sixty.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']);
    for (const path of ['/api/v1/products', '/graphql', '/graphql/stream']) {
      const accept = path.endsWith('stream') ? { Accept: 'text/event-stream' } : {};
      const head = (fields: object) =>
        `${target.head(`POST ${path}`, { ...json, ...accept, ...fields })}\r\n`;
      await target.refused(
        'a large body',
        [413],
        head({ 'Content-Length': size * MEGABYTE.length }),
        ...sixty,
      );
      await target.refused('large chunks', [413], head({ 'Transfer-Encoding': 'chunked' }), ...chunks);
    }
    return '6 bodies of 60 MB, all refused';
  },
  'deep JSON': async (target) => {
    const variables = `{"query":"{ __typename }","variables":{"a":${deep(100_000)}}}`;
    await times(5, async () => {
      await target.refused('deep JSON', [413], target.post('/api/v1/products', deep(100_000)));
      // A text with 8,000 levels fits into the body of one product.
      await target.refused('deep JSON', [400], target.post('/api/v1/products', deep(8_000)));
      await target.refused('deep variables', [400], target.post('/graphql', variables));
      await target.refused('deep variables', [400], target.post('/graphql/stream', variables));
    });
    return '20 bodies of up to 100,000 levels, all refused';
  },
  'huge GraphQL': async (target) => {
    const texts = [
      `{ ...F0 } ${many(30, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F30 on Query { __typename }`,
      `{ ${many(1_000, (n) => `a${n}: __typename`)} }`,
      `{ __typename ${many(10_000, () => '@include(if: true)')} }`,
      `{ ${many(19, () => `products { ${many(90, () => 'id')} }`)} }`,
      `{ user(id: 1) { ${'orders { user { '.repeat(200)} id ${'} }'.repeat(200)} } }`,
      `{ __typename } # ${'x'.repeat(200_000)}`,
    ];
    for (const path of ['/graphql', '/graphql/stream']) {
      await times(30, async (n) => {
        const body = JSON.stringify({ query: texts[n % texts.length] });
        const text = await target.speak('huge GraphQL', target.post(path, body));
        requireThat(text.includes('GRAPHQL_LIMIT_EXCEEDED'), () => `huge GraphQL: ${text.slice(0, 500)}`);
      });
    }
    return '60 operations of six kinds, all refused';
  },
  resets: async (target) => {
    const begun = [
      '',
      'GET /api/v1/prod',
      `${target.head('GET /api/v1/products')}\r\n`,
      `${target.head(CREATE, { 'Content-Length': 100, 'Content-Type': 'application/json' })}\r\n{`,
      `${target.head('GET /api/v1/events', { Accept: 'text/event-stream' })}\r\n`,
      target.post('/graphql', '{"query":"{ products { id } }"}'),
      target.handshake('/graphql'),
      target.handshake('/graphqlfoo'),
      target.handshake('/graphql', { 'Sec-WebSocket-Protocol': 'none' }),
      `${target.handshake('/graphql')}\x81\x05garbage`,
    ];
    await times(400, async (n) => {
      const socket = await target.open();
      socket.write(begun[n % begun.length] as string);
      // Resets the connection at once, or in the middle of the request.
      if (n % 3) await sleep(n % 7);
      socket.resetAndDestroy();
    });
    return '400 connections of ten kinds, reset at once or in the middle';
  },
  pipelining: async (target) => {
    const count = 500;
    const request = `${target.head('GET /health/live')}\r\n`;
    const last = `${target.head('GET /health/live', { Connection: 'close' })}\r\n`;
    await times(5, async () => {
      const text = await target.speak('pipelining', request.repeat(count - 1) + last);
      const answers = text.match(/HTTP\/1\.1 200 /g)?.length ?? 0;
      requireThat(answers === count, () => `pipelining: ${answers} of ${count} requests were answered.`);
    });
    await times(5, async () => {
      const socket = await target.open();
      socket.pause();
      socket.write(`${target.head('GET /openapi.json')}\r\n`.repeat(count));
      await sleep(300);
      socket.resetAndDestroy();
    });
    return `5 connections with ${count} requests at once, all answered; 5 connections that did not read their answers`;
  },
  'odd upgrades': async (target) => {
    const paths = ['/', '/graphqlfoo', '/graphql/', '/graphql?x=1', '/graphql/stream', '/api/v1/products'];
    const protocols = ['websocket', 'h2c', 'TLS/1.0', 'websocket, h2c', ''];
    for (const path of paths) {
      await times(protocols.length, async (n) => {
        const fields = { Upgrade: protocols[n] as string, Connection: 'Upgrade, close' };
        const text = await target.speak('odd upgrades', target.handshake(path, fields), '\r\n\x00garbage');
        requireThat(!text.startsWith('HTTP/1.1 101') && !text.startsWith('HTTP/1.1 5'), () =>
          text.slice(0, 300),
        );
      });
    }
    return `${paths.length * protocols.length} upgrades that the service does not support, all answered by HTTP`;
  },
  'broken frames': async (target) => {
    const frames = [
      Buffer.from([0x81, 0x01, 0x41]),
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      // The length in this header is 2^62 bytes.
      Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
      Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0a, 0, 0, 0, 0, 0, 0]), MEGABYTE]),
    ];
    await times(40, async (n) => {
      const frame = frames[n % frames.length] as Buffer;
      const socket = await target.open();
      socket.write(target.handshake('/graphql'));
      socket.write(frame);
      socket.resume();
      await ended(socket, 'broken frames');
    });
    return '40 WebSockets with invalid frames, all closed';
  },
  garbage: async (target) => {
    const garbage = ['\0'.repeat(5_000), 'GET'.repeat(9_000), '\x16\x03\x01\x02\0\x01'];
    await times(80, (n) => target.refused('garbage', [400, 431], `${garbage[n % garbage.length]}\r\n\r\n`));
    return '80 connections with bytes that are not HTTP, all closed';
  },
};
