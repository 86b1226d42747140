import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { one, run, sql } from '../database/sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RedisConnection } from '../redis/redis-connection.js';

/**
 * Tells all instances of the store that there are new events in the log. It uses Redis. The message has no content,
 * because the instances read the events from the log. The messages only make the instances faster. An instance that
 * gets no message finds the events, because it reads the log once a second.
 */
@Injectable()
export class WakeUp {
  private channel: string | null = null;

  constructor(
    private readonly redis: RedisConnection,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param woken is called from now on, each time an instance uses `call` */
  async start(woken: () => void): Promise<void> {
    if (!this.redis.isConfigured) return;
    // A channel exists across all databases of a Redis server, so its name contains the id of the store.
    this.channel = `store:events:${await this.storeId()}`;
    this.redis.listen(this.channel, woken);
  }

  /** Tells all instances. It does not wait for Redis. */
  call(): void {
    if (this.channel !== null) this.redis.tell(this.channel);
  }

  /** The id of the store: the same in all instances, even if their database URLs differ. */
  private storeId(): Promise<string> {
    return this.unitOfWork.run(function* () {
      yield* run(
        sql`INSERT INTO settings (name, value) VALUES ('store_id', ${randomUUID()}) ON CONFLICT (name) DO NOTHING`,
      );
      const row = yield* one<{ value: string }>(sql`SELECT value FROM settings WHERE name = 'store_id'`);
      return row?.value ?? '';
    });
  }
}
