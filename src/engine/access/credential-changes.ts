import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { one, sql, type Row, type Steps } from '../database/sql.js';
import type { Transaction } from '../database/transaction.js';
import { Unavailable } from '../errors/errors.js';

// What changed elsewhere counts here within a second: knowledge is renewed when half of it is over.
const RENEWED_AFTER_MS = 500;
const TRUSTED_MS = 1_000;

/**
 * Whether what this process remembers of credentials (keys, revocations, links, who proved who it was) is still so. One
 * number in the database rises in each act that changes such a thing. It is read twice a second at most, and only while
 * somebody asks: an idle process reads nothing.
 */
@Injectable()
export class CredentialChanges {
  /** What is remembered is remembered as of this number; another one means that something has changed. */
  number = -1;
  private checkedAt = -Infinity;
  /** Rises with what this process changes itself, which a check that has begun may not have seen. */
  private ownChanges = 0;
  /** The check that whoever comes now may wait for. */
  private checking: Promise<void> | null = null;
  /** One after another, so that an older one never ends after a newer one. */
  private last: Promise<void> = Promise.resolve();
  private readonly followers: (() => Promise<void>)[] = [];

  constructor(private readonly database: Database) {}

  /** What reloads what was changed; it has run before the number rises. */
  follow(reload: () => Promise<void>): void {
    this.followers.push(reload);
  }

  /** Whether what is remembered was so less than a second ago; without waiting. */
  isFresh(): boolean {
    const age = performance.now() - this.checkedAt;
    // Whoever comes when it is too late hears of it if that fails.
    if (age > RENEWED_AFTER_MS && age <= TRUSTED_MS) this.check().catch(() => undefined);
    return age <= TRUSTED_MS;
  }

  /**
   * Resolves when what is remembered is so at this moment, or less than a second ago.
   *
   * @param isNow whether the moment has to be this one
   * @throws Unavailable when that cannot be known: nothing may then be decided on it
   */
  async ensureFresh(isNow = false): Promise<void> {
    const calledAt = performance.now();
    const isKnown = (): boolean => this.checkedAt >= calledAt || (!isNow && this.isFresh());
    try {
      // A check that was under way may have begun too early.
      while (!isKnown()) await this.check();
    } catch (cause) {
      throw new Unavailable('Whether credentials are still good cannot be known right now.', { cause });
    }
  }

  /** Within an act that changes what credentials hang on, last: acts wait here for one another. The new number. */
  *note(tx: Transaction): Steps<number> {
    const row = yield* one(sql`UPDATE credential_changes SET number = number + 1 RETURNING number`);
    tx.afterCommit(() => {
      this.ownChanges += 1;
      this.checkedAt = -Infinity;
      this.checking = null;
    });
    return (row as Row)['number'] as number;
  }

  private check(): Promise<void> {
    if (this.checking) return this.checking;
    const checking = this.last
      .then(() => this.compare())
      .finally(() => {
        if (this.checking === checking) this.checking = null;
      });
    this.checking = checking;
    this.last = checking.catch(() => undefined);
    return checking;
  }

  private async compare(): Promise<void> {
    const [begunAt, ownChanges] = [performance.now(), this.ownChanges];
    const row = await this.database.reads.one<{ number: number }>(sql`SELECT number FROM credential_changes`);
    const number = row?.number ?? 0;
    if (number !== this.number) {
      await Promise.all(this.followers.map((reload) => reload()));
      this.number = number;
    }
    if (ownChanges === this.ownChanges) this.checkedAt = begunAt;
  }
}
