import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { one, run, sql } from '../database/sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RedisConnection } from '../redis/redis-connection.js';

/**
 * Says by Redis to all instances of the store that there is something new in the log, and nothing else: what is new they
 * read there. It makes them faster where it arrives, and nothing is right because of it.
 */
@Injectable()
export class WakeUp {
  private channel: string | null = null;

  constructor(
    private readonly redis: RedisConnection,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param woken is called from now on whenever somebody has called */
  async start(woken: () => void): Promise<void> {
    if (!this.redis.isConfigured) return;
    // A channel is heard in all databases of a Redis, so that its name has to say whose it is.
    this.channel = `store:events:${await this.storeId()}`;
    this.redis.listen(this.channel, woken);
  }

  /** Costs nothing, and waits for nobody. */
  call(): void {
    if (this.channel !== null) this.redis.tell(this.channel);
  }

  /** The same in all instances, whatever they call the database. */
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
