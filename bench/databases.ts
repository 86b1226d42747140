import BetterSqlite3 from 'better-sqlite3';
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TrigramIndexes } from '../src/engine/database/trigrams.ts';
import { searchText, searchTextOf } from '../src/engine/values/search-text.ts';
import { emailKey } from '../src/store/users/email-key.ts';
import { orderAt, productAt, userAt, usersFor } from './data.ts';
import { LIMIT_INDEX, LIMIT_TABLES } from './limit-store.ts';

const START = Date.UTC(2026, 0, 1);

export interface Databases {
  readonly service: string;
  readonly limit: string;
}

/**
 * Makes the databases of both servers in a folder, or uses those that an earlier run left there for the same number of
 * products.
 *
 * @param migrate lets the service create its tables in a new file. Only the service defines these tables.
 */
export async function makeDatabases(
  folder: string,
  products: number,
  migrate: (file: string) => Promise<void>,
): Promise<Databases> {
  await mkdir(folder, { recursive: true });
  const service = join(folder, `service-${products}.sqlite`);
  const limit = join(folder, `limit-${products}.sqlite`);
  await make(service, async (file) => {
    await migrate(file);
    seedService(file, products);
  });
  await make(limit, (file) => seedLimit(file, products));
  return { service, limit };
}

/** Copies the databases for a measurement that writes, so that its changes do not affect later measurements. */
export async function copyDatabases({ service, limit }: Databases, folder: string): Promise<Databases> {
  const copies = { service: join(folder, 'service-copy.sqlite'), limit: join(folder, 'limit-copy.sqlite') };
  await removeDatabases(copies);
  for (const [from, to] of [
    [service, copies.service],
    [limit, copies.limit],
  ] as const) {
    const handle = new BetterSqlite3(from);
    handle.pragma('wal_checkpoint(TRUNCATE)');
    handle.close();
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
  return copies;
}

export async function removeDatabases({ service, limit }: Databases): Promise<void> {
  for (const file of [service, limit]) await remove(file);
}

/**
 * Makes a file, unless it exists. The file is filled under another name, and renamed when it is complete. So an
 * unfinished file of an interrupted run is never used.
 */
async function make(file: string, fill: (file: string) => Promise<void> | void): Promise<void> {
  if (existsSync(file)) return;
  const unfinished = `${file}.part`;
  await remove(unfinished);
  await fill(unfinished);
  await rename(unfinished, file);
}

async function remove(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
}

/**
 * Fills a migrated file. The indexes are removed first, and created again at the end. This is much faster than an
 * update of the indexes for each row. The triggers stay, so that the block counts are the same as if the service had
 * stored each row.
 */
export function seedService(file: string, products: number): void {
  const users = usersFor(products);
  seed(file, (handle) => {
    const indexes = handle
      .prepare<[], { name: string; sql: string }>(
        `SELECT name, sql FROM sqlite_master
         WHERE type = 'index' AND tbl_name IN ('products', 'users', 'orders') AND sql IS NOT NULL`,
      )
      .all();
    for (const { name } of indexes) handle.exec(`DROP INDEX "${name}"`);
    fillProducts(handle, products);
    const insertUser = handle.prepare(
      `INSERT INTO users (id, name, email, email_key, search_text, version, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, 1, ?, ?)`,
    );
    for (let index = 0; index < users; index += 1) {
      const { id, name, email } = userAt(index);
      const searched = searchTextOf(name, email);
      insertUser.run(id, name, email, emailKey(email), searched, START + index, START + index);
    }
    const insertOrder = handle.prepare(
      `INSERT INTO orders (id, user_id, status, total_minor, version, created_at, updated_at)
       VALUES (?, ?, ?, ?, 1, ?, ?)`,
    );
    for (let index = 0; index < products; index += 1) {
      const { id, userId, totalMinor, status, createdAt } = orderAt(index, users);
      insertOrder.run(id, userId, status, totalMinor, createdAt, createdAt);
    }
    for (const { sql } of indexes) handle.exec(sql);
    new TrigramIndexes(handle).takeChanges();
  });
}

function fillProducts(handle: BetterSqlite3.Database, products: number): void {
  // The products have no description, like products that are created through version 1.
  const insert = handle.prepare(
    `INSERT INTO products
       (id, name, name_search, description, price_minor, is_sellable, in_stock, version, created_at, updated_at)
     VALUES (?, ?, ?, NULL, ?, ?, ?, 1, ?, ?)`,
  );
  for (let index = 0; index < products; index += 1) {
    const { id, name, priceMinor, inStock } = productAt(index);
    const flag = inStock ? 1 : 0;
    insert.run(id, name, searchText(name), priceMinor, flag, flag, START + index, START + index);
  }
}

export function seedLimit(file: string, products: number): void {
  const users = usersFor(products);
  seed(file, (handle) => {
    handle.exec(LIMIT_TABLES);
    const insert = handle.prepare('INSERT INTO products VALUES (?, ?, ?, ?)');
    for (let index = 0; index < products; index += 1) {
      const { id, name, priceMinor, inStock } = productAt(index);
      insert.run(id, name, priceMinor / 100, inStock ? 1 : 0);
    }
    const insertUser = handle.prepare('INSERT INTO users VALUES (?, ?, ?)');
    for (let index = 0; index < users; index += 1) {
      const { id, name, email } = userAt(index);
      insertUser.run(id, name, email);
    }
    const insertOrder = handle.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?)');
    for (let index = 0; index < products; index += 1) {
      const { id, userId, totalMinor, status, createdAt } = orderAt(index, users);
      insertOrder.run(id, userId, totalMinor / 100, status, new Date(createdAt).toISOString());
    }
    handle.exec(LIMIT_INDEX);
  });
}

/** Writes without any protection against a crash, because an unfinished file is deleted. */
function seed(file: string, fill: (handle: BetterSqlite3.Database) => void): void {
  const handle = new BetterSqlite3(file);
  try {
    handle.pragma('journal_mode = OFF');
    handle.pragma('synchronous = OFF');
    handle.pragma('locking_mode = EXCLUSIVE');
    handle.pragma('cache_size = -262144');
    handle.exec('BEGIN');
    fill(handle);
    handle.exec('COMMIT');
  } finally {
    handle.close();
  }
}
