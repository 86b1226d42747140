import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ownOrigin } from '../database/transaction.js';
import { Purge } from '../database/purge.js';
import { all, sql } from '../database/sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';

const origin = ownOrigin('idempotency');

/** Removes expired records. */
@Injectable()
export class ExpiredRecords implements BeforeApplicationShutdown {
  readonly purge: Purge;

  constructor(unitOfWork: UnitOfWork) {
    this.purge = new Purge('expired idempotency records', async (most) => {
      const removed = await unitOfWork.run(
        () =>
          all(sql`
            DELETE FROM idempotency_records WHERE id IN (
              SELECT id FROM idempotency_records WHERE expires_at <= ${new Date()} ORDER BY expires_at LIMIT ${most})
            RETURNING id`),
        { origin },
      );
      return removed.length;
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.purge.stop();
  }
}
