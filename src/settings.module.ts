import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from './config.js';
import { Currency } from './currency.js';
import { DataSettings } from './data-settings.js';
import { DatabaseModule } from './database/database.module.js';
import { Settings1763700000002 } from './database/migrations/1763700000002-settings.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { Secret } from './secret.js';

@Global()
@Module({
  imports: [DatabaseModule.forFeature({ migrations: [Settings1763700000002] })],
  providers: [
    DataSettings,
    { provide: Currency, useFactory: (config: Config) => config.currency, inject: [CONFIG] },
    {
      provide: Secret,
      useFactory: (config: Config, unitOfWork: UnitOfWork) => Secret.of(config, unitOfWork),
      inject: [CONFIG, UnitOfWork],
    },
  ],
  exports: [Currency, Secret],
})
export class SettingsModule {}
