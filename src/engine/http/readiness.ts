import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { run, sql, type Steps } from '../database/sql.js';
import { Unavailable } from '../errors/errors.js';
import { RedisConnection } from '../redis/redis-connection.js';

const KEPT_MS = 500;
const WRITE_EVERY_MS = 10_000;

/** The state of a service that can do its work, as the contract defines it. */
type State = { readonly status: 'ok' } | { readonly status: 'degraded'; readonly missing: ['redis'] };

/** Whether the service is about to stop. It is then not ready, so that it gets no more work. */
@Injectable()
export class Shutdown {
  hasBegun = false;
}

/**
 * Whether the service can do its work. A client may ask as often as it likes, because only one check runs at a time.
 * All requests during the check, and for half a second after it, get its result.
 */
@Injectable()
export class Readiness {
  private answer: Promise<State> | null = null;
  private isAsking = false;
  /** The time of the last answer, on the clock of `performance`. */
  private answeredAt = Number.NEGATIVE_INFINITY;
  /** The time of the last write, on the same clock. */
  private wroteAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    private readonly shutdown: Shutdown,
    private readonly redis: RedisConnection,
  ) {}

  /**
   * @throws Unavailable when the service is about to stop
   * @throws DatabaseUnavailable
   */
  async state(): Promise<State> {
    if (this.shutdown.hasBegun) throw new Unavailable('The service is shutting down.');
    const isKept = this.isAsking || performance.now() - this.answeredAt < KEPT_MS;
    if (this.answer === null || !isKept) {
      this.isAsking = true;
      this.answer = this.ask().finally(() => {
        this.isAsking = false;
        this.answeredAt = performance.now();
      });
    }
    return this.answer;
  }

  private async ask(): Promise<State> {
    const [isRedisThere] = await Promise.all([this.redis.ping(), this.askDatabase()]);
    if (this.redis.isConfigured && !isRedisThere) return { status: 'degraded', missing: ['redis'] };
    return { status: 'ok' };
  }

  /**
   * Checks the database. From time to time the check writes, because a transaction that writes nothing succeeds even on
   * a full disk.
   */
  private async askDatabase(): Promise<void> {
    const begunAt = performance.now();
    if (begunAt - this.wroteAt < WRITE_EVERY_MS) return this.database.ping();
    await this.database.ping(writeDown);
    this.wroteAt = begunAt;
  }
}

/**
 * Writes a row and removes it again. The row has a name of its own, so the act waits for no other instance, and leaves
 * nothing behind.
 */
function* writeDown(): Steps<void> {
  const name = `written by ${randomUUID()}`;
  yield* run(sql`INSERT INTO settings (name, value) VALUES (${name}, '')`);
  yield* run(sql`DELETE FROM settings WHERE name = ${name}`);
}
