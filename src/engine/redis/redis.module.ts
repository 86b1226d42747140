import { Global, Module } from '@nestjs/common';
import { RedisConnection } from './redis-connection.js';

/** Redis, for what instances share to be faster. Nothing is kept there that may not be lost. */
@Global()
@Module({ providers: [RedisConnection], exports: [RedisConnection] })
export class RedisModule {}
