import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

/** A server of one's own, which may be killed. */
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

/** @param signal ends what runs, and what would be started */
export async function privateRedis(signal?: AbortSignal): Promise<PrivateRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | null = null;
  return {
    url,
    start: async () => {
      const arguments_ = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      server = spawn('redis-server', arguments_, {
        stdio: 'ignore',
        ...(signal && { signal, killSignal: 'SIGKILL' }),
      });
      const ended = once(server, 'exit').then(() => Promise.reject(new Error('redis-server ended')));
      ended.catch(() => {});
      // Also when it is ended by the signal.
      server.on('error', () => {});
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
