import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { IdempotencyRecords1763700000011 } from '../database/migrations/1763700000011-idempotency-records.js';
import { ExpiredRecords } from './idempotency-records.purge.js';

/**
 * Requests that can be repeated without being executed again. The context of the request contains an `IdempotentAct`
 * (`Context.origin`). The unit of work puts the `IdempotentAct` around the act (`begun`). A header of the answer tells
 * the client whether the answer repeats an earlier answer.
 */
@Module({
  imports: [DatabaseModule.forFeature({ migrations: [IdempotencyRecords1763700000011] })],
  providers: [ExpiredRecords],
})
export class IdempotencyModule {}
