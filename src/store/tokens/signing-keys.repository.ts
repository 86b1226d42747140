import { Injectable } from '@nestjs/common';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import type { Context } from '../../engine/contract/context.js';
import { EntityTable } from '../../engine/database/entity-table.js';
import { one, sql, type Row, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { SigningKeys } from './signing-keys.js';
import { StoredKey } from './stored-key.entity.js';

/** The stored signing keys, as administrators see them. */
@Injectable()
export class SigningKeysRepository extends EntityTable<StoredKey> {
  constructor(
    parts: TableParts,
    private readonly keys: SigningKeys,
    private readonly changes: CredentialChanges,
  ) {
    super(parts, StoredKey);
  }

  /** Makes a new key, which signs from now on. The earlier keys verify for `overlapMs` at most. */
  async rotate(overlapMs: number, { origin }: Pick<Context, 'origin'>): Promise<StoredKey> {
    const act = function* (this: SigningKeysRepository, tx: Transaction): Steps<StoredKey> {
      const kid = yield* this.keys.next(tx, overlapMs);
      const row = yield* one(sql`SELECT ${this.mapping.columns} FROM signing_keys WHERE kid = ${kid}`);
      return this.mapping.fromRow(row as Row);
    };
    const made = await this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
    await this.changes.ensureFresh();
    return made;
  }

  /**
   * Ends a key now, and returns it; null when there is no such key. If the ended key was the key that signs, a new key
   * replaces it.
   */
  async revoke(id: number, { origin }: Pick<Context, 'origin'>): Promise<StoredKey | null> {
    const act = function* (this: SigningKeysRepository, tx: Transaction): Steps<StoredKey | null> {
      // `note` locks a row, so that no other act replaces the key meanwhile.
      yield* this.changes.note(tx);
      const key = yield* this.lock(id);
      const now = new Date();
      if (!key || key.revokedAt !== null) return key;
      const goodUntil = key.goodUntil !== null && key.goodUntil < now ? key.goodUntil : now;
      const ended = yield* this.write(tx, key, { goodUntil, revokedAt: now });
      if (key.goodUntil === null) yield* this.keys.insert(now);
      return ended;
    };
    const ended = await this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
    await this.changes.ensureFresh();
    return ended;
  }
}
