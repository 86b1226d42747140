import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ArtifactsRepository } from './artifacts.repository.js';

const INTERVAL_MS = 10 * 60_000;

/** Removes now and then what has expired. Several instances may do so at a time. */
@Injectable()
export class Purge implements BeforeApplicationShutdown {
  private readonly logger = new Logger('OAuth');
  private readonly timer = setInterval(() => void this.run(), INTERVAL_MS).unref();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly artifacts: ArtifactsRepository) {}

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Never rejects: what is left is removed the next time. */
  run(): Promise<void> {
    this.running = this.artifacts
      .purge(new Date())
      .catch((error: unknown) => this.logger.warn(`What has expired could not be removed: ${String(error)}`));
    return this.running;
  }
}
