import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

const INTERVAL_MS = 10 * 60_000;
const STEP = 500;
const PAUSE_MS = 20;

/** Removes expired rows, at most `most` in one act, and returns their number. */
export type PurgeStep = (most: number) => Promise<number>;

/**
 * Removes expired rows from time to time, in steps so small that other acts can write in between. Several instances may
 * remove rows at the same time. The part that creates a purge has to stop it before the application shuts down.
 */
export class Purge {
  private readonly logger = new Logger('Purge');
  private readonly timer = setInterval(() => void this.run(), INTERVAL_MS).unref();
  private running: Promise<void> | null = null;
  private isStopped = false;

  /** @param what the kind of the removed rows, for the log */
  constructor(
    private readonly what: string,
    private readonly step: PurgeStep,
  ) {}

  /** Stops the purge, and resolves when the running step has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Never rejects. After an error, the next run removes the remaining rows. */
  run(): Promise<void> {
    this.running ??= this.removeAll().finally(() => (this.running = null));
    return this.running;
  }

  private async removeAll(): Promise<void> {
    try {
      while (!this.isStopped && (await this.step(STEP)) === STEP) {
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
    } catch (error) {
      this.logger.warn(`Not all ${this.what} could be removed: ${String(error)}`);
    }
  }
}
