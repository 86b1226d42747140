import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { describe } from 'vitest';

const HOW_TO =
  'set TEST_REDIS_URL, for example redis://127.0.0.1:6379, to a server, and have the program redis-server (Debian: apt-get install redis-server)';

/** A server that is there; tests share it. */
export const redisUrl = process.env['TEST_REDIS_URL'];

if (redisUrl === undefined) {
  if (process.env['TEST_REQUIRE_SERVERS'] === '1') throw new Error(`No Redis to test on: ${HOW_TO}`);
  process.stderr.write(`The tests on Redis are skipped: ${HOW_TO}.\n`);
}

/** Without Redis these tests show as skipped. */
export function describeOnRedis(name: string, tests: () => void): void {
  describe.skipIf(redisUrl === undefined)(`${name} on Redis`, () => {
    tests();
  });
}

/** A server for one test, which may be killed. */
export interface PrivateRedis {
  readonly url: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it without a word to anybody. */
  kill(): Promise<void>;
  /** It takes connections and answers nothing, until `resume`. */
  freeze(): void;
  resume(): void;
}

export async function privateRedis(): Promise<PrivateRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | null = null;
  return {
    url,
    start: async () => {
      const arguments_ = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      server = spawn('redis-server', arguments_, { stdio: 'ignore' });
      const ended = once(server, 'exit').then(() => Promise.reject(new Error('redis-server ended')));
      ended.catch(() => {});
      await Promise.race([answering(url), ended]);
    },
    kill: async () => {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    freeze: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
  };
}

async function answering(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => {});
  await client.ping();
  client.disconnect();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
