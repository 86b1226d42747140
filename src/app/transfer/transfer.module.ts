import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { ExternalIds1763700000005 } from '../../engine/database/migrations/1763700000005-external-ids.js';
import { ExternalId } from './external-id.entity.js';

/** Data in and out: what imports remember. The work is done by the command line; see docs/import.md. */
@Module({
  imports: [DatabaseModule.forFeature({ entities: [ExternalId], migrations: [ExternalIds1763700000005] })],
})
export class TransferModule {}
