import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { run, sql, type Steps } from '../database/sql.js';
import { Unavailable } from '../errors/errors.js';
import { RedisConnection } from '../redis/redis-connection.js';

const KEPT_MS = 500;
const WRITE_EVERY_MS = 10_000;

/** What the contract says of a service that can do its work. */
type State = { readonly status: 'ok' } | { readonly status: 'degraded'; readonly missing: ['redis'] };

/** Whether the service is about to stop; then it is not ready, so that nobody sends it more work. */
@Injectable()
export class Shutdown {
  hasBegun = false;
}

/**
 * Whether the service can do its work. Anybody may ask as often as he likes: one question is asked at a time, and its
 * answer is that of all who ask while it is under way, and for half a second more.
 */
@Injectable()
export class Readiness {
  private answer: Promise<State> | null = null;
  private isAsking = false;
  /** On the clock of `performance`, as the next. */
  private answeredAt = Number.NEGATIVE_INFINITY;
  private wroteAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    private readonly shutdown: Shutdown,
    private readonly redis: RedisConnection,
  ) {}

  /**
   * @throws Unavailable when it is about to stop
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

  /** A transaction that changes nothing also succeeds on a full disk, so that now and then there is one that does. */
  private async askDatabase(): Promise<void> {
    const begunAt = performance.now();
    if (begunAt - this.wroteAt < WRITE_EVERY_MS) return this.database.ping();
    await this.database.ping(writeDown);
    this.wroteAt = begunAt;
  }
}

function* writeDown(): Steps<void> {
  const now = new Date().toISOString();
  yield* run(sql`INSERT INTO settings (name, value) VALUES ('written_at', ${now})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
}
