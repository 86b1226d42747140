import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Contracts } from './mutants.ts';
import type { Notice, Quick } from './quick-stages.ts';

/** The quick stages in a thread of their own, so that several workers can compute at the same time. */
export class QuickThread {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;

  /**
   * @param contracts the contracts without a change
   * @param until the last stage to run
   */
  constructor(contracts: Contracts, until: Quick, signal: AbortSignal) {
    this.#signal = signal;
    this.#worker = new Worker(new URL('./quick-thread.ts', import.meta.url), {
      workerData: { contracts, until },
      // The compiler keeps all types of two programs in memory: the project without a change, and with a change.
      resourceLimits: { maxOldGenerationSizeMb: 6000 },
    });
  }

  /** Returns the stage that notices the change; null if none does. Only one change may be tried at a time. */
  async notice(contracts: Contracts): Promise<Notice | null> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(contracts);
    const [notice] = (await once(this.#worker, 'message', { signal: this.#signal })) as [Notice | null];
    return notice;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
