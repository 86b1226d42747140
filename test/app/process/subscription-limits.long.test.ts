import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import { ADMIN_KEY } from '../../support/clients/app.js';
import { freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { needing } from '../../support/needs.js';
import { serve, type Service } from '../../../testkit/process.js';

const SOCKETS = 16;
const EACH = 50;
const LARGE = (n: number) => `subscription { a${n}: productChanged { ${'id name '.repeat(490)} } }`;
const SMALL = () => 'subscription { productChanged { id name } }';

const databases: FreshDatabase[] = [];
let service: Service;
beforeEach(async () => {
  const database = await freshDatabase('sqlite');
  databases.push(database);
  // The limits of addresses are off, so that the limit of the process applies.
  service = await serve({
    NODE_OPTIONS: '--max-old-space-size=512',
    STORE_DATABASE_URL: database.url,
    STORE_ADMIN_KEY: ADMIN_KEY,
    STORE_RATE_LIMIT: 'off',
    STORE_ACCESS_LOG: 'errors',
  });
});
afterEach(() => service.stop('SIGINT'));
afterAll(() => Promise.all(databases.map((database) => database.drop())));

interface Subscriber {
  readonly socket: WebSocket;
  /** The number of `next` messages. */
  heard: number;
  /** The close code with the reason; null while the connection is open. */
  reason: string | null;
}

async function subscriber(queries: readonly string[]): Promise<Subscriber> {
  const socket = new WebSocket(service.url.replace('http', 'ws') + '/graphql', 'graphql-transport-ws');
  const one: Subscriber = { socket, heard: 0, reason: null };
  await new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.once('close', (code, reason) => {
      one.reason = `${code} ${reason.toString()}`;
      resolve();
    });
    socket.once('open', () => socket.send('{"type":"connection_init"}'));
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      if (type === 'next') one.heard += 1;
      if (type !== 'connection_ack') return;
      for (const [id, query] of queries.entries()) {
        socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload: { query } }));
      }
      // The answer to the ping arrives after the service has read all subscriptions.
      socket.send('{"type":"ping"}');
      socket.once('message', () => resolve());
    });
  });
  return one;
}

const createProduct = () =>
  fetch(`${service.url}/api/v1/products`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    body: '{"name": "Chai", "price": 18}',
  });

function cpuSeconds(): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${service.process.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

describe('a process with a heap of 512 MB', () => {
  it('survives eight hundred large anonymous subscriptions, because it refuses those above the limit', async () => {
    const all: Subscriber[] = [];
    for (let n = 0; n < SOCKETS; n++) {
      all.push(await subscriber(Array.from({ length: EACH }, (_, id) => LARGE(n * EACH + id))));
    }
    await expect.poll(() => all.filter(({ reason }) => reason !== null).length).toBeGreaterThan(5);
    for (const { reason } of all) {
      expect([
        null,
        '1013 The limit of the process is 10000 subscriptions without a credential: connect again and continue after your last cursor',
      ]).toContain(reason);
    }
    expect((await createProduct()).status).toBe(201);
    expect(service.process.exitCode).toBe(null);
    for (const { socket } of all) socket.terminate();
    // The places of the closed connections are free for others.
    const honest = await subscriber([SMALL()]);
    expect((await createProduct()).status).toBe(201);
    await expect.poll(() => honest.heard).toBe(1);
    honest.socket.terminate();
  }, 240_000);

  it('has room for ten thousand small subscriptions, which all receive an event', async () => {
    const all: Subscriber[] = [];
    for (let n = 0; n < 200; n++) all.push(await subscriber(Array.from({ length: 50 }, SMALL)));
    expect(all.filter(({ reason }) => reason !== null)).toEqual([]);
    expect((await createProduct()).status).toBe(201);
    await expect.poll(() => all.reduce((sum, { heard }) => sum + heard, 0), { timeout: 30_000 }).toBe(10_000);
    for (const { socket } of all) socket.terminate();
  }, 120_000);

  it(
    'uses little time for a hundred thousand pings',
    { ...needing('Linux', process.platform === 'linux', 'run the tests there'), timeout: 60_000 },
    async () => {
      const one = await subscriber([]);
      const before = cpuSeconds();
      for (let n = 0; n < 100_000; n++) one.socket.send('{"type":"ping"}');
      expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
      await expect.poll(() => one.reason, { timeout: 15_000 }).toMatch(/^(1008 Too many messages|1006)/);
      expect(cpuSeconds() - before).toBeLessThan(0.6);
    },
  );
});
