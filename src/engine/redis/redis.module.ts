import { Global, Module } from '@nestjs/common';
import { RedisConnection } from './redis-connection.js';

/** The connection to Redis. Instances share data in Redis to be faster. Redis has only data that may be lost. */
@Global()
@Module({ providers: [RedisConnection], exports: [RedisConnection] })
export class RedisModule {}
