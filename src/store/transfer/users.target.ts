import type { DataSource } from 'typeorm';
import { raised } from '../../engine/access/credential-changes.js';
import { BulkInsert, eachText } from '../../engine/database/bulk.js';
import { timeOfImportedChange } from '../../engine/database/change-time.js';
import { all, forUpdate, one, run, sql, type Row, type Steps } from '../../engine/database/sql.js';
import { searchTextOf } from '../../engine/values/search-text.js';
import { emailKey } from '../users/email-key.js';
import { User } from '../users/user.entity.js';
import type { Fault } from './raw-row.js';
import type { UserData } from './prepare.js';
import type { Changing, Target } from './target.js';

export class UsersTarget implements Target<UserData> {
  readonly #users: BulkInsert<User>;
  /** Whether a row of the present act changes an e-mail address. */
  #hasNewAddress = false;

  constructor(dataSource: DataSource) {
    this.#users = new BulkInsert(dataSource, User);
  }

  /** Refuses a row whose e-mail address belongs to another user of the store, even if no import made that user. */
  *resolve(rows: readonly Changing[]): Steps<readonly (UserData | readonly Fault[])[]> {
    this.#hasNewAddress = false;
    const keys = rows.map(({ data }) => emailKey((data as UserData).email));
    const taken = yield* all<{ id: number; key: string }>(sql`
      SELECT id, email_key AS key FROM users
      WHERE email_key IN (SELECT value FROM ${eachText}(${JSON.stringify(keys)}))`);
    const owners = new Map(taken.map(({ id, key }) => [key, id]));
    return rows.map(({ data, ownId }, index) => {
      const owner = owners.get(keys[index] as string);
      const user = data as UserData;
      if (owner === undefined || owner === ownId) return user;
      return [
        { column: 'email', value: user.email, reason: `is already the address of another user, ${owner}` },
      ];
    });
  }

  *insert(rows: readonly { id: number; row: UserData }[]): Steps<void> {
    const now = Date.now();
    const users = rows.map(({ id, row: { name, email, createdAt, updatedAt } }) => ({
      id,
      name,
      email,
      emailKey: emailKey(email),
      searchText: searchTextOf(name, email),
      version: 1,
      createdAt: new Date(createdAt ?? now),
      updatedAt: new Date(updatedAt ?? createdAt ?? now),
    }));
    yield* run(this.#users.of(users));
  }

  *update(id: number, { name, email, createdAt, updatedAt }: UserData): Steps<boolean> {
    const before = yield* one<Row & { email: string; updated_at: Date | number }>(
      sql`SELECT email, updated_at FROM users WHERE id = ${id} ${forUpdate}`,
    );
    if (before === undefined) return false;
    this.#hasNewAddress ||= before.email !== email;
    yield* run(sql`
      UPDATE users SET name = ${name}, email = ${email}, email_key = ${emailKey(email)},
        search_text = ${searchTextOf(name, email)}, version = version + 1,
        updated_at = ${timeOfImportedChange(new Date(before.updated_at), updatedAt)} WHERE id = ${id}`);
    if (createdAt !== null && createdAt !== undefined) {
      yield* run(sql`UPDATE users SET created_at = ${new Date(createdAt)} WHERE id = ${id}`);
    }
    return false;
  }

  /**
   * Reports a changed e-mail address to all processes, because they remember Basic credentials with the old address.
   * This step is the last of the act, because it locks a row for which other acts wait until the commit.
   */
  *conclude(): Steps<void> {
    if (this.#hasNewAddress) yield* raised();
  }
}
