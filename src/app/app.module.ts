import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccessModule } from './access.module.js';
import type { Config } from '../engine/config/config.js';
import { ConfigModule } from '../engine/config/config.module.js';
import { ContractModule } from './contract.module.js';
import { DatabaseModule } from '../engine/database/database.module.js';
import { ErrorFilter } from '../engine/http/error.filter.js';
import { StoreGraphqlModule } from '../engine/graphql/graphql.module.js';
import { EventsModule } from '../store/event-log/events.module.js';
import { LiveModule } from '../engine/graphql/live.module.js';
import { HttpModule } from '../engine/http/http.module.js';
import { IdempotencyModule } from '../engine/idempotency/idempotency.module.js';
import {
  ConnectionInstruments,
  DatabaseInstruments,
  EventInstruments,
  LimitInstruments,
  UseInstruments,
} from './instruments.js';
import { ImportsModule } from '../store/imports/imports.module.js';
import { MetricsModule } from '../engine/metrics/metrics.module.js';
import { OrdersModule } from '../store/orders/orders.module.js';
import { RateLimitsModule } from '../engine/rate-limits/rate-limits.module.js';
import { RedisModule } from '../engine/redis/redis.module.js';
import { ProductsModule } from '../store/products/products.module.js';
import { SettingsModule } from './settings.module.js';
import { TracingModule } from '../engine/tracing/tracing.module.js';
import { TransferModule } from '../store/transfer/transfer.module.js';
import { UsersModule } from '../store/users/users.module.js';

/** The features of products, users and orders. The module of a new resource is added to this list. */
const FEATURES = [ProductsModule, UsersModule, OrdersModule];

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        MetricsModule,
        TracingModule,
        DatabaseModule.forRoot(config.database),
        ContractModule,
        SettingsModule,
        RedisModule,
        RateLimitsModule,
        AccessModule,
        StoreGraphqlModule,
        EventsModule,
        IdempotencyModule,
        LiveModule,
        HttpModule,
        TransferModule,
        ImportsModule,
        ...FEATURES,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        DatabaseInstruments,
        EventInstruments,
        ConnectionInstruments,
        UseInstruments,
        LimitInstruments,
      ],
    };
  }
}
