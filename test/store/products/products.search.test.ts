import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create } from '../../support/fixtures/fixtures.js';
import { LongReads } from '../../../src/engine/database/long-reads.js';
import type { Sql } from '../../../src/engine/database/sql.js';

interface Seen {
  readonly name: string;
  readonly price: number;
  readonly in_stock: boolean;
}

const WOODS = ['Oak', 'Walnut', 'Éclair "X"', 'Straße'];
const THINGS = ['table', 'desk', '50% off', "o'clock"];
const PRODUCTS: readonly Seen[] = Array.from({ length: 60 }, (_, n) => ({
  name: `${WOODS[n % 4]} ${THINGS[(n * 7 + (n >> 3)) % 4]} No. ${n}`,
  price: ((n * 37) % 50) + 1,
  in_stock: n % 3 !== 0,
}));

/** The key of a name in the search: capital letters without accents. */
const normalised = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .toUpperCase();

const TEXTS = [
  'oak',
  'Oak table',
  'eclair "x',
  '50% off no. 1',
  "o'clock",
  'strasse',
  'no. 5',
  'zzz',
  'no',
  'x',
];
const FILTERS: readonly { query: string; keeps: (product: Seen) => boolean }[] = [
  { query: '', keeps: () => true },
  { query: '&in_stock=false', keeps: (product) => !product.in_stock },
  { query: '&min_price=10&max_price=30', keeps: ({ price }) => price >= 10 && price <= 30 },
];
const ORDERS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '': (a, b) => a - b,
  '&sort=-id': (a, b) => b - a,
  '&sort=price': (a, b) => at(a).price - at(b).price || a - b,
  '&sort=-price,-id': (a, b) => at(b).price - at(a).price || b - a,
};

const at = (index: number): Seen => PRODUCTS[index] as Seen;

describeOnEachEngine('a search', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
    for (const product of PRODUCTS) await create(store, product);
  });
  afterAll(() => store.close());

  const byPages = async (query: string, count: number): Promise<string[]> => {
    const names: string[] = [];
    for (let page = 1; page <= Math.ceil(count / 7) + 1; page += 1) {
      const { body, headers } = await store.call('GET', `/api/v1/products?${query}&limit=7&page=${page}`);
      expect([query, headers.get('x-total-count')]).toEqual([query, String(count)]);
      names.push(...(body as Seen[]).map(({ name }) => name));
    }
    return names;
  };

  const byCursors = async (query: string): Promise<{ names: string[]; oneBack: string | undefined }> => {
    const names: string[] = [];
    let oneBack: string | undefined;
    for (let next: string | undefined = `/api/v2/products?${query}&limit=7`; next !== undefined;) {
      const { body, headers } = await store.call('GET', next);
      names.push(...(body.data as Seen[]).map(({ name }) => name));
      const links = headers.get('link') ?? '';
      next = /<([^>]*)>; rel="next"/.exec(links)?.[1];
      oneBack = /<([^>]*)>; rel="prev"/.exec(links)?.[1] ?? oneBack;
    }
    return { names, oneBack };
  };

  it.for(TEXTS)('for %s finds the right products with every filter and order', async (text) => {
    for (const { query: filter, keeps } of FILTERS) {
      for (const [order, compare] of Object.entries(ORDERS)) {
        const query = `q=${encodeURIComponent(text)}${filter}${order}`;
        const expected = PRODUCTS.map((_, index) => index)
          .filter((index) => keeps(at(index)) && normalised(at(index).name).includes(normalised(text)))
          .toSorted(compare)
          .map((index) => at(index).name);
        expect([query, ...(await byPages(query, expected.length))]).toEqual([query, ...expected]);
        const { names, oneBack } = await byCursors(query);
        expect([query, ...names]).toEqual([query, ...expected]);
        if (oneBack === undefined) continue;
        const { body } = await store.call('GET', oneBack);
        const end = Math.floor((expected.length - 1) / 7) * 7;
        const before = (body.data as Seen[]).map(({ name }) => name);
        expect([oneBack, ...before]).toEqual([oneBack, ...expected.slice(end - 7, end)]);
      }
    }
  });

  it('is the same in a connection of GraphQL', async () => {
    const { data } = await store.graphql(
      '{ productsConnection(q: "oak table", first: 5) { totalCount nodes { name } } }',
    );
    const names = PRODUCTS.map(({ name }) => name).filter((name) => name.startsWith('Oak table'));
    expect(data.productsConnection).toEqual({
      totalCount: names.length,
      nodes: names.slice(0, 5).map((name) => ({ name })),
    });
  });
});

describe('a search on SQLite', () => {
  let store: TestApp;
  const statements: Sql[] = [];
  beforeAll(async () => {
    store = await startApp('sqlite');
    const scans = store.app.get(LongReads, { strict: false });
    const original = scans.run.bind(scans);
    scans.run = (asker, statement: Sql) => {
      statements.push(statement);
      return original(asker, statement);
    };
    await store.app.get(Database, { strict: false }).unitOfWork.run(() =>
      run(sql`
        WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 20000)
        INSERT INTO products
          (name, name_search, price_minor, is_sellable, in_stock, version, created_at, updated_at)
        SELECT 'Product ' || n, 'PRODUCT ' || n, n, true, true, 1, ${new Date()}, ${new Date()} FROM many`),
    );
  });
  afterAll(() => store.close());

  /** The plans of SQLite for the statements of a request. */
  const plans = async (query: string): Promise<string[]> => {
    statements.length = 0;
    expect((await store.call('GET', `/api/v2/products?limit=5&${query}`)).status).toBe(200);
    const { dataSource } = store.app.get(Database, { strict: false });
    return Promise.all(
      statements.map(async ({ source, values }) => {
        // The writing connection does not have this function.
        const text = String(source).replaceAll('scan_goes_on()', '1');
        const steps = (await dataSource.query(`EXPLAIN QUERY PLAN ${text}`, [...values])) as {
          detail: string;
        }[];
        return steps.map(({ detail }) => detail).join('; ');
      }),
    );
  };

  it('reads the index of trigrams first, in the order of ids', async () => {
    for (const query of ['q=199', 'q=199&sort=-id', 'q=199&in_stock=true']) {
      const steps = await plans(query);
      expect(steps).toHaveLength(2);
      for (const each of steps) {
        expect(each).toMatch(/SCAN t VIRTUAL TABLE/);
        expect(each).not.toMatch(/SCAN p|TEMP B-TREE/);
      }
    }
  });

  it('sorts the found rows if they are few, and otherwise reads the table by the index of the price', async () => {
    expect((await plans('q=199&sort=price')).at(-1)).toMatch(/SCAN t VIRTUAL TABLE.*TEMP B-TREE/);
    expect((await plans('q=product&sort=price')).at(-1)).toMatch(/^SCAN p USING INDEX products_by_price/);
  });
});
