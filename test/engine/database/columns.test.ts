import { expect, it } from 'vitest';
import { mappingOf } from '../../../src/engine/database/mapping.js';
import { all, one, run, sql } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine, describeOnPostgres } from '../../support/fixtures/database.js';
import { insert, Item, itemsDatabase, names, remove } from './items.js';

const createdAt = new Date('2026-11-21T08:00:00.123Z');

describeOnEachEngine('columns', (engine) => {
  it('become the members of entities, as with TypeORM', async () => {
    const { database } = await itemsDatabase(engine);
    const { dataSource, reads, unitOfWork } = database;
    const mapping = mappingOf(dataSource, Item);
    await unitOfWork.run(() =>
      run(sql`INSERT INTO items (name, listed, stock, price_minor, created_at)
              VALUES (${'Tea'}, ${false}, ${null}, ${1_000_000_000_000}, ${createdAt})`),
    );
    const row = await reads.one(sql`SELECT ${mapping.columns} FROM items`);
    const item = mapping.fromRow(row ?? {});
    expect(mapping.fromValues(Object.values(row ?? {}))).toEqual(item);
    expect(item).toBeInstanceOf(Item);
    expect(item).toMatchObject({
      name: 'Tea',
      listed: false,
      stock: null,
      priceMinor: 1_000_000_000_000,
      version: 1,
    });
    expect(item.createdAt).toEqual(createdAt);
    expect(await dataSource.getRepository(Item).findOneBy({ id: item.id })).toEqual(item);
    expect(await reads.one(sql`SELECT id FROM items WHERE created_at = ${createdAt}`)).toEqual({
      id: item.id,
    });
  });

  it('of instants and flags can be searched with TypeORM too', async () => {
    const { database } = await itemsDatabase(engine);
    const items = database.dataSource.getRepository(Item);
    const saved = await items.save({
      name: 'Tea',
      listed: true,
      stock: 3,
      priceMinor: 450,
      createdAt,
      version: 1,
    });
    const found = await items.findOneBy({ createdAt, listed: true });
    expect(found).toMatchObject({ id: saved.id, stock: 3, priceMinor: 450, createdAt });
    const row = await database.reads.one(sql`SELECT * FROM items`);
    expect(mappingOf(database.dataSource, Item).fromRow(row ?? {})).toEqual(found);
  });

  it.each([
    ['the same instant', createdAt, createdAt],
    ['different instants', createdAt, new Date(createdAt.getTime() + 1)],
    ['only the first instant', createdAt, null],
    ['only the second instant', null, createdAt],
    ['no instant', null, null],
  ])('of instants are right in a row with %s', async (_what, first, second) => {
    const { database } = await itemsDatabase(engine);
    const mapping = mappingOf(database.dataSource, Item);
    await database.unitOfWork.run(() =>
      run(sql`INSERT INTO items (name, created_at, seen_at) VALUES (${'Tea'}, ${first}, ${second})`),
    );
    const row = await database.reads.one(sql`SELECT ${mapping.columns} FROM items`);
    const item = mapping.fromRow(row ?? {});
    expect([item.createdAt, item.seenAt]).toEqual([first, second]);
    expect(mapping.fromValues(Object.values(row ?? {}))).toEqual(item);
    // One object for both takes less memory. PostgreSQL's driver makes the objects itself.
    const isShared = first === second && (engine === 'sqlite' || first === null);
    expect(item.createdAt === item.seenAt).toBe(isShared);
  });

  it('that the statement does not select leave their members undefined', async () => {
    const { database } = await itemsDatabase(engine);
    expect(mappingOf(database.dataSource, Item).fromRow({ name: 'a' })).toMatchObject({
      name: 'a',
      createdAt: undefined,
    });
  });

  it('of texts are ordered by code point', async () => {
    const { database } = await itemsDatabase(engine);
    const ordered = ['', 'A', 'Z', 'a', 'a b', 'ab', 'z', 'Ä', 'ä', '\uFFEE', '😀'];
    for (const name of ordered.toReversed()) await database.unitOfWork.run(insert(name));
    const rows = await database.unitOfWork.run(() =>
      all<{ name: string }>(sql`SELECT name FROM items ORDER BY name`),
    );
    expect(rows.map(({ name }) => name)).toEqual(ordered);
  });

  it('of ids never use an id again', async () => {
    const { database } = await itemsDatabase(engine);
    const first = await database.unitOfWork.run(insert('a'));
    await database.unitOfWork.run(remove(first));
    const second = await database.unitOfWork.run(insert('b'));
    expect(second).toBeGreaterThan(first);
    expect(await names(database)).toEqual(['b']);
  });

  it('of whole numbers can be divided, even for large numbers, and the remainder is dropped', async () => {
    const { database } = await itemsDatabase(engine);
    const row = await database.unitOfWork.run(function* (tx) {
      return tx.engine === 'sqlite'
        ? yield* one(sql`SELECT ${5_000_000_001} / 2 AS half`)
        : yield* one(sql`SELECT ${5_000_000_001}::bigint / 2 AS half`);
    });
    expect(row).toEqual({ half: 2_500_000_000 });
  });
});

describeOnPostgres('columns of large numbers', () => {
  it('fail for a number beyond 53 bits instead of rounding it', async () => {
    const { database } = await itemsDatabase('postgres');
    await expect(database.reads.one(sql`SELECT 9007199254740993 AS n`)).rejects.toThrow(RangeError);
    expect(await database.reads.one(sql`SELECT 9007199254740991 AS n`)).toEqual({ n: 9_007_199_254_740_991 });
  });
});
