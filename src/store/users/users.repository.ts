import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Revocations } from '../tokens/revocations.js';
import type { Context, Precondition, Wanted } from '../../engine/contract/context.js';
import type { Asker } from '../../engine/database/asker.js';
import { batchesOf } from '../../engine/database/batches.js';
import type { CountedTable } from '../../engine/database/counted-table.js';
import { Database } from '../../engine/database/database.js';
import { faultOf } from '../../engine/database/faults.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import {
  anyOf,
  forKeyShare,
  forUpdate,
  one,
  run,
  sql,
  type Row,
  type Sql,
  type Steps,
} from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { isReached, sliceOf, type Piece } from '../../engine/database/slices.js';
import { Conflict } from '../../engine/errors/errors.js';
import { EventLog } from '../../engine/events/event-log.js';
import type { Page, Slice } from '../../generated/contract.js';
import { emailKey } from './email-key.js';
import { User } from './user.entity.js';
import { deleted, NOBODY } from './user.events.js';

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
};

export interface UsersWanted {
  readonly page: number;
  readonly limit: number;
  /** Compared without regard to case. */
  readonly email: string | undefined;
}

/** Everything the service knows about users. */
@Injectable()
export class UsersRepository {
  private readonly user: Mapping<User>;
  private readonly table: CountedTable<User>;

  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly revocations: Revocations,
  ) {
    this.user = mappingOf(users.manager.dataSource, User);
    this.table = database.countedTables.of(User);
  }

  find(id: number): Promise<User | null> {
    return this.table.find(id);
  }

  async findMany(ids: readonly number[]): Promise<ReadonlyMap<number, User>> {
    const users = await this.database.reads.entities(
      this.user,
      sql`SELECT ${this.user.columns} FROM users WHERE id ${anyOf(ids)}`,
    );
    return new Map(users.map((user) => [user.id, user]));
  }

  /** The user that has an e-mail address, with the hash of the password. */
  async findCredential(
    email: string,
  ): Promise<{ readonly id: number; readonly name: string; readonly passwordHash: string | null } | null> {
    const row = await this.database.reads.one<{ id: number; name: string; password_hash: string | null }>(
      sql`SELECT id, name, password_hash FROM users WHERE email_key = ${emailKey(email.trim())}`,
    );
    return row ? { id: row.id, name: row.name, passwordHash: row.password_hash } : null;
  }

  /** Reads a page, in the order of ids. The total is exact. */
  async list({ page, limit, email }: UsersWanted): Promise<Page<User>> {
    const offset = (page - 1) * limit;
    if (email === undefined) return this.table.page(offset, limit);
    const key = emailKey(email.trim());
    const row = await this.database.reads.one(
      sql`SELECT ${this.user.columns} FROM users WHERE email_key = ${key}`,
    );
    return { items: row && offset === 0 ? [this.user.fromRow(row)] : [], total: row ? 1 : 0 };
  }

  /** The slice of the same list after or before a cursor. */
  async slice(email: string | undefined, piece: Piece): Promise<Slice<User>> {
    if (email === undefined) return this.table.slice(piece);
    const { items, total } = await this.list({ page: 1, limit: 1, email });
    const found = items.filter(({ id }) => isReached(piece.position, id));
    return sliceOf(found, piece, total, ({ id }) => [id]);
  }

  /** Reads all users, in the order of ids. */
  all(asker: Asker): AsyncIterable<readonly User[]> {
    const everything = this.users.createQueryBuilder('u');
    return batchesOf(this.database.scans.of(asker), this.user, everything, everything);
  }

  /** @throws Conflict `EMAIL_TAKEN` */
  create(user: NewUser, { origin }: Pick<Context, 'origin'>): Promise<User> {
    return this.database.unitOfWork.run((tx) => this.insert(tx, user), { origin });
  }

  /**
   * Changes the given members, all or none; null when there is no such user. The version rises only if a member that is
   * shown really changed. A new password ends the tokens of the user, and also the keys if `endsKeys` is set.
   *
   * @throws PreconditionFailed
   * @throws Conflict `EMAIL_TAKEN`
   */
  update(
    id: number,
    changes: Wanted<UserChanges, User>,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<User | null> {
    return this.database.unitOfWork.run((tx) => this.change(tx, id, changes, precondition), { origin });
  }

  /**
   * Removes a user, ends its tokens, and returns the user as it was; null when there is no such user.
   *
   * @param anonymise whether orders are kept without naming their user; otherwise a user that has orders is not removed
   * @throws PreconditionFailed
   * @throws Conflict `USER_HAS_ORDERS`
   */
  delete(
    id: number,
    anonymise: boolean,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<User | null> {
    return this.database.unitOfWork.run((tx) => this.remove(tx, id, anonymise, precondition), { origin });
  }

  /**
   * Ends all tokens and sessions of a user, and returns the user; null when there is no such user. API keys and the
   * password stay valid.
   */
  signOut(id: number, { origin }: Pick<Context, 'origin'>): Promise<User | null> {
    return this.database.unitOfWork.run((tx) => this.end(tx, id), { origin });
  }

  /** Within an act: whether there is such a user. If so, no other act can remove the user before this act is over. */
  *keep(id: number): Steps<boolean> {
    return (yield* one(sql`SELECT id FROM users WHERE id = ${id} ${forKeyShare}`)) !== undefined;
  }

  private *insert(tx: Transaction, { name, email, passwordHash }: NewUser): Steps<User> {
    const now = new Date();
    const address = email.trim();
    const user = yield* this.written(
      sql`
      INSERT INTO users (name, email, email_key, password_hash, version, created_at, updated_at)
      VALUES (${name.trim()}, ${address}, ${emailKey(address)}, ${passwordHash ?? null}, 1, ${now}, ${now})
      RETURNING ${this.user.columns}`,
      address,
    );
    yield* this.log.write(tx, 'user.created', user);
    return user;
  }

  private *change(
    tx: Transaction,
    id: number,
    wanted: Wanted<UserChanges, User>,
    precondition: Precondition,
  ): Steps<User | null> {
    const user = yield* this.read(id);
    if (!user) return null;
    precondition.check(user, 'The user');
    const changes = typeof wanted === 'function' ? wanted(user) : wanted;
    const name = changes.name?.trim() ?? user.name;
    const email = changes.email?.trim() ?? user.email;
    const isShown = name !== user.name || email !== user.email;
    const { passwordHash = null } = changes;
    if (!isShown && passwordHash === null) return user;
    const changed = yield* this.written(
      sql`
      UPDATE users SET
        name = ${name}, email = ${email}, email_key = ${emailKey(email)},
        password_hash = COALESCE(${passwordHash}, password_hash),
        version = ${user.version + (isShown ? 1 : 0)}, updated_at = ${isShown ? new Date() : user.updatedAt}
      WHERE id = ${id} RETURNING ${this.user.columns}`,
      email,
    );
    if (isShown) yield* this.log.write(tx, 'user.updated', changed);
    // A new password ends the tokens that the user got with the old password. A new address alone ends no tokens, but
    // processes remember Basic credentials with the old address. So `end` is called without holders, to report the
    // change.
    if (passwordHash !== null && changes.endsKeys) yield* this.revocations.endKeysOf(id);
    if (passwordHash !== null) yield* this.revocations.end(tx, [{ userId: id }]);
    else if (email !== user.email) yield* this.revocations.end(tx, []);
    return changed;
  }

  private *remove(
    tx: Transaction,
    id: number,
    anonymise: boolean,
    precondition: Precondition,
  ): Steps<User | null> {
    const user = yield* this.read(id);
    if (!user) return null;
    precondition.check(user, 'The user');
    const holders = yield* this.revocations.holdersOf(id);
    if (anonymise) {
      yield* run(sql`
        UPDATE orders SET user_id = NULL, version = version + 1, updated_at = ${new Date()} WHERE user_id = ${id}`);
    }
    try {
      yield* run(sql`DELETE FROM users WHERE id = ${id}`);
    } catch (error) {
      if (faultOf(error).kind !== 'foreign_key') throw error;
      throw new Conflict(
        'USER_HAS_ORDERS',
        `The user ${id} has orders. Use anonymise to keep the orders without a reference to the user.`,
        {
          cause: error,
        },
      );
    }
    yield* this.log.overwrite(tx, id, NOBODY);
    yield* this.log.write(tx, anonymise ? 'user.anonymised' : 'user.deleted', deleted(user));
    yield* this.revocations.end(tx, holders);
    return user;
  }

  private *end(tx: Transaction, id: number): Steps<User | null> {
    const user = yield* this.read(id);
    if (!user) return null;
    yield* this.revocations.end(tx, yield* this.revocations.holdersOf(id));
    return user;
  }

  /** Runs a statement that inserts or updates the e-mail address of a user. @throws Conflict `EMAIL_TAKEN` */
  private *written(statement: Sql, email: string): Steps<User> {
    try {
      return this.user.fromRow((yield* one(statement)) as Row);
    } catch (error) {
      if (faultOf(error).constraint !== 'users.email_key') throw error;
      throw new Conflict('EMAIL_TAKEN', `Another user has the e-mail address ${email}.`, { cause: error });
    }
  }

  private *read(id: number): Steps<User | null> {
    const row = yield* one(sql`SELECT ${this.user.columns} FROM users WHERE id = ${id} ${forUpdate}`);
    return row ? this.user.fromRow(row) : null;
  }
}
