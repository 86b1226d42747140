import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

const INTERVAL_MS = 10 * 60_000;
const STEP = 500;
const PAUSE_MS = 20;

/** Removes what is over, at most so many rows in an act of its own, and says how many these were. */
export type PurgeStep = (most: number) => Promise<number>;

/**
 * Removes now and then what nobody needs any more, in steps so small that others write in between. Several instances
 * may do so at a time. Whoever makes one stops it before the application shuts down.
 */
export class Purge {
  private readonly logger = new Logger('Purge');
  private readonly timer = setInterval(() => void this.run(), INTERVAL_MS).unref();
  private running: Promise<void> | null = null;
  private isStopped = false;

  /** @param what is removed, as the log names it */
  constructor(
    private readonly what: string,
    private readonly step: PurgeStep,
  ) {}

  /** Resolves when what is being removed is removed. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Never rejects: what is left is removed the next time. */
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
