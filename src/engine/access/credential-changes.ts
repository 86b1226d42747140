import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { one, sql, type Row, type Steps } from '../database/sql.js';
import type { Transaction } from '../database/transaction.js';
import { Unavailable } from '../errors/errors.js';

// Changes of other instances take effect here within a second, because the state is checked again after half of that
// time.
const RENEWED_AFTER_MS = 500;
const TRUSTED_MS = 1_000;

/**
 * Tells whether the facts that this process remembers about credentials (keys, revocations, links, proven callers) are
 * still valid. One number in the database rises in each act that changes such a fact. It is read twice a second at
 * most, and only while callers ask, so an idle process reads nothing.
 */
@Injectable()
export class CredentialChanges {
  /** Remembered facts belong to this number; another number means that something has changed. */
  number = -1;
  private checkedAt = -Infinity;
  /** Rises with each change by this process. A check that has already begun may not have seen the change. */
  private ownChanges = 0;
  /** The running check that new callers may wait for. */
  private checking: Promise<void> | null = null;
  /** Checks run one after another, so that an older one never ends after a newer one. */
  private last: Promise<void> = Promise.resolve();
  private readonly followers: (() => Promise<void>)[] = [];

  constructor(private readonly database: Database) {}

  /** Adds a function that reloads changed facts. It has run before the number rises. */
  follow(reload: () => Promise<void>): void {
    this.followers.push(reload);
  }

  /** Returns at once whether the remembered facts were valid less than a second ago. */
  isFresh(): boolean {
    const age = performance.now() - this.checkedAt;
    // If this check fails, callers after the time limit get the error.
    if (age > RENEWED_AFTER_MS && age <= TRUSTED_MS) this.check().catch(() => undefined);
    return age <= TRUSTED_MS;
  }

  /**
   * Resolves when the remembered facts are valid at this moment, or were less than a second ago.
   *
   * @param isNow whether they have to be valid at this moment
   * @throws Unavailable when this cannot be determined; no decision may then be based on the remembered facts
   */
  async ensureFresh(isNow = false): Promise<void> {
    const calledAt = performance.now();
    const isKnown = (): boolean => this.checkedAt >= calledAt || (!isNow && this.isFresh());
    try {
      // A check that was under way may have begun too early.
      while (!isKnown()) await this.check();
    } catch (cause) {
      throw new Unavailable('The service cannot check now whether the credential is still valid.', { cause });
    }
  }

  /**
   * Raises the number, and returns the new one. Call this last in an act that changes facts about credentials, because
   * acts wait here for one another.
   */
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
