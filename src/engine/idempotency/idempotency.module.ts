import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { IdempotencyRecords1763700000011 } from '../database/migrations/1763700000011-idempotency-records.js';
import { ExpiredRecords } from './idempotency-records.purge.js';

/**
 * Requests that can be sent again without being done again. The doors make an `IdempotentAct` of what they were sent, the unit of
 * work puts it around the act (`begun`), and the doors say whether the answer is an earlier one.
 */
@Module({
  imports: [DatabaseModule.forFeature({ migrations: [IdempotencyRecords1763700000011] })],
  providers: [ExpiredRecords],
})
export class IdempotencyModule {}
