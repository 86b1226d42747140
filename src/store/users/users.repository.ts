import { Injectable } from '@nestjs/common';
import { Revocations } from '../tokens/revocations.js';
import type { Context, Wanted } from '../../engine/contract/context.js';
import type { Asker } from '../../engine/database/asker.js';
import { engineOf } from '../../engine/database/engine.js';
import { filteredTotal } from '../../engine/database/filtered-page.js';
import { BY_ID, keysetSlice } from '../../engine/database/keyset.js';
import { one, run, sql, forKeyShare, Text, type Steps } from '../../engine/database/sql.js';
import { indexedRows, phraseOf, withIndex } from '../../engine/database/trigrams.js';
import { LATEST_MS } from '../../engine/values/moment.js';
import { containing, searchTextOf, soughtText } from '../../engine/values/search-text.js';
import type { Values } from '../../engine/database/entity-table.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { VersionedTable } from '../../engine/database/versioned-table.js';
import { isReached, sliceOf, type Piece } from '../../engine/database/slices.js';
import type { EventLog } from '../../engine/events/event-log.js';
import type { Page, Slice } from '../../generated/contract.js';
import { Forbidden } from '../../engine/errors/errors.js';
import { emailKey } from './email-key.js';
import { User } from './user.entity.js';
import { NOBODY } from './user.events.js';

export interface NewUser {
  readonly name: string;
  readonly email: string;
  /** See `UserPasswords`. */
  readonly passwordHash: string | undefined;
}

/** A member that is undefined stays as it is. */
export type UserChanges = { readonly [K in keyof NewUser]?: NewUser[K] | undefined } & {
  /** Whether a new password also ends all API keys. */
  readonly endsKeys?: boolean;
  /**
   * The hash of the present password that the caller has proved to know; null for a user without a password. The change
   * is refused if the user has another password now. Absent if the caller needs no present password.
   */
  readonly presentHash?: string | null | undefined;
};

export interface UsersWanted {
  readonly page: number;
  readonly limit: number;
  /** Compared without regard to case. */
  readonly email: string | undefined;
}

export interface UsersSought {
  /** Compared without regard to case. */
  readonly email: string | undefined;
  /** A text within the name or the address. */
  readonly q: string | undefined;
  readonly asker: Asker;
}

const A_MOMENT_LATER = new Text('updated_at + 1', `updated_at + interval '1 millisecond'`);
const A_SECOND_LATER = new Text('updated_at + 1000', `updated_at + interval '1 second'`);

/** Reads and writes users. */
@Injectable()
export class UsersRepository extends VersionedTable<User> {
  private readonly log: EventLog;

  constructor(
    parts: TableParts,
    private readonly revocations: Revocations,
  ) {
    super(parts, User, {
      trimmed: ['name', 'email'],
      derived: ({ name, email }) => ({
        emailKey: emailKey(email),
        searchText: searchTextOf(name, email),
      }),
      details: {
        EMAIL_TAKEN: ({ email }) => `Another user has the e-mail address ${email}.`,
        USER_HAS_ORDERS: ({ id }) =>
          `The user ${id} has orders. Use anonymise to keep the orders without a reference to the user.`,
      },
    });
    this.log = parts.log;
  }

  /** The user that has an e-mail address, with the hash of the password. The address may be any text. */
  async findCredential(
    email: string,
  ): Promise<{ readonly id: number; readonly name: string; readonly passwordHash: string | null } | null> {
    // PostgreSQL refuses a statement with a NUL. No stored address has one.
    if (email.includes('\0')) return null;
    const row = await this.database.reads.one<{ id: number; name: string; password_hash: string | null }>(
      sql`SELECT id, name, password_hash FROM users WHERE email_key = ${emailKey(email.trim())}`,
    );
    return row ? { id: row.id, name: row.name, passwordHash: row.password_hash } : null;
  }

  /** The hash of the password of a user; null for a user without a password, and if there is no such user. */
  async passwordHashOf(id: number): Promise<string | null> {
    const row = await this.database.reads.one<{ password_hash: string | null }>(passwordOf(id));
    return row?.password_hash ?? null;
  }

  /** Reads a page, in the order of ids. The total is exact. */
  async list({ page, limit, email }: UsersWanted): Promise<Page<User>> {
    if (email === undefined) return this.page({ page, limit });
    const key = emailKey(email.trim());
    const row = await this.database.reads.one(
      sql`SELECT ${this.mapping.columns} FROM users WHERE email_key = ${key}`,
    );
    return { items: row && page === 1 ? [this.mapping.fromRow(row)] : [], total: row ? 1 : 0 };
  }

  /**
   * A slice of the list of users, after or before a cursor. With `q`, the total is exact up to 10,000, and null beyond.
   */
  async sliceOf({ email, q, asker }: UsersSought, piece: Piece): Promise<Slice<User>> {
    if (email === undefined) return q === undefined ? this.slice(piece) : this.search(q, asker, piece);
    const { items } = await this.list({ page: 1, limit: 1, email });
    const matching = items.filter(
      (user) => q === undefined || searchTextOf(user.name, user.email).includes(soughtText(q)),
    );
    const found = matching.filter(({ id }) => isReached(piece.position, id));
    return sliceOf(found, piece, matching.length, ({ id }) => [id]);
  }

