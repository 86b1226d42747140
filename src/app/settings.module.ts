import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../engine/config/config.js';
import { Currency } from '../engine/values/currency.js';
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
    { provide: Currency, useFactory: (config: Config) => config.currency, inject: [CONFIG] },
    {
      provide: MasterKey,
      useFactory: (config: Config, unitOfWork: UnitOfWork) => MasterKey.of(config, unitOfWork),
      inject: [CONFIG, UnitOfWork],
    },
  ],
  exports: [Currency, MasterKey],
})
export class SettingsModule {}
