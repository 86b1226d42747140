import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

/** A Redis server for one caller only. The caller may kill it. */
export interface PrivateRedis {
  readonly url: string;
  /** Resolves when the server answers. */
  start(): Promise<void>;
  /** Ends the server at once (SIGKILL). */
  kill(): Promise<void>;
  /** From now on, until `resume`, the server accepts connections but does not answer. */
  freeze(): void;
  resume(): void;
}

/** @param signal when it is aborted, the server is killed; a server that is started after that is killed at once */
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
      // When `signal` kills the process, Node reports an error. This error is ignored.
      server.on('error', () => {});
      await answering(url, ended);
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

/** Waits for an answer of the server. Rejects as soon as `ended` rejects. */
async function answering(url: string, ended: Promise<never>): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => {});
  try {
    await Promise.race([client.ping(), ended]);
  } finally {
    // Otherwise, the client would try to connect for ever, and keep this process alive.
    client.disconnect();
  }
}
