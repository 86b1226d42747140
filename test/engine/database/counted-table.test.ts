import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import type { CountedTable } from '../../../src/engine/database/counted-table.js';
import type { Database } from '../../../src/engine/database/database.js';
import { BlockCounts } from '../../../src/engine/database/fenwick.js';
import { all, run, sql } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine, describeOnPostgres } from '../../support/fixtures/database.js';
import { insert, Item, itemsDatabase, openItems, remove, watch } from './items.js';

const counted = (database: Database): CountedTable<Item> => database.countedTables.of(Item);

/** Makes a function for random numbers. The same seed gives the same numbers, so a failure can be repeated. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function insertIds(database: Database, ids: readonly number[]): Promise<void> {
  await database.unitOfWork.run(function* () {
    for (const itemId of ids)
      yield* run(sql`INSERT INTO items (id, name) VALUES (${itemId}, ${`n${itemId}`})`);
  });
}

type Pages = readonly [offset: number, limit: number][];

async function answers(table: CountedTable<Item>, pages: Pages) {
  const given = [];
  for (const [offset, limit] of pages) {
    const { items, total } = await table.page(offset, limit);
    given.push({ offset, total, ids: items.map((item) => item.id) });
  }
  return given;
}

const totalOf = async (table: CountedTable<Item>): Promise<number> => (await table.page(0, 1)).total;

/** The expected pages: slices of the ordered ids. */
function expected(ids: readonly number[], pages: Pages) {
  const total = ids.length;
  return pages.map(([offset, limit]) => ({ offset, total, ids: ids.slice(offset, offset + limit) }));
}

