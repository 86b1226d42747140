import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { raw, type Value } from '../../../src/engine/database/sql.js';
import { Dialect, UNWRITABLE } from '../../../src/engine/documents/dialect.js';
import type { Column } from '../../../src/engine/documents/row-types.js';
import { randomFrom } from '../../../testkit/random.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';

function column(kind: Column['kind'], isNullable = false): Column {
  return {
    name: 'v',
    kind,
    isNullable,
  };
}

describeOnEachEngine('JSON that SQL writes', (engine) => {
  const dialect = Dialect.of(engine);
  const random = randomFrom(7);
  let fresh: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await Database.open({ url: fresh.url, entities: [], migrations: [] });
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  /** Lets SQL write many values, in one statement. */
  const written = async (text: string, type: string, values: readonly Value[]): Promise<unknown[]> => {
    const list = JSON.stringify(values);
    const rows =
      engine === 'sqlite'
        ? 'SELECT value AS v FROM json_each(?) ORDER BY key'
        : `SELECT (value #>> '{}')::${type} AS v
           FROM json_array_elements($1::json) WITH ORDINALITY e(value, n) ORDER BY n`;
    const found = await database.reads.all(raw(`SELECT (${text})||'' AS text FROM (${rows}) r`, [list]));
    return found.map((row) => row['text']);
  };

  it('has an amount with the same digits as a division in JavaScript', async () => {
    const most = 2 ** 46 * 100 - 1;
    const amounts = [
      ...Array.from({ length: 20_000 }, (_none, index) => index),
      ...Array.from({ length: 20_000 }, () => Math.floor(random() * most)),
      ...Array.from({ length: 20_000 }, (_none, index) => most - index),
    ];
    expect(await written(dialect.major('v', 100), 'bigint', amounts)).toEqual(
      amounts.map((amount) => JSON.stringify(amount / 100)),
    );
    expect(await written(dialect.major('v', 1), 'bigint', amounts)).toEqual(amounts.map(String));
  });

  it('has the mark UNWRITABLE for a negative amount, and for an amount that is too large', async () => {
    const unknown = [-1, -100, 2 ** 46 * 100, Number.MAX_SAFE_INTEGER];
    expect(await written(dialect.major('v', 100), 'bigint', unknown)).toEqual(unknown.map(() => UNWRITABLE));
  });

  it('has a text in the form of JSON.stringify', async () => {
    const texts: string[] = [];
    for (let point = engine === 'sqlite' ? 0 : 1; point <= 0x10ffff; point += point < 0x3000 ? 1 : 97) {
      if (point < 0xd800 || point > 0xdfff) texts.push(`a${String.fromCodePoint(point)}"\\`);
    }
    const text = dialect.value('v', column('text'), 'String') as string;
    expect(await written(text, 'text', texts)).toEqual(texts.map((one) => JSON.stringify(one)));
  });

  it('has a moment in the form of toISOString', async () => {
    const most = Date.parse('9999-12-31T23:59:59.999Z');
    const moments = [0, 1, 59_999, 60_000, most, most - 1].concat(
      Array.from({ length: 20_000 }, () => Math.floor(random() * most)),
    );
    const iso = moments.map((moment) => new Date(moment).toISOString());
    const text = dialect.value('v', column('moment'), 'DateTime') as string;
    const stored = engine === 'sqlite' ? moments : iso;
    expect(await written(text, 'timestamptz', stored)).toEqual(iso.map((one) => `"${one}"`));
    const others =
      engine === 'sqlite' ? [-1, most + 1] : ['1969-12-31T23:59:59.999Z', '10000-01-01T00:00:00Z'];
    expect(await written(text, 'timestamptz', others)).toEqual([UNWRITABLE, UNWRITABLE]);
  });

  it('has a whole number within the bounds of its type, and otherwise the mark UNWRITABLE', async () => {
    const integers = [0, -1, 2 ** 31 - 1, -(2 ** 31)];
    const int = dialect.value('v', column('integer'), 'Int') as string;
    expect(await written(int, 'bigint', integers)).toEqual(integers.map(String));
    expect(await written(int, 'bigint', [2 ** 31, -(2 ** 31) - 1])).toEqual([UNWRITABLE, UNWRITABLE]);
    const safe = dialect.value('v', column('id'), 'SafeInt') as string;
    expect(await written(safe, 'bigint', [Number.MAX_SAFE_INTEGER])).toEqual(['9007199254740991']);
    const id = dialect.value('v', column('id'), 'ID') as string;
    expect(await written(id, 'bigint', [Number.MAX_SAFE_INTEGER])).toEqual(['"9007199254740991"']);
  });

  it('is null for a row without a value, and there is no SQL for a type that does not fit the column', async () => {
    for (const kind of ['id', 'text', 'moment', 'boolean'] as const) {
      const type = { id: 'ID', text: 'String', moment: 'DateTime', boolean: 'Boolean' }[kind];
      const stored = { id: 'bigint', text: 'text', moment: 'timestamptz', boolean: 'boolean' }[kind];
      const text = dialect.value('v', column(kind, true), type) as string;
      expect(await written(text, stored, [null])).toEqual([null]);
      expect(dialect.value('v', column(kind), 'Float')).toBeNull();
    }
  });
});
