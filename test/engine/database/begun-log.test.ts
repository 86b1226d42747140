import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/engine/database/database.js';
import { freshDatabaseFor, insert, Item, openItems } from './items.js';

const fileOf = (database: Database): string => String(database.dataSource.options.database);
const logBytes = (database: Database): number => statSync(`${fileOf(database)}-wal`).size;

/** A database that was closed after its last change, so its log (WAL) is gone. */
async function closedDatabase(): Promise<{ url: string; file: string; id: number }> {
  const { url } = await freshDatabaseFor('sqlite');
  const database = await openItems(url);
  const id = await database.unitOfWork.run(insert('before'));
  await database.close();
  return { url, file: fileOf(database), id };
}

describe('the log of a SQLite database', () => {
  it('is not empty after beginLog, which commits without a change of the data', async () => {
    const { url, file, id } = await closedDatabase();
    const handle = new BetterSqlite3(file);
    handle.pragma('user_version = 7');
    handle.close();

    const database = await openItems(url);
    expect(logBytes(database)).toBe(0);
    database.beginLog();

    expect(logBytes(database)).toBeGreaterThan(0);
    expect(await database.countedTables.of(Item).find(id)).toMatchObject({ name: 'before' });
    const [version] = await database.dataSource.query<{ user_version: number }[]>('PRAGMA user_version');
    expect(version).toEqual({ user_version: 7 });
  });

  it('gets no second commit if it is not empty', async () => {
    const { url } = await closedDatabase();
    const first = await openItems(url);
    first.beginLog();
    const bytes = logBytes(first);
    (await openItems(url)).beginLog();

    expect(bytes).toBeGreaterThan(0);
    expect(logBytes(first)).toBe(bytes);
  });
});
