import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parse } from 'csv-parse/sync';
import { expect, it, describe } from 'vitest';
import { needing } from '../../support/needs.js';
import { runCommand } from '../../support/clients/cli.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';

const folder = resolve(process.env['TEST_NORTHWIND'] ?? 'northwind');
const onNorthwind = needing(
  'the Northwind sample database',
  existsSync(join(folder, 'orders.csv')),
  'set TEST_NORTHWIND to a folder with its products.csv, customers.csv, orders.csv and order-details.csv',
);
const MAPPINGS = fileURLToPath(new URL('../../../examples/northwind/', import.meta.url));

interface Detail {
  readonly orderID: string;
  readonly unitPrice: string;
  readonly quantity: string;
  readonly discount: string;
}

/** The total of each order in cents, from prices and discounts as integers. The tested code uses another method. */
function totalsByOrder(): Map<string, number> {
  const details: Detail[] = parse(readFileSync(join(folder, 'order-details.csv')), {
    columns: true,
    bom: true,
  });
  const totals = new Map<string, number>();
  for (const { orderID, unitPrice, quantity, discount } of details) {
    const cents = Math.round(Number(unitPrice) * 100);
    const percent = 100 - Math.round(Number(discount) * 100);
    const hundredths = cents * Number(quantity) * percent;
    const rest = hundredths % 100;
    const rounded = (hundredths - rest) / 100 + (rest >= 50 ? 1 : 0);
    totals.set(orderID, (totals.get(orderID) ?? 0) + rounded);
  }
  return totals;
}

describe('Northwind', onNorthwind, () => {
  describeOnEachEngine('imported as a whole', (engine) => {
    it('has the correct total of every order, and the same rows after a second import', async () => {
      const database = await freshDatabase(engine);
      const work = await mkdtemp(join(tmpdir(), 'store-northwind-'));
      const settings = { STORE_DATABASE_URL: database.url };
      const refused = ['--refused', join(work, 'refused.csv'), '--strict'];
      const bring = (kind: string, file: string, ...more: string[]) =>
        runCommand(
          ['import', kind, join(folder, file), '--map', join(MAPPINGS, `${kind}.yaml`), ...refused, ...more],
          { settings },
        );
      const all = async () => [
        await bring('products', 'products.csv'),
        await bring('users', 'customers.csv'),
        await bring('orders', 'orders.csv', '--items', join(folder, 'order-details.csv')),
      ];
      const exported = async (kind: string) =>
        (await runCommand(['export', kind, '--format', 'ndjson'], { settings })).stdout;
      try {
        const first = await all();
        expect(first.map(({ code }) => code)).toEqual([0, 0, 0]);
        expect(first[0]?.stderr).toContain('77 read, 77 created');
        expect(first[1]?.stderr).toContain('91 read, 91 created');
        expect(first[2]?.stderr).toContain('830 read (2,155 lines), 830 created');
        const orders = await exported('orders');
        const rows = orders
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { total: number; created_at: string; status: string });
        const ids = parse<{ orderID: string }>(readFileSync(join(folder, 'orders.csv')), {
          columns: true,
        }).map(({ orderID }) => orderID);
        const expected = totalsByOrder();
        expect(rows.map(({ total }) => Math.round(total * 100))).toEqual(ids.map((id) => expected.get(id)));
        // Order 10248: 14.00 × 12 + 9.80 × 10 + 34.80 × 5. Order 10251, with discounts: 16.80 × 6 × 0.95 + 15.60 × 15 ×
        // 0.95 + 16.80 × 20.
        expect(rows[ids.indexOf('10248')]).toMatchObject({
          total: 440,
          status: 'shipped',
          created_at: '1996-07-04T00:00:00.000Z',
        });
        expect(rows[ids.indexOf('10251')]).toMatchObject({ total: 95.76 + 222.3 + 336 });
        expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(21);
        const products = (await exported('products')).trim().split('\n');
        expect(products.filter((line) => line.includes('"in_stock":false'))).toHaveLength(8);

        const second = await all();
        expect(second[0]?.stderr).toContain('0 created, 0 updated, 77 unchanged');
        expect(second[1]?.stderr).toContain('0 created, 0 updated, 91 unchanged');
        expect(second[2]?.stderr).toContain('0 created, 0 updated, 830 unchanged');
        expect(await exported('orders')).toBe(orders);
      } finally {
        await rm(work, { recursive: true, force: true });
        await database.drop();
      }
    });
  });
});
