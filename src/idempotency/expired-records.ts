import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ownOrigin } from '../database/origin.js';
import { all, sql } from '../database/sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';

const INTERVAL_MS = 10 * 60_000;
/** Few enough for others to write in between. */
const STEP = 500;
const origin = ownOrigin('idempotency');

/** Removes records that answer nobody any more, every ten minutes. */
@Injectable()
export class ExpiredRecords implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ExpiredRecords');
  private readonly timer = setInterval(() => void this.removeQuietly(), INTERVAL_MS).unref();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async remove(): Promise<void> {
    const act = () =>
      all(sql`
        DELETE FROM idempotency_records WHERE id IN (
          SELECT id FROM idempotency_records WHERE expires_at <= ${new Date()} ORDER BY expires_at LIMIT ${STEP})
        RETURNING id`);
    while ((await this.unitOfWork.run(act, { origin })).length === STEP);
  }

  private async removeQuietly(): Promise<void> {
    try {
      await this.remove();
    } catch (error) {
      this.logger.warn(`Expired idempotency records could not be removed: ${String(error)}`);
    }
  }
}
