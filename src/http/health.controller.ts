import { Controller, Injectable } from '@nestjs/common';
import { Operation, type Operations } from '../contract/operation.js';
import { Database } from '../database/database.js';
import { Unavailable } from '../errors.js';
import { RedisConnection } from '../redis/redis-connection.js';

declare module '../contract/complete.js' {
  interface Controllers {
    health: HealthController;
  }
}

/** Whether the service is about to stop; then it is not ready, so that nobody sends it more work. */
@Injectable()
export class Shutdown {
  hasBegun = false;
}

@Controller()
export class HealthController implements Pick<Operations, 'getLiveness' | 'getReadiness'> {
  constructor(
    private readonly database: Database,
    private readonly shutdown: Shutdown,
    private readonly redis: RedisConnection,
  ) {}

  @Operation('getLiveness')
  async getLiveness() {
    return { status: 'ok' } as const;
  }

  @Operation('getReadiness')
  async getReadiness() {
    if (this.shutdown.hasBegun) throw new Unavailable('The service is shutting down.');
    const [isRedisThere] = await Promise.all([this.redis.ping(), this.database.ping()]);
    if (this.redis.isConfigured && !isRedisThere) return { status: 'degraded', missing: ['redis'] } as const;
    return { status: 'ok' } as const;
  }
}
