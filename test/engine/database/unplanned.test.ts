import { expect, it } from 'vitest';
import { raw, sql, textOf, UNPLANNED, type Sql } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { insert, itemsDatabase } from './items.js';

describeOnEachEngine('a number after UNPLANNED', (engine) => {
  it('is an expression for SQLite, and only a parameter for PostgreSQL', () => {
    const text = textOf(sql`SELECT id FROM items ORDER BY id LIMIT ${UNPLANNED} ${2}`, engine);
    expect(text).toMatch(engine === 'sqlite' ? /LIMIT 0 \+ \?$/ : /LIMIT +\$1$/);
  });

  it('can be used in WHERE and in LIMIT', async () => {
    const { database } = await itemsDatabase(engine);
    for (const name of ['a', 'b', 'c']) await database.unitOfWork.run(insert(name));
    const names = async (statement: Sql) =>
      (await database.reads.all<{ name: string }>(statement)).map(({ name }) => name);
    const [, second] = await database.reads.all<{ id: number }>(raw('SELECT id FROM items ORDER BY id', []));
    const id = Number(second?.id);
    const after = (most: number) =>
      names(
        sql`SELECT name FROM items WHERE id >= ${UNPLANNED} ${id} ORDER BY id LIMIT ${UNPLANNED} ${most}`,
      );
    expect(await after(10)).toEqual(['b', 'c']);
    expect(await after(1)).toEqual(['b']);
    expect(await names(sql`SELECT name FROM items WHERE id = ${UNPLANNED} ${id}`)).toEqual(['b']);
  });
});
