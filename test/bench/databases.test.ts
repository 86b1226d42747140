import { BLOCK } from '../../src/engine/database/counts.js';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { productAt } from '../../bench/data.ts';
import { seedService } from '../../bench/databases.ts';
import { dataSourceOptions, openDataSource } from '../../src/engine/database/data-source.js';
import { Products1763700000000 } from '../../src/engine/database/migrations/1763700000000-products.js';
import { Users1763700000003 } from '../../src/engine/database/migrations/1763700000003-users.js';
import { Orders1763700000004 } from '../../src/engine/database/migrations/1763700000004-orders.js';
import { UserSearch1763700000024 } from '../../src/engine/database/migrations/1763700000024-user-search.js';
import { UserSearchIndex1763700000027 } from '../../src/engine/database/migrations/1763700000027-user-search-index.js';
import { freshDatabase, type FreshDatabase } from '../support/fixtures/database.js';

const PRODUCTS = 1000;
const TABLES = ['products', 'users', 'orders'];

let database: FreshDatabase | undefined;
afterEach(() => database?.drop());

it('the benchmark fills a database with correct block counts, and keeps its indexes and triggers', async () => {
  database = await freshDatabase('sqlite');
  const source = await openDataSource(
    dataSourceOptions({
      url: database.url,
      migrations: [
        Products1763700000000,
        Users1763700000003,
        Orders1763700000004,
        UserSearch1763700000024,
        UserSearchIndex1763700000027,
      ],
    }),
  );
  await source.destroy();
  const file = database.url.slice('sqlite:'.length);
  const look = (): { schema: unknown[]; blocks: unknown[][]; recounted: unknown[][]; last: unknown } => {
    const handle = new BetterSqlite3(file);
    try {
      return {
        schema: handle.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all(),
        blocks: TABLES.map((table) =>
          handle.prepare(`SELECT block, n FROM ${table}_blocks ORDER BY block`).all(),
        ),
        recounted: TABLES.map((table) =>
          handle.prepare(`SELECT id / ${BLOCK} AS block, count(*) AS n FROM ${table} GROUP BY 1`).all(),
        ),
        last: handle.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'products'`).pluck().get(),
      };
    } finally {
      handle.close();
    }
  };
  const before = look();
  seedService(file, PRODUCTS);
  const after = look();
  expect(after.schema).toEqual(before.schema);
  expect(after.blocks).toEqual(after.recounted);
  for (const blocks of after.blocks) expect(blocks.length).toBeGreaterThan(2);
  expect(after.last).toBe(productAt(PRODUCTS - 1).id);
});
