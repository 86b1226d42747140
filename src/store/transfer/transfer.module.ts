import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { ExternalIds1763700000005 } from '../../engine/database/migrations/1763700000005-external-ids.js';
import { ExternalId } from './external-id.entity.js';

/**
 * Imports and exports of data: this module stores the links of imported rows (`ExternalId`). The command line and
 * `ImportsModule` do the work; see docs/import.md.
 */
@Module({
  imports: [DatabaseModule.forFeature({ entities: [ExternalId], migrations: [ExternalIds1763700000005] })],
})
export class TransferModule {}
