import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../../../src/engine/database/database.js';
import { insert, Item, itemsDatabase } from './items.js';

/** Reads so often that the lock is held. */
async function readOften(database: Database, id: number): Promise<void> {
  for (let count = 0; count < 200; count += 1) await database.countedTables.of(Item).find(id);
}

/** A connection to the same file, like that of another process. */
function otherConnection(database: Database) {
  const handle = new BetterSqlite3(String(database.dataSource.options.database), { timeout: 0 });
  onTestFinished(() => {
    handle.close();
  });
  return handle;
}

/** Tries to empty the log (WAL). Returns false if a reader prevents this. */
function isLogEmptied(handle: ReturnType<typeof otherConnection>): boolean {
  const [{ busy } = { busy: 1 }] = handle.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return busy === 0;
}

describe('the shared lock of reads', () => {
  it('hides no commit of another connection', async () => {
    const { database } = await itemsDatabase('sqlite');
    const id = await database.unitOfWork.run(insert('before'));
    const other = otherConnection(database);
    const rename = other.prepare('UPDATE items SET name = ?, version = version + 1 WHERE id = ?');
    for (const name of ['first', 'second', 'third']) {
      await readOften(database, id);
      rename.run(name, id);
      expect(await database.countedTables.of(Item).find(id)).toMatchObject({ name });
    }
  });

  it('hides no commit of this process', async () => {
    const { database } = await itemsDatabase('sqlite');
    const items = database.countedTables.of(Item);
    for (let total = 1; total <= 3; total += 1) {
      const id = await database.unitOfWork.run(insert(`item ${total}`));
      await readOften(database, id);
      expect(await items.page(0, 20)).toMatchObject({ total, items: { length: total } });
    }
  });

  it('holds back a checkpoint only for a moment', async () => {
    const { database } = await itemsDatabase('sqlite');
    const id = await database.unitOfWork.run(insert('an item'));
    const other = otherConnection(database);
    await readOften(database, id);
    expect(isLogEmptied(other)).toBe(false);
    await vi.waitFor(() => expect(isLogEmptied(other)).toBe(true));
  });

  it('ends before a commit of this process, so the log can be emptied after the commit', async () => {
    const { database } = await itemsDatabase('sqlite');
    const id = await database.unitOfWork.run(insert('an item'));
    await readOften(database, id);
    await database.unitOfWork.run(insert('another item'));
    expect(isLogEmptied(otherConnection(database))).toBe(true);
  });
});
