import { expect, it } from 'vitest';
import { batchesOf } from '../../../src/engine/database/batches.js';
import { built } from '../../../src/engine/database/built.js';
import { filteredPage } from '../../../src/engine/database/filtered-page.js';
import { BY_ID, keysetSlice } from '../../../src/engine/database/keyset.js';
import { mappingOf } from '../../../src/engine/database/mapping.js';
import type { ScansOfOne } from '../../../src/engine/database/long-reads.js';
import type { Row, Sql } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { insert, Item, itemsDatabase } from './items.js';

describeOnEachEngine('a statement of the query builder', (engine) => {
  it('binds numbers, texts and flags, and finds the right rows with reads and with scans', async () => {
    const { database } = await itemsDatabase(engine);
    for (const name of ['a', 'b', 'c']) await database.unitOfWork.run(insert(name));
    const query = database.dataSource
      .createQueryBuilder(Item, 'i')
      .select('i.name', 'name')
      .where('i.id > :after AND i.id < :before AND i.name <> :name AND i.listed = :listed')
      .andWhere('i.priceMinor < :price')
      .setParameters({ after: 1, before: 2 ** 40, name: 'c', listed: true, price: 2 ** 50 });
    const statement = built(query);
    expect(statement.source).not.toMatch(/> 1|1099511627776|1125899906842624/);
    expect(statement.values).toHaveLength(5);
    expect(await database.reads.all(statement)).toEqual([{ name: 'b' }]);
    expect(await database.scans.of({ name: 'a test', isGone: () => false }).all(statement)).toEqual([
      { name: 'b' },
    ]);
  });

  it('has the same text for all ids, so the batches and pages of a list need few different texts', async () => {
    const { database } = await itemsDatabase(engine);
    const mapping = mappingOf(database.dataSource, Item);
    const texts = new Set<unknown>();
    const asker = { name: 'a test', isGone: () => false };
    const scans = database.scans.of(asker);
    const noting: Pick<ScansOfOne, 'all' | 'one' | 'asker'> = {
      asker,
      all: <R = Row>(statement: Sql) => {
        texts.add(statement.source);
        return scans.all<R>(statement);
      },
      one: <R = Row>(statement: Sql) => {
        texts.add(statement.source);
        return scans.one<R>(statement);
      },
    };
    const all = () => database.dataSource.createQueryBuilder(Item, 'i').select('i.*');
    const readAll = async (first: number) => {
      const matching = all().where('i.id >= :first', { first });
      for await (const rows of batchesOf(noting as ScansOfOne, mapping, all(), matching)) {
        expect(rows.length).toBeGreaterThan(0);
      }
      const sort = (query: typeof matching) => query.clone().orderBy('i.id');
      await filteredPage(noting, mapping, matching, sort, { page: 1, limit: 20 });
      const position = { key: [first], isBackwards: false };
      const sliced = { reads: noting, mapping, matching, ...BY_ID };
      await keysetSlice(sliced, { position, limit: 20 }, null);
    };
    await database.unitOfWork.run(insert('a'));
    await readAll(1);
    const { size } = texts;
    for (const name of ['b', 'c', 'd']) await database.unitOfWork.run(insert(name));
    for (const first of [2, 3, 4]) await readAll(first);
    expect(size).toBe(5);
    expect(texts.size).toBe(size);
  });
});