describeOnEachEngine('counted table', (engine) => {
  it('returns empty pages for an empty table and after the last row', async () => {
    const { database } = await itemsDatabase(engine);
    const table = counted(database);
    expect(await table.page(0, 20)).toEqual({ items: [], total: 0 });
    expect(await table.page(1_000_000, 20)).toEqual({ items: [], total: 0 });
    const itemId = await database.unitOfWork.run(insert('a'));
    expect(await table.page(0, 20)).toEqual({
      items: [expect.objectContaining({ id: itemId, name: 'a' })],
      total: 1,
    });
    expect(await table.page(1, 20)).toEqual({ items: [], total: 1 });
  });

  it('returns the right pages and totals under random inserts, deletes and rollbacks', async () => {
    const { database } = await itemsDatabase(engine);
    const table = counted(database);
    const random = randomNumbers(42);
    let ids: number[] = [];
    let next = 1;
    for (let round = 0; round < 40; round += 1) {
      const added = Array.from({ length: random(120) }, () => (next += 1 + random(9)));
      await insertIds(database, added);
      ids.push(...added);
      const from = random(ids.length + 1);
      const removed = new Set(ids.slice(from, from + random(round % 5 === 0 ? 400 : 30)));
      const undone = database.unitOfWork.run(function* (tx) {
        for (const itemId of ids.slice(0, 3)) yield* remove(itemId)(tx);
        yield* insert(`undone ${round}`)(tx);
        throw new Error('undone');
      });
      const done = database.unitOfWork.run(function* (tx) {
        for (const itemId of removed) yield* remove(itemId)(tx);
      });
      await Promise.allSettled([undone, done]);
      ids = ids.filter((itemId) => !removed.has(itemId));
      const last = Math.max(0, ids.length - 20);
      const pages: Pages = [
        [0, 20],
        [last, 20],
        [random(ids.length + 1), 1 + random(300)],
        [random(ids.length + 1), 20],
        [ids.length, 20],
      ];
      expect(await answers(table, pages)).toEqual(expected(ids, pages));
    }
    expect(ids.length).toBeGreaterThan(300);
  });

  it('returns the rows with the highest ids in their current state, even after repeated reads', async () => {
    const { database } = await itemsDatabase(engine);
    const table = counted(database);
    const newest = async () => (await table.newest(3)).map((item) => [item.id, item.name]);
    expect(await newest()).toEqual([]);
    await insertIds(database, [2, 3, 5, 9_007_199_254_740_000]);
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await newest()).toEqual([
        [9_007_199_254_740_000, 'n9007199254740000'],
        [5, 'n5'],
        [3, 'n3'],
      ]);
    }
    await database.unitOfWork.run(() =>
      run(sql`UPDATE items SET name = 'renamed', version = version + 1 WHERE id = 3`),
    );
    await database.unitOfWork.run(remove(5));
    await insertIds(database, [4]);
    expect(await newest()).toEqual([
      [9_007_199_254_740_000, 'n9007199254740000'],
      [4, 'n4'],
      [3, 'renamed'],
    ]);
  });

  it('works with large gaps between ids, a new row in a gap, and blocks whose rows are all deleted', async () => {
    const { database } = await itemsDatabase(engine);
    const table = counted(database);
    const pages: Pages = Array.from({ length: 8 }, (_, offset) => [offset, 3]);
    const ids = [5, 1_000_000_000, 1_000_000_001, 4_000_000_000_000, 9_007_199_254_740_000];
    await insertIds(database, ids);
    expect(await answers(table, pages)).toEqual(expected(ids, pages));
    await insertIds(database, [700]);
    expect(await answers(table, pages)).toEqual(expected([5, 700, ...ids.slice(1)], pages));
    await database.unitOfWork.run(() => run(sql`DELETE FROM items WHERE id > 5 AND id < 5000000000`));
    expect(await answers(table, pages)).toEqual(expected([5, ...ids.slice(3)], pages));
    await database.unitOfWork.run(() => run(sql`DELETE FROM items`));
    expect(await answers(table, pages)).toEqual(expected([], pages));
  });

  it('does not count an insert that is ignored, or that updates an existing row instead', async () => {
    const { database } = await itemsDatabase(engine);
    const table = counted(database);
    await insertIds(database, [1, 2]);
    await database.unitOfWork.run(function* () {
      yield* all(sql`INSERT INTO items (name) VALUES ('n1') ON CONFLICT DO NOTHING RETURNING id`);
      yield* run(
        sql`INSERT INTO items (id, name) VALUES (2, 'again') ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
      );
    });
    expect((await table.page(0, 9)).items.map(({ name }) => name)).toEqual(['n1', 'again']);
    expect(await totalOf(table)).toBe(2);
  });

  it('notices the writes of another instance', async () => {
    const { database, fresh } = await itemsDatabase(engine);
    const table = counted(database);
    const other = await openItems(fresh.url);
    for (let n = 0; n < 5; n += 1) {
      await other.unitOfWork.run(insert(`theirs ${n}`));
      expect(await totalOf(table)).toBe(2 * n + 1);
      await database.unitOfWork.run(insert(`ours ${n}`));
      expect((await table.page(0, 99)).items).toHaveLength(2 * n + 2);
      expect(await totalOf(counted(other))).toBe(2 * n + 2);
    }
  });

  it('starts with the counts of the previous run', async () => {
    const { database, fresh } = await itemsDatabase(engine);
    await insertIds(database, [1, 2, 300]);
    await database.close();
    const again = await openItems(fresh.url);
    const pages: Pages = [
      [0, 2],
      [2, 2],
    ];
    expect(await answers(counted(again), pages)).toEqual(expected([1, 2, 300], pages));
  });
});

describe('counted table on one SQLite file', () => {
  it('notices writes outside of the unit of work', async () => {
    const { database } = await itemsDatabase('sqlite');
    const table = counted(database);
    await database.unitOfWork.run(insert('a'));
    expect(await totalOf(table)).toBe(1);
    await database.dataSource.query(`INSERT INTO items (name) VALUES ('b')`);
    expect(await totalOf(table)).toBe(2);
    await database.unitOfWork.run(insert('c'));
    expect(await totalOf(table)).toBe(3);
  });

  it('returns the same objects for a page and a row, until the row is updated or deleted', async () => {
    const { database } = await itemsDatabase('sqlite');
    const table = counted(database);
    await insertIds(database, [1, 2]);
    await table.page(0, 2);
    const page = await table.page(0, 2);
    expect(await table.page(0, 2)).toBe(page);
    await table.find(1);
    const first = await table.find(1);
    expect(await table.find(1)).toBe(first);
    // Only lists that were requested before share their rows.
    expect((await table.page(0, 1)).items[0]).toEqual(first);
    expect((await table.page(0, 1)).items[0]).toBe(first);
    expect(() => Object.assign(first as Item, { name: 'mine' })).toThrow(TypeError);
    await database.unitOfWork.run(() =>
      run(sql`UPDATE items SET name = 'new', version = version + 1 WHERE id = 1`),
    );
    expect(await table.find(1)).toMatchObject({ name: 'new', version: 2 });
    expect((await table.page(0, 2)).items.map(({ name }) => name)).toEqual(['new', 'n2']);
    await database.unitOfWork.run(() => run(sql`DELETE FROM items WHERE id = 1`));
    expect(await table.find(1)).toBeNull();
    expect((await table.page(0, 2)).items.map(({ name }) => name)).toEqual(['n2']);
  });

  it.each([
    ['127 other lists were requested in between', 127, true],
    ['128 other lists were requested in between', 128, false],
  ])('remembers a bounded number of requested lists: %s', async (_what, others, isRemembered) => {
    const { database } = await itemsDatabase('sqlite');
    const table = counted(database);
    await insertIds(database, [1, 2]);
    await table.page(0, 2);
    for (let n = 1; n <= others; n += 1) await table.page(2 * n, 2);
    // A list that is remembered is cached at its second request.
    const second = await table.page(0, 2);
    expect((await table.page(0, 2)) === second).toBe(isRemembered);

    await table.find(1);
    await table.find(1);
    const kept = await table.find(1);
    const slice = async (limit: number) => (await table.slice({ position: null, limit })).items[0];
    await slice(1);
    for (let n = 1; n <= others; n += 1) await slice(1 + n);
    // A list that is remembered has cached rows at its second request.
    expect((await slice(1)) === kept).toBe(isRemembered);
  });

  it('reads a page again if another program commits during the read', async () => {
    const { database, fresh } = await itemsDatabase('sqlite');
    const table = counted(database);
    await insertIds(database, [1, 2]);
    await totalOf(table);
    const other = new BetterSqlite3(fresh.url.slice('sqlite:'.length));
    // The counts are already in use when the other program commits, and the rows are not read yet.
    const located = vi.spyOn(BlockCounts.prototype, 'locate').mockImplementationOnce(() => {
      other.exec(`INSERT INTO items (id, name) VALUES (3, 'theirs')`);
      return { block: 0, skip: 0 };
    });
    try {
      expect(await answers(table, [[0, 9]])).toEqual(expected([1, 2, 3], [[0, 9]]));
      expect(located).toHaveBeenCalledTimes(2);
    } finally {
      located.mockRestore();
      other.close();
    }
  });

  it('has the right counts after INSERT OR REPLACE and INSERT OR IGNORE', async () => {
    const { database } = await itemsDatabase('sqlite');
    const table = counted(database);
    await insertIds(database, [1, 2]);
    expect(await totalOf(table)).toBe(2);
    await database.unitOfWork.run(() =>
      run(sql`INSERT OR REPLACE INTO items (id, name) VALUES (1, 'x'), (200, 'n2')`),
    );
    expect((await table.page(0, 9)).items.map((item) => item.id)).toEqual([1, 200]);
    await database.unitOfWork.run(() =>
      run(sql`INSERT OR IGNORE INTO items (id, name) VALUES (201, 'x'), (202, 'y'), (203, 'z')`),
    );
    expect((await table.page(0, 9)).items).toHaveLength(4);
    expect(await totalOf(table)).toBe(4);
  });

  it('cannot be opened if the table has lost its triggers', async () => {
    const { database, fresh } = await itemsDatabase('sqlite');
    const other = new BetterSqlite3(fresh.url.slice('sqlite:'.length));
    other.exec('DROP TRIGGER items_block_added');
    other.close();
    expect(() => counted(database)).toThrow(/createCounts/);
  });
});

describeOnPostgres('counted table under load', () => {
  it('returns exact totals and complete pages, and moves all deltas into the counts afterwards', async () => {
    const { database, fresh } = await itemsDatabase('postgres');
    const second = await openItems(fresh.url);
    const tables = [counted(database), counted(second)];
    const faults: unknown[] = [];
    const watching = tables.map((table) =>
      watch(async () => {
        const { items, total } = await table.page(0, 1_000_000);
        if (items.length !== total) faults.push({ total, items: items.length });
        const offset = Math.floor(total / 2);
        const page = await table.page(offset, 1_000_000);
        if (page.items.length !== Math.max(0, page.total - offset))
          faults.push({ offset, total: page.total });
      }),
    );
    const writers = [database, second].flatMap(({ unitOfWork }, instance) =>
      Array.from({ length: 4 }, async (_, writer) => {
        const mine: number[] = [];
        for (let n = 0; n < 150; n += 1) {
          mine.push(await unitOfWork.run(insert(`${instance} ${writer} ${n}`)));
          if (n % 3 === 2) await unitOfWork.run(remove(mine.splice(n % mine.length, 1)[0] ?? 0));
        }
      }),
    );
    await Promise.all(writers);
    for (const stop of watching) await stop();
    expect(faults).toEqual([]);
    expect(await totalOf(tables[0] as CountedTable<Item>)).toBe(800);
    await expect
      .poll(() => database.reads.one(sql`SELECT count(*) AS left FROM items_count_deltas`), {
        timeout: 60_000,
      })
      .toEqual({ left: 0 });
    const sums = sql`SELECT level, sum(n) AS n FROM items_counts GROUP BY level ORDER BY level`;
    expect(await database.reads.all(sums)).toEqual([0, 1, 2].map((level) => ({ level, n: 800 })));
  });

  it('counts no rows after TRUNCATE', async () => {
    const { database } = await itemsDatabase('postgres');
    const table = counted(database);
    await insertIds(database, [1, 2, 3]);
    await database.unitOfWork.run(() => run(sql`TRUNCATE items CASCADE`));
    expect(await totalOf(table)).toBe(0);
  });
});
