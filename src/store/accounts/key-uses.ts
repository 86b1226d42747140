import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { run, sql } from '../../engine/database/sql.js';
import { UnitOfWork } from '../../engine/database/unit-of-work.js';
import type { ApiKey } from './api-key.entity.js';

const INTERVAL_MS = 60_000;

/**
 * Remembers the time of the last use of each key, and writes all these times together about once a minute. So a request
 * itself writes nothing. A use is left out if it comes less than a minute after the stored time.
 */
@Injectable()
export class KeyUses implements BeforeApplicationShutdown {
  private readonly logger = new Logger('KeyUses');
  private readonly timer = setInterval(() => void this.write(), INTERVAL_MS).unref();
  private uses = new Map<number, Date>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  remember({ id, lastUsedAt }: ApiKey, now: Date): void {
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= INTERVAL_MS) this.uses.set(id, now);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  /**
   * Never rejects. If the uses cannot be written, they are lost, and a warning is logged. The next use of each key
   * would replace them anyway.
   */
  async write(): Promise<void> {
    // Every instance writes in the order of ids, so that two instances cannot end in a deadlock.
    const uses = [...this.uses].toSorted(([left], [right]) => left - right);
    this.uses = new Map();
    if (uses.length === 0) return;
    try {
      await this.unitOfWork.run(function* () {
        for (const [id, usedAt] of uses) {
          yield* run(sql`
            UPDATE api_keys SET last_used_at = ${usedAt}, version = version + 1
            WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${usedAt})`);
        }
      });
    } catch (error) {
      this.logger.warn(`The last uses of API keys could not be written: ${String(error)}`);
    }
  }
}
