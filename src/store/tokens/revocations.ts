import { Injectable } from '@nestjs/common';
import { Database } from '../../engine/database/database.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { all, one, run, sql, type Steps } from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import { Revocation } from './revocation.entity.js';

/** No JWT is valid for longer than this after it was issued, so that old revocations can be removed. */
export const LONGEST_LIFE_MS = 24 * 3_600_000;
/**
 * The time after which a revocation is removed. The second day is a reserve, because the clock may be ahead for some
 * hours.
 */
const FORGOTTEN_AFTER_MS = 2 * LONGEST_LIFE_MS;
/** The clocks of two machines differ by less than this. A greater difference shows that a clock was set back. */
const SAME_TIME_MS = 60_000;

/**
 * A claim of our own tokens. Its value is the number of `CredentialChanges` at the time of issue. A revocation with a
 * higher number ends the token. So the clock does not decide whether the token or the revocation came first.
 */
export const REVOCATION_MARK = 'store_change';

interface Ended {
  readonly moment: number;
  readonly changed: number;
}

/**
 * A holder of tokens: a user, a client, or a subject of an outside issuer. A user also holds the tokens that clients
 * got in the name of the user.
 */
export type Holder =
  | { readonly userId: number }
  | { readonly clientId: string }
  | { readonly issuer: string; readonly subject: string };

/**
 * Ends everything that was issued to a holder up to now, except API keys; `endKeysOf` ends those. The artifacts of the
 * authorization server are deleted: opaque tokens, codes, grants and sign-ins. JWTs are stored nowhere, so they cannot
 * be deleted. Instead, a revocation with a moment is stored. It ends the tokens that were issued to the holder up to
 * this moment. Each instance keeps the revocations of the last two days in memory, and learns of a new revocation
 * within a second (see `CredentialChanges`).
 */
