import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import '../../../src/app/app.module.js';
import { Database } from '../../../src/engine/database/database.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { raw, run, sql, type Sql } from '../../../src/engine/database/sql.js';
import { ExportRows, type Amount, type OutOrder } from '../../../src/app/transfer/export-rows.js';
import type { Kind } from '../../../src/store/transfer/members.js';
import { runCommand } from '../../support/clients/cli.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { rowsTouched } from '../../support/fixtures/rows-touched.js';

const PRODUCTS = 12_000;
const BATCH = 1_000;
/**
 * The maximum number of rows that may be read for each returned row. An order has up to five items, and each item has a
 * product.
 */
const MOST_FOR_A_ROW = { products: 2, users: 1, orders: 11 };

describeOnEachEngine('the batches of store export', (engine) => {
  let fresh: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    const amounts = ['--products', String(PRODUCTS), '--users', '6000', '--orders', '6000'];
    await runCommand(['seed', ...amounts], { settings: { STORE_DATABASE_URL: fresh.url } });
    database = await Database.open({ url: fresh.url, ...(await importedFeatures()) });
    await database.dataSource.query('ANALYZE');
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  it.each(['products', 'users', 'orders'] as const)(
    'of %s read only a bounded number of rows for each returned row',
    async (kind) => {
      const statements = await deepest(database, kind);
      expect(statements.length).toBeGreaterThan(0);
      let touched = 0;
      for (const statement of statements) touched += await rowsTouched(fresh.url, statement);
      expect(touched).toBeLessThanOrEqual(BATCH * MOST_FOR_A_ROW[kind]);
    },
  );

  it('have the sum of the lines as the total of an order, even if the order is changed during the read', async () => {
    const all = vi.spyOn(database.reads, 'all');
    onTestFinished(() => all.mockRestore());
    all.mockImplementationOnce(async (statement) => {
      const rows = await database.reads.all(statement);
      await database.unitOfWork.run(function* () {
        yield* run(sql`DELETE FROM order_items WHERE order_id = 1 AND position > 1`);
        yield* run(
          sql`UPDATE order_items SET quantity = 7, total_minor = 7 * unit_price_minor WHERE order_id = 1`,
        );
        yield* run(sql`
          UPDATE orders SET total_minor = (SELECT total_minor FROM order_items WHERE order_id = 1) WHERE id = 1`);
      });
      return rows;
    });
    const sums = async (): Promise<readonly [string, string, number]> => {
      const { value } = await new ExportRows(database, 100).of('orders').next();
      const { row, items } = (value as readonly OutOrder[])[0] as OutOrder;
      const sum = items.reduce((total, item) => total + cents(item['total']), 0);
      return [String(cents(row['total'])), String(sum), items.length];
    };
    const [before, after] = [await sums(), await sums()];
    expect(before[0]).toBe(before[1]);
    expect(after[0]).toBe(after[1]);
    expect(after[2]).toBe(1);
    expect(after[0]).not.toBe(before[0]);
  });

  it('are measured with a count that detects the read of a whole table', async () => {
    const everything = raw(`SELECT count(*) FROM products WHERE description = 'x'`, []);
    expect(await rowsTouched(fresh.url, everything)).toBeGreaterThanOrEqual(PRODUCTS);
  });
});

function cents(cell: unknown): number {
  return Math.round(Number((cell as Amount).text) * 100);
}

/** The statements that read the last full batch. */
async function deepest(database: Database, kind: Kind): Promise<readonly Sql[]> {
  const all = vi.spyOn(database.reads, 'all');
  onTestFinished(() => all.mockRestore());
  let statements: readonly Sql[] = [];
  for await (const batch of new ExportRows(database, 100).of(kind)) {
    if (batch.length === BATCH) statements = all.mock.calls.map(([statement]) => statement);
    all.mockClear();
  }
  return statements;
}
