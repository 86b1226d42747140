import { expect, it } from 'vitest';
import { BulkInsert, reserveIds } from '../../../src/engine/database/bulk.js';
import { run } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { Item, itemsDatabase } from './items.js';

function rows(ids: readonly number[]): Item[] {
  return ids.map((id, index) => ({
    id,
    name: `№ ${index} "quoted" \\ ' \t`,
    listed: index % 2 === 0,
    stock: index % 3 === 0 ? null : index,
    priceMinor: 2 ** 53 - 1 - index,
    createdAt: index % 5 === 0 ? null : new Date(Date.UTC(1996, 6, 4) + index),
    seenAt: index % 3 === 0 ? null : new Date(Date.UTC(1996, 6, 5) + index),
    version: index + 1,
  }));
}

describeOnEachEngine('BulkInsert', (engine) => {
  it('stores values of each kind of column unchanged, and counts the rows', async () => {
    const { database } = await itemsDatabase(engine);
    const insert = new BulkInsert(database.dataSource, Item);
    const items = await database.unitOfWork.run(function* (tx) {
      const made = rows(yield* reserveIds(tx.engine, 'items', 3_000));
      yield* run(insert.of(made));
      return made;
    });
    const stored = await database.dataSource.getRepository(Item).find({ order: { id: 'ASC' } });
    expect(stored).toEqual(items.map((item) => Object.assign(new Item(), item)));
    expect((await database.countedTables.of(Item).page(2_999, 10)).items).toHaveLength(1);
  });

  it('uses ids that no other row has had or will get', async () => {
    const { database } = await itemsDatabase(engine);
    const insert = new BulkInsert(database.dataSource, Item);
    const repository = database.dataSource.getRepository(Item);
    const { id: first } = await repository.save({ name: 'first', listed: true, priceMinor: 1 } as Item);
    await repository.delete(first);
    const ids = await database.unitOfWork.run(function* (tx) {
      const reserved = yield* reserveIds(tx.engine, 'items', 5);
      yield* run(insert.of(rows(reserved)));
      return reserved;
    });
    expect(ids).toEqual([1, 2, 3, 4, 5].map((step) => first + step));
    const { id: next } = await repository.save({ name: 'next', listed: true, priceMinor: 1 } as Item);
    expect(next).toBeGreaterThan(ids[4] as number);
  });

  it('does nothing for an empty list of rows', async () => {
    const { database } = await itemsDatabase(engine);
    const insert = new BulkInsert(database.dataSource, Item);
    await database.unitOfWork.run(function* (tx) {
      yield* run(insert.of(rows(yield* reserveIds(tx.engine, 'items', 0))));
    });
    expect(await database.dataSource.getRepository(Item).count()).toBe(0);
  });
});
