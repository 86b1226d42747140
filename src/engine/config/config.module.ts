import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Currency } from '../values/currency.js';
import type { Config } from './config.js';
import {
  AccessConfig,
  DatabaseConfig,
  EventsConfig,
  GraphqlConfig,
  HttpConfig,
  ImportsConfig,
  LimitsConfig,
  RedisConfig,
  SecretsConfig,
  TracingConfig,
} from './slices.js';

/** Gives each part its slice of the configuration. No part can inject the whole configuration. */
@Global()
@Module({})
export class ConfigModule {
  static of(config: Config): DynamicModule {
    const providers = [
      { provide: AccessConfig, useValue: config.access },
      { provide: Currency, useValue: config.currency },
      { provide: DatabaseConfig, useValue: config.database },
      { provide: EventsConfig, useValue: config.events },
      { provide: GraphqlConfig, useValue: config.graphql },
      { provide: HttpConfig, useValue: config.http },
      { provide: ImportsConfig, useValue: config.imports },
      { provide: LimitsConfig, useValue: config.limits },
      { provide: RedisConfig, useValue: config.redis },
      { provide: SecretsConfig, useValue: config.secrets },
      { provide: TracingConfig, useValue: config.tracing },
    ];
    return { module: ConfigModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
