import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AuthModule } from './auth/auth.module.js';
import { CONFIG, type Config } from './config.js';
import { ContractModule } from './contract/contract.module.js';
import { DatabaseModule } from './database/database.module.js';
import { ErrorFilter } from './error.filter.js';
import { StoreGraphqlModule } from './graphql/graphql.module.js';
import { EventsModule } from './events/events.module.js';
import { LiveModule } from './graphql/live.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { RateLimitsModule } from './rate-limits/rate-limits.module.js';
import { RedisModule } from './redis/redis.module.js';
import { ProductsModule } from './products/products.module.js';
import { SettingsModule } from './settings.module.js';
import { TransferModule } from './transfer/transfer.module.js';
import { UsersModule } from './users/users.module.js';

/** The index of the application. A new resource is one more line in `FEATURES`. */
const FEATURES = [ProductsModule, UsersModule, OrdersModule];

@Global()
@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ url: config.databaseUrl }),
        ContractModule,
        SettingsModule,
        RedisModule,
        RateLimitsModule,
        AuthModule,
        StoreGraphqlModule,
        EventsModule,
        IdempotencyModule,
        LiveModule,
        HttpModule,
        TransferModule,
        ...FEATURES,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
      exports: [CONFIG],
    };
  }
}
