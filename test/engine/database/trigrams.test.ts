import BetterSqlite3 from 'better-sqlite3';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { revertLastMigration } from '../../../src/engine/database/migrations.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { createTrigrams, dropTrigrams, phraseOf } from '../../../src/engine/database/trigrams.js';
import { CreateItems1700000000000, freshDatabaseFor, insert, Item } from './items.js';

class IndexItems1700000000001 implements MigrationInterface {
  up(queryRunner: QueryRunner): Promise<void> {
    return createTrigrams(queryRunner, 'items', 'name');
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return dropTrigrams(queryRunner, 'items');
  }
}

const MIGRATIONS = [CreateItems1700000000000, IndexItems1700000000001];

async function opened(url: string, migrations = MIGRATIONS): Promise<Database> {
  const database = await Database.open({ url, entities: [Item], migrations });
  onTestFinished(() => database.close());
  return database;
}

async function indexed(): Promise<{ database: Database; url: string }> {
  const { url } = await freshDatabaseFor('sqlite');
  return { database: await opened(url), url };
}

/** The names that the index finds, in the order of ids. */
async function found(database: Database, text: string): Promise<unknown[]> {
  const rows = await database.reads.all<{ name: string }>(sql`
    SELECT items.name FROM items_trigrams t JOIN items ON items.id = t.rowid
    WHERE t.items_trigrams MATCH ${phraseOf(text)} ORDER BY t.rowid`);
  return rows.map(({ name }) => name);
}

describe('the index of trigrams on SQLite', () => {
  it('finds a row as soon as its act is committed, and follows changes and removals', async () => {
    const { database } = await indexed();
    const id = await database.unitOfWork.run(insert('walnut desk'));
    await database.unitOfWork.run(insert('walnut lamp'));
    expect(await found(database, 'walnut')).toEqual(['walnut desk', 'walnut lamp']);
    await database.unitOfWork.run(() => run(sql`UPDATE items SET name = 'oak desk' WHERE id = ${id}`));
    expect(await found(database, 'walnut')).toEqual(['walnut lamp']);
    expect(await found(database, 'desk')).toEqual(['oak desk']);
    await database.unitOfWork.run(() => run(sql`DELETE FROM items WHERE id = ${id}`));
    expect(await found(database, 'desk')).toEqual([]);
  });

  it('follows several changes of one row within one act, and a row that replaces another', async () => {
    const { database } = await indexed();
    await database.unitOfWork.run(function* (tx) {
      const id = yield* insert('first name')(tx);
      yield* run(sql`UPDATE items SET name = 'second name' WHERE id = ${id}`);
      yield* run(sql`DELETE FROM items WHERE id = ${id}`);
      yield* run(sql`INSERT INTO items (id, name, version) VALUES (${id}, 'third name', 1)`);
      yield* run(sql`INSERT OR REPLACE INTO items (id, name, version) VALUES (${id}, 'fourth name', 1)`);
    });
    expect(await found(database, 'name')).toEqual(['fourth name']);
  });

  it('does not find the rows of an act that failed', async () => {
    const { database } = await indexed();
    const failing = database.unitOfWork.run(function* (tx) {
      yield* insert('walnut desk')(tx);
      throw new Error('refused');
    });
    const kept = database.unitOfWork.run(insert('walnut lamp'));
    await expect(failing).rejects.toThrow('refused');
    await kept;
    expect(await found(database, 'walnut')).toEqual(['walnut lamp']);
  });

  it('contains the rows of another program after the next commit of the service', async () => {
    const { database, url } = await indexed();
    const other = new BetterSqlite3(url.replace('sqlite:', ''));
    onTestFinished(() => void other.close());
    other.exec(`INSERT INTO items (name, version) VALUES ('written by hand', 1)`);
    expect(await found(database, 'hand')).toEqual([]);
    await database.unitOfWork.run(insert('another'));
    expect(await found(database, 'hand')).toEqual(['written by hand']);
  });

  it('contains the rows from before its migration, and is gone when the migration is reverted', async () => {
    const { url } = await freshDatabaseFor('sqlite');
    const before = await opened(url, [CreateItems1700000000000]);
    await before.unitOfWork.run(insert('walnut desk'));
    const after = await opened(url);
    expect(await found(after, 'walnut')).toEqual(['walnut desk']);
    await revertLastMigration(after.dataSource);
    const left = await after.reads.all(sql`SELECT name FROM sqlite_master WHERE name LIKE '%trigrams%'`);
    expect(left).toEqual([]);
  });

  it('finds exactly the rows that contain the text, even with special characters', async () => {
    const { database } = await indexed();
    const parts = [
      'a',
      'A',
      'é',
      '"',
      "'",
      '*',
      '(',
      'AND',
      ' ',
      '-',
      '^',
      ':',
      '\\',
      '%',
      '😀',
      '\u0301',
      'ß',
      'ΣΑ',
    ];
    const names = Array.from(
      { length: 400 },
      (_, n) =>
        Array.from({ length: 9 }, (_part, at) => parts[(n * 7 + at * at * (n + 3)) % parts.length]).join('') +
        n,
    );
    await database.unitOfWork.run(function* (tx) {
      for (const name of names) yield* insert(name)(tx);
    });
    for (const name of names) {
      const characters = Array.from(name);
      for (const text of [name, characters.slice(1, 4).join(''), characters.slice(-5).join('')]) {
        expect([text, ...(await found(database, text))]).toEqual([
          text,
          ...names.filter((each) => each.includes(text)),
        ]);
      }
    }
  });

  it('has no search phrase for a text that it cannot find, for example a text of two characters', () => {
    for (const text of ['', 'ab', '😀😀', 'abc\0', 'abc\uFFFD', 'abc\uFFFF'])
      expect(phraseOf(text)).toBeNull();
    expect(phraseOf('say "hi"')).toBe('"say ""hi"""');
  });
});
