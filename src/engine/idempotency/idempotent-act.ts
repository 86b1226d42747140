import { holds, type Principal } from '../access/principal.js';
import { forKeyShare, one, sql, type Steps } from '../database/sql.js';
import type { Act, AroundAct, Transaction } from '../database/transaction.js';
import { Forbidden, IdempotencyKeyInUse, IdempotencyKeyReused } from '../errors/errors.js';
import type { Scope } from '../../generated/operations.js';
import type { IdempotencyKey } from './idempotency-key.js';
import { ownerIn, ownerTable } from './record-owner.js';
import { RecordCipher } from './record-cipher.js';

const LIFETIME_MS = 24 * 60 * 60 * 1000;

interface Kept {
  readonly scopes: readonly Scope[];
  readonly result: unknown;
}

/**
 * Wraps the only act of a request with an `Idempotency-Key`. The changes of the act and its result are stored in one
 * transaction. A repeated request gets the stored result, and the act is not run again. If the act throws or returns
 * null, no result is stored.
 */
export class IdempotentAct implements AroundAct {
  private readonly secrets: RecordCipher;
  private readonly fingerprint: string;
  private act: Act<unknown> | null = null;

  /** @param input the whole validated content of the request */
  constructor(
    private readonly key: IdempotencyKey,
    private readonly caller: Principal,
    operation: string,
    input: unknown,
  ) {
    if (caller.id === null) throw new Error(`${operation} stores answers, but the caller has no id.`);
    this.secrets = new RecordCipher(key.text, caller.id, operation);
    this.fingerprint = this.secrets.fingerprintOf(input);
  }

  /**
   * @throws IdempotencyKeyInUse while another request with this key is running. On SQLite, this request waits instead
   * @throws IdempotencyKeyReused
   * @throws Forbidden when the caller has fewer rights than when the result was made
   */
  *around<T>(act: Act<T>, tx: Transaction): Steps<T> {
    // The unit of work may run the same act again. A different act of the same request is an error, because it would
    // get the result of the first act.
    this.act ??= act;
    if (this.act !== act) throw new Error('A request with an Idempotency-Key must do everything in one act.');
    yield* this.lock(tx);
    const kept = yield* this.find();
    if (kept) {
      this.requireScopes(kept.scopes);
      tx.afterCommit(() => (this.key.isReplayed = true));
      return kept.result as T;
    }
    const result = yield* act(tx);
    if (result !== null) yield* this.keep(result);
    return result;
  }

  /**
   * Locks the key without waiting. If another request holds the lock, this request is refused at once. With only a
   * unique index, this request would wait for the other one. On SQLite, no lock is needed, because acts run one after
   * another.
   */
  private *lock({ engine }: Transaction): Steps<void> {
    if (engine === 'sqlite') return;
    const row = yield* one<{ is_free: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(${this.secrets.lockId}::bigint) AS is_free`,
    );
    if (row?.is_free !== true) throw inUse();
  }

  private *find(): Steps<Kept | null> {
    const row = yield* one<{ fingerprint: string; result: string }>(sql`
      SELECT fingerprint, result FROM idempotency_records
      WHERE id = ${this.secrets.id} AND expires_at > ${new Date()}`);
    if (!row) return null;
    if (row.fingerprint !== this.fingerprint) {
      throw new IdempotencyKeyReused(
        'This Idempotency-Key was used for another request. Use a new key for each request.',
      );
    }
    return this.secrets.open(row.result) as Kept;
  }

  /**
   * Requires all scopes of the first request. The stored result may show rows that the first request could reach only
   * with these scopes. The policy has checked only that the caller may use the operation.
   */
  private requireScopes(scopes: readonly Scope[]): void {
    const missing = scopes.filter((scope) => !holds(this.caller, scope));
    if (missing.length === 0) return;
    throw new Forbidden(
      missing,
      `The first request was made with ${missing.join(', ')}, which this credential does not have.`,
    );
  }

  private *keep(result: unknown): Steps<void> {
    const { id } = this.secrets;
    const now = new Date();
    const sealed = this.secrets.seal({ scopes: [...this.caller.scopes], result } satisfies Kept);
    const userId = yield* this.present(ownerIn(result) ?? this.caller.userId);
    const row = yield* one(sql`
      INSERT INTO idempotency_records (id, fingerprint, result, user_id, expires_at)
      VALUES (${id}, ${this.fingerprint}, ${sealed}, ${userId}, ${new Date(now.getTime() + LIFETIME_MS)})
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, result = excluded.result,
        user_id = excluded.user_id, expires_at = excluded.expires_at
      WHERE idempotency_records.expires_at <= ${now}
      RETURNING id`);
    // `find` saw no valid record with this key, but there is one now. The lock keeps other requests away, so this
    // happens only if the clock was set back in between.
    if (!row) throw inUse();
  }

  /**
   * The id of the user, if the user still exists. Null if not, for example because this act has just removed the user.
   */
  private *present(userId: number | null): Steps<number | null> {
    const users = ownerTable();
    if (userId === null || users === null) return null;
    const row = yield* one<{ id: number }>(sql`SELECT id FROM ${users} WHERE id = ${userId} ${forKeyShare}`);
    return row?.id ?? null;
  }
}

function inUse(): IdempotencyKeyInUse {
  return new IdempotencyKeyInUse('A request with this Idempotency-Key is still running. Try again shortly.');
}
