import { Global, Module } from '@nestjs/common';
import { RedisConnection } from './redis-connection.js';

/** Redis, for data that instances share to be faster. It contains only data that may be lost. */
@Global()
@Module({ providers: [RedisConnection], exports: [RedisConnection] })
export class RedisModule {}
