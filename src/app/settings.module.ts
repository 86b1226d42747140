import { Global, Module } from '@nestjs/common';
import { DatabaseConfig, SecretsConfig } from '../engine/config/slices.js';
import { DataSettings } from '../store/settings/data-settings.js';
import { DatabaseModule } from '../engine/database/database.module.js';
import { Settings1763700000002 } from '../engine/database/migrations/1763700000002-settings.js';
import { UnitOfWork } from '../engine/database/unit-of-work.js';
import { MasterKey } from '../engine/secrets/master-key.js';

@Global()
@Module({
  imports: [DatabaseModule.forFeature({ migrations: [Settings1763700000002] })],
  providers: [
    DataSettings,
    {
      provide: MasterKey,
      useFactory: (secrets: SecretsConfig, database: DatabaseConfig, unitOfWork: UnitOfWork) =>
        MasterKey.of(secrets, database, unitOfWork),
      inject: [SecretsConfig, DatabaseConfig, UnitOfWork],
    },
  ],
  exports: [MasterKey],
})
export class SettingsModule {}
