import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { IdempotencyRecords1763700000011 } from '../database/migrations/1763700000011-idempotency-records.js';
import { ExpiredRecords } from './idempotency-records.purge.js';

/**
 * Requests that can be repeated without being executed again. The doors make an `IdempotentAct` from the request. The
 * unit of work puts it around the act (`begun`). The doors tell the client whether the answer repeats an earlier
 * answer.
 */
@Module({
  imports: [DatabaseModule.forFeature({ migrations: [IdempotencyRecords1763700000011] })],
  providers: [ExpiredRecords],
})
export class IdempotencyModule {}
