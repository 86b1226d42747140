import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { drip, type Attack } from './attacks.ts';
import { requireThat } from './options.ts';
import { ended, type Target } from './target.ts';

const SCRAPE = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
/** More connections than the service allows at this port. */
const MANY = 300;
/** The time after which the service has closed the connections of clients that do nothing. */
const PATIENCE_MS = 20_000;

const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

/**
 * Attacks on the port of the metrics (`STORE_METRICS_PORT`), which allows few connections. After each attack, a scrape
 * must succeed.
 */
export const ON_METRICS: Readonly<Record<string, Attack>> = {
  'slow scrapes': async (target) => {
    await times(40, () => drip(target, 'slow scrapes', 'GET /metrics HTTP/1.1\r\nX: ', 'x'));
    return `40 connections with a byte of a header each half second, all cut off; ${await scraped(target)}`;
  },
  'unread metrics': async (target) => {
    const count = 200;
    await times(40, async () => {
      const socket = await target.open();
      socket.pause();
      socket.write(SCRAPE.repeat(count));
      await sleep(PATIENCE_MS);
      const answers = answersOn(socket);
      await ended(socket, 'unread metrics');
      requireThat(
        answers() < count,
        () => 'unread metrics: a client that did not read got all of its answers.',
      );
    });
    return `40 connections that did not read the answers to ${count} requests, all cut off; ${await scraped(target)}`;
  },
  'many scrapers': async (target) => {
    const sockets = await times(MANY, () => target.open());
    await Promise.all(sockets.map((socket) => ended(socket, 'many scrapers')));
    return `${MANY} connections without a byte, all cut off; ${await scraped(target)}`;
  },
  'huge headers of scrapes': async (target) => {
    const huge = `GET /metrics HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`;
    const long = `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    await times(20, async () => {
      await target.refused('huge headers', [431], huge);
      await target.refused('a long path', [431], long);
      await target.refused('no HTTP', [400], Buffer.alloc(100_000, 0xff));
    });
    return `60 requests that are not HTTP, or have a request line or headers of up to a megabyte, all refused; ${await scraped(target)}`;
  },
};

const BEGIN = 'HTTP/1.1 200 ';

/** Counts the answers on a socket without keeping them. */
function answersOn(socket: Socket): () => number {
  let count = 0;
  let rest = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    const text = rest + part;
    count += text.split(BEGIN).length - 1;
    rest = text.slice(1 - BEGIN.length);
  });
  return () => count;
}

/**
 * Scrapes the metrics. Connections of attackers may take all places for a moment, so this function tries several times.
 */
async function scraped(target: Target): Promise<string> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const text = await target.speak('a scrape', SCRAPE.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    if (text.startsWith(BEGIN) && text.includes('store_http_connections'))
      return 'then a scrape was answered';
    requireThat(performance.now() < until, () => `A scrape was answered with ${text.slice(0, 300)}`);
    await sleep(500);
  }
}
