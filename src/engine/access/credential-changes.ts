import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { one, sql, type Row, type Steps } from '../database/sql.js';
import type { Transaction } from '../database/transaction.js';
import { Unavailable } from '../errors/errors.js';

// A change by another instance takes effect in this process within a second (TRUSTED_MS). To be in time, this process
// asks the database again after half a second (RENEWED_AFTER_MS).
const RENEWED_AFTER_MS = 500;
const TRUSTED_MS = 1_000;

const STORED = sql`SELECT number FROM credential_changes`;

/** A fact about credentials has changed since the check of the caller. The act must begin again, with this check. */
export class CredentialsChanged extends Error {}

/**
 * Tells whether the facts that this process remembers about credentials are still valid: keys, revocations, identities,
 * and the principals of valid credentials. Each act that changes such a fact raises one number in the database. This
 * process reads the number about twice a second, and only while there are credentials to check. So an idle process
 * reads nothing.
 */
@Injectable()
export class CredentialChanges {
  /**
   * The number in the database at the last check. Each remembered fact belongs to the number at which it was read. If
   * the number has risen since then, the fact may have changed.
   */
  number = -1;
  private checkedAt = -Infinity;
  /** The number of changes by this process. If it rises during a check, the check has perhaps read the old number. */
  private ownChanges = 0;
  /** The running check. Null if no check is running, or if the running check may have missed a change. */
  private checking: Promise<void> | null = null;
  /** The newest check. Checks run one after another, so that an older check never ends after a newer one. */
  private last: Promise<void> = Promise.resolve();
  private readonly followers: (() => Promise<void>)[] = [];

  constructor(private readonly database: Database) {}

  /**
   * Adds a function that reloads facts after a change. The property `number` gets its new value only after the function
   * has run.
   */
  follow(reload: () => Promise<void>): void {
    this.followers.push(reload);
  }

  /**
   * Returns at once whether `number` is fresh: it was read from the database within the last second, and after the last
   * change by this process.
   */
  isFresh(): boolean {
    const age = performance.now() - this.checkedAt;
    // The error of this check is ignored. If the database stays unavailable, callers get the error of a later check.
    if (age > RENEWED_AFTER_MS && age <= TRUSTED_MS) this.check().catch(() => undefined);
    return age <= TRUSTED_MS;
  }

  /**
   * Waits until `number` is fresh; see `isFresh`.
   *
   * @param isNow true requires more: a check that begins after this call
   * @throws Unavailable when the number cannot be read; the remembered facts must then not be used
   */
  async ensureFresh(isNow = false): Promise<void> {
    const calledAt = performance.now();
    const isKnown = (): boolean => this.checkedAt >= calledAt || (!isNow && this.isFresh());
    try {
      // The loop is needed because `check` may return the promise of a check that began before this call.
      while (!isKnown()) await this.check();
    } catch (cause) {
      throw new Unavailable('The service cannot check now whether the credential is still valid.', { cause });
    }
  }

  /**
   * Raises the number, and returns the new number. Call this at the end of an act that changes facts about credentials.
   * Such acts wait for one another from this call to their commit.
   */
  *note(tx: Transaction): Steps<number> {
    const number = yield* raised();
    tx.afterCommit(() => {
      this.ownChanges += 1;
      this.checkedAt = -Infinity;
      this.checking = null;
    });
    return number;
  }

  /**
   * Within an act: requires that no act has changed a fact about credentials since this number was read. So the
   * credential of the caller was still valid a moment ago if it was valid at this number. An act that ends all
   * credentials of a user locks the row of the user first. So call this after a statement that waits for this lock, for
   * example after the INSERT of a row that refers to the user.
   *
   * @throws CredentialsChanged
   */
  *requireUnchangedSince(number: number): Steps<void> {
    const row = yield* one<{ number: number }>(STORED);
    if ((row?.number ?? 0) !== number) throw new CredentialsChanged();
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
    const row = await this.database.reads.one<{ number: number }>(STORED);
    const number = row?.number ?? 0;
    if (number !== this.number) {
      await Promise.all(this.followers.map((reload) => reload()));
      this.number = number;
    }
    if (ownChanges === this.ownChanges) this.checkedAt = begunAt;
  }
}

/**
 * Raises the number, but does not tell this process. All processes notice the new number within a second. This function
 * is for acts that have no `CredentialChanges`.
 */
export function* raised(): Steps<number> {
  const row = yield* one(sql`UPDATE credential_changes SET number = number + 1 RETURNING number`);
  return (row as Row)['number'] as number;
}