  /**
   * Changes the given members, all or none; null when there is no such user. The version rises only if a member that is
   * shown really changed. A new password ends the tokens of the user, and also the keys if `endsKeys` is set.
   *
   * @throws PreconditionFailed, PreconditionRequired
   * @throws Conflict `EMAIL_TAKEN`
   * @throws Forbidden when the user no longer has the password that the caller proved to know
   * @throws ValidationFailed or PatchConflict from `wanted`, if it is a function and the request does not fit the user
   */
  override update(
    id: number,
    wanted: Wanted<UserChanges, User>,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<User | null> {
    const act = function* (this: UsersRepository, tx: Transaction): Steps<User | null> {
      const user = yield* this.lockAndCheck(id, precondition);
      if (!user) return null;
      const changes = typeof wanted === 'function' ? wanted(user) : wanted;
      if (changes.presentHash !== undefined) yield* requirePassword(id, changes.presentHash);
      if (changes.passwordHash !== undefined && changes.endsKeys) yield* this.revocations.endKeysOf(id);
      return yield* this.write(tx, user, changes);
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /**
   * Removes a user like `delete`, but keeps the orders of the user, without a reference to the user.
   *
   * @throws PreconditionFailed, PreconditionRequired
   */
  anonymise(
    id: number,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<User | null> {
    const act = function* (this: UsersRepository, tx: Transaction): Steps<User | null> {
      const user = yield* this.lockAndCheck(id, precondition, true);
      if (!user) return null;
      const now = new Date();
      const soon = new Date(now.getTime() + 1_000);
      const [nearlyLast, last] = [new Date(LATEST_MS - 1_000), new Date(LATEST_MS)];
      // The same rule as in `timeOfChange`.
      yield* run(sql`
        UPDATE orders SET user_id = NULL, version = version + 1,
          updated_at = CASE WHEN updated_at < ${now} THEN ${now} WHEN updated_at < ${soon} THEN ${A_MOMENT_LATER}
            WHEN updated_at < ${nearlyLast} THEN ${A_SECOND_LATER} ELSE ${last} END
        WHERE user_id = ${id}`);
      yield* this.remove(tx, user, 'user.anonymised');
      return user;
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /**
   * Ends all tokens and sessions of a user, and returns the user; null when there is no such user. API keys and the
   * password stay valid.
   */
  signOut(id: number, { origin }: Pick<Context, 'origin'>): Promise<User | null> {
    const act = function* (this: UsersRepository, tx: Transaction): Steps<User | null> {
      const user = yield* this.lock(id);
      if (user) yield* this.revocations.end(tx, yield* this.revocations.holdersOf(id));
      return user;
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  private async search(q: string, asker: Asker, piece: Piece): Promise<Slice<User>> {
    const { dataSource, scans } = this.database;
    const { mapping } = this;
    const reads = scans.of(asker);
    // The hash of the password is not selected.
    const users = dataSource.getRepository(User).createQueryBuilder('u').select(mapping.columns.sqlite);
    // PostgreSQL finds the index for `LIKE` by itself.
    const phrase = engineOf(dataSource) === 'sqlite' ? phraseOf(soughtText(q)) : null;
    const matching = reads.watched(
      phrase === null
        ? users.andWhere(`u.searchText LIKE :q ESCAPE '\\'`, { q: containing(q) })
        : withIndex(users, phrase),
    );
    const counted = phrase === null ? matching : indexedRows(dataSource.manager, User, phrase);
    const total = piece.isWithoutTotal ? null : await filteredTotal(reads, counted);
    const id = phrase === null ? 'u.id' : 't.rowid';
    return keysetSlice({ reads, mapping, matching, ...BY_ID, id }, piece, total);
  }

  /** Within an act: whether there is such a user. If so, no other act can remove the user before this act is over. */
  *isThere(id: number): Steps<boolean> {
    return (yield* one(sql`SELECT id FROM users WHERE id = ${id} ${forKeyShare}`)) !== undefined;
  }

  override *write(tx: Transaction, user: User, changes: Values<User>): Steps<User> {
    const changed = yield* super.write(tx, user, changes);
    // A new password ends the tokens that the user got with the old password. A new address alone ends no tokens, but
    // processes remember Basic credentials with the old address. So `end` is called without holders, to report the
    // change.
    if (changes.passwordHash !== undefined) yield* this.revocations.end(tx, [{ userId: user.id }]);
    else if (changed.email !== user.email) yield* this.revocations.end(tx, []);
    return changed;
  }

  /**
   * Also ends the tokens of the user, and removes the personal data from the log.
   *
   * @throws Conflict `USER_HAS_ORDERS`
   */
  override *remove(
    tx: Transaction,
    user: User,
    type: 'user.deleted' | 'user.anonymised' = 'user.deleted',
  ): Steps<void> {
    const holders = yield* this.revocations.holdersOf(user.id);
    yield* this.removeRow(user);
    yield* this.log.overwrite(tx, user.id, NOBODY);
    yield* this.log.write(tx, type, Object.assign(this.removed(user), NOBODY));
    yield* this.revocations.end(tx, holders);
  }
}

function passwordOf(id: number): ReturnType<typeof sql> {
  return sql`SELECT password_hash FROM users WHERE id = ${id}`;
}

/**
 * Within an act that has locked the user: requires that the user still has the password with this hash. Another request
 * may have set a new password while the check of the present password waited.
 *
 * @throws Forbidden
 */
function* requirePassword(id: number, hash: string | null): Steps<void> {
  const row = yield* one<{ password_hash: string | null }>(passwordOf(id));
  if ((row?.password_hash ?? null) === hash) return;
  throw new Forbidden([], 'The password was changed while this request was in progress.');
}
