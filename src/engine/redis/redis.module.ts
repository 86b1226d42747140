import { Global, Module } from '@nestjs/common';
import { RedisConnection } from './redis-connection.js';

/**
 * The connection to Redis. With Redis, the instances count requests together, and tell each other at once that there
 * are new events. Redis has only data that may be lost.
 */
@Global()
@Module({ providers: [RedisConnection], exports: [RedisConnection] })
export class RedisModule {}