@Injectable()
export class Revocations {
  private readonly mapping: Mapping<Revocation>;
  private readonly ended = new Map<string, Ended>();
  /** The latest time of issue among the checked tokens that have no mark. */
  private latestIssue = -Infinity;
  private seen = -1;

  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
  ) {
    this.mapping = mappingOf(database.dataSource, Revocation);
    changes.follow(() => this.load());
  }

  /** Resolves when this process refuses the tokens. Other processes refuse them within a second. */
  async endAllOf(...holders: readonly Holder[]): Promise<void> {
    await this.database.unitOfWork.run((tx) => this.end(tx, holders));
    await this.changes.ensureFresh();
  }

  /** Within an act: the user, and the subjects of this user at outside issuers. Tokens name the user by one of them. */
  *holdersOf(userId: number): Steps<readonly Holder[]> {
    const identities = yield* all<{ issuer: string; subject: string }>(
      sql`SELECT issuer, subject FROM identities WHERE user_id = ${userId}`,
    );
    return [{ userId }, ...identities.map(({ issuer, subject }) => ({ issuer, subject }))];
  }

  /**
   * Ends all API keys of a user. The act must call `end` afterwards, because `end` reports the change to all instances.
   */
  *endKeysOf(userId: number): Steps<void> {
    yield* run(sql`
      UPDATE api_keys SET revoked_at = ${new Date()}, version = version + 1
      WHERE user_id = ${userId} AND revoked_at IS NULL`);
  }

  /**
   * Does the same as `endAllOf` within an act. Call it last in the act, because it locks a row for which other acts
   * wait.
   */
  *end(tx: Transaction, holders: readonly Holder[]): Steps<void> {
    for (const holder of holders) yield* endStored(holder);
    const changed = yield* this.changes.note(tx);
    // The time is taken only now, because an act that waited must also end tokens that were issued while it waited.
    const now = Date.now();
    // A time of issue in the future means that the clock was set back. Tokens with such a time must not become valid
    // again when the clock is right.
    const moment = new Date(this.latestIssue > now + SAME_TIME_MS ? this.latestIssue : now);
    for (const holder of holders) {
      yield* run(sql`
        INSERT INTO revocations (holder, not_before, changed) VALUES (${holderOf(holder)}, ${moment}, ${changed})
        ON CONFLICT (holder) DO UPDATE SET changed = excluded.changed, not_before =
          CASE WHEN excluded.not_before > revocations.not_before THEN excluded.not_before
            ELSE revocations.not_before END`);
    }
  }

  /** The value of `REVOCATION_MARK` for a token that is issued now. */
  async mark(): Promise<number> {
    await this.changes.ensureFresh(true);
    return this.changes.number;
  }

  /**
   * Whether a token of one of these holders has ended, as far as this process knows. The mark of the token decides
   * (`REVOCATION_MARK`). If it has no mark, its time of issue decides. A token of an outside issuer usually gives this
   * time in whole seconds, rounded down. So such a token has also ended if it was issued after the revocation, but in
   * the same second.
   */
  hasEnded(holders: readonly Holder[], issuedAtSeconds: number, mark: number | null): boolean {
    const issuedAt = issuedAtSeconds * 1000;
    if (mark === null) this.latestIssue = Math.max(this.latestIssue, issuedAt);
    return holders.some((holder) => {
      const ended = this.ended.get(holderOf(holder));
      if (ended === undefined) return false;
      return mark === null ? issuedAt <= ended.moment : mark < ended.changed;
    });
  }

  /**
   * Whether everything that was issued to the user up to `moment` has ended. The act must have locked the row of the
   * user. A revocation with a time in the future was made before the clock was set back, and does not count.
   */
  *haveEndedSince(moment: Date, userId: number): Steps<boolean> {
    const ended = yield* one(sql`
      SELECT holder FROM revocations WHERE holder = ${holderOf({ userId })} AND not_before >= ${moment}
        AND not_before <= ${new Date(Date.now() + SAME_TIME_MS)}`);
    return ended !== undefined;
  }

  /** Removes at most `most` revocations that are older than any valid JWT. @returns how many were removed */
  async removeForgotten(most: number): Promise<number> {
    const before = new Date(Date.now() - FORGOTTEN_AFTER_MS);
    const removed = await this.database.unitOfWork.run(() =>
      all(sql`
        DELETE FROM revocations WHERE id IN (
          SELECT id FROM revocations WHERE not_before < ${before} ORDER BY changed LIMIT ${most})
        RETURNING id`),
    );
    return removed.length;
  }

  private async load(): Promise<void> {
    const rows = await this.database.reads.all(
      sql`SELECT ${this.mapping.columns} FROM revocations WHERE changed > ${this.seen} ORDER BY changed`,
    );
    for (const { holder, notBefore, changed } of rows.map(this.mapping.fromRow)) {
      // `set` alone would leave a known holder at its place. The map must stay in the order of the revocations, because
      // the loop below removes the oldest ones from its beginning.
      this.ended.delete(holder);
      this.ended.set(holder, { moment: notBefore.getTime(), changed });
      this.seen = changed;
    }
    for (const [holder, { moment }] of this.ended) {
      if (moment > Date.now() - FORGOTTEN_AFTER_MS) break;
      this.ended.delete(holder);
    }
  }
}

function* endStored(holder: Holder): Steps<void> {
  if ('userId' in holder) yield* run(sql`DELETE FROM oauth_artifacts WHERE user_id = ${holder.userId}`);
  if ('clientId' in holder) yield* run(sql`DELETE FROM oauth_artifacts WHERE client_id = ${holder.clientId}`);
}

/** The name of a holder in the table. */
export function holderOf(holder: Holder): string {
  if ('userId' in holder) return `user ${holder.userId}`;
  if ('clientId' in holder) return `client ${holder.clientId}`;
  return `identity ${JSON.stringify([holder.issuer, holder.subject])}`;
}
