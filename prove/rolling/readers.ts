import { Worker } from 'node:worker_threads';
import { Broken } from '../options.ts';

export interface Taken {
  /** The time of each read in milliseconds, with its repetitions at other instances. */
  readonly times: readonly number[];
  /** The errors of reads that an instance accepted and did not answer. */
  readonly lost: readonly string[];
}

export interface Target {
  readonly urls: readonly string[];
  readonly key: string;
}

/**
 * Clients that read all the time, each time on a new connection. If an instance does not answer, they ask another
 * one. They run in a thread of their own, because the times of reads must not include the work of the subscribers.
 */
export class Readers {
  readonly #worker: Worker;

  constructor(target: Target) {
    this.#worker = new Worker(new URL('readers-thread.ts', import.meta.url), {
      workerData: target,
      execArgv: [],
    });
  }

  /** Returns the reads since the last call. @throws Broken for an answer that is not allowed */
  async take(): Promise<Taken> {
    const { promise, resolve, reject } = Promise.withResolvers<Told>();
    this.#worker.once('message', resolve).once('error', reject);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage('take');
    const { failure, ...taken } = await promise;
    this.#worker.off('error', reject);
    if (failure !== null) throw new Broken(failure);
    return taken;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

export interface Told extends Taken {
  readonly failure: string | null;
}

/** The smallest value `v` such that at least this share of the values is at most `v`; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
