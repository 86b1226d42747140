import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import '../../../src/app/app.module.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { Database } from '../../../src/engine/database/database.js';
import { raw } from '../../../src/engine/database/sql.js';
import { spawnCommand, runCommand } from '../../support/clients/cli.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';

const MAIN = fileURLToPath(new URL('../../../dist/app/cli/main.js', import.meta.url));
const AMOUNTS = ['--products', '4500', '--users', '300', '--orders', '700'];

// The digest for these arguments at the time when this test was written. If the digest changes, the same arguments make
// different rows.
const DIGEST = '14cb8f7139e25aa9';

/** A digest of the rows of five entities: of all their values, except the hashes of passwords. */
async function digestOf(url: string): Promise<string> {
  const database = await Database.open({ url, ...(await importedFeatures()) });
  const hash = createHash('sha256');
  try {
    for (const name of ['Product', 'ProductStock', 'User', 'Order', 'OrderItem']) {
      const repository = database.dataSource.getRepository(name);
      const keys = repository.metadata.primaryColumns.map(({ propertyName }) => propertyName);
      const columns = repository.metadata.columns
        // A seed does not write passwords.
        .filter(({ propertyPath }) => propertyPath !== 'passwordHash')
        .map(({ propertyPath }) => `row.${propertyPath}`);
      const query = repository.createQueryBuilder('row').select(columns);
      for (const key of keys) query.addOrderBy(`row.${key}`);
      for (const row of await query.getMany()) hash.update(JSON.stringify(row));
    }
  } finally {
    await database.close();
  }
  return hash.digest('hex').slice(0, 16);
}

describeOnEachEngine('store seed', (engine) => {
  async function onStore(work: (settings: Record<string, string>, url: string) => Promise<void>) {
    const database = await freshDatabase(engine);
    try {
      await work({ STORE_DATABASE_URL: database.url }, database.url);
    } finally {
      await database.drop();
    }
  }

  it('creates the same rows for the same arguments, byte for byte, on every engine', () =>
    onStore(async (settings, url) => {
      const { code, stdout, stderr } = await runCommand(['seed', ...AMOUNTS], { settings });
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toMatch(/4,500 products, 300 users and 700 orders in/);
      expect(await digestOf(url)).toBe(DIGEST);
    }));

  it('creates a consistent store: the counts of rows are right, and each total is the sum of the items', () =>
    onStore(async (settings, url) => {
      await runCommand(['seed', ...AMOUNTS, '--seed', '2'], { settings });
      const database = await Database.open({ url, ...(await importedFeatures()) });
      const count = async (text: string) =>
        Number((await database.reads.one<{ n: number }>(raw(text, [])))?.n);
      try {
        expect(await count('SELECT count(*) AS n FROM products')).toBe(4500);
        expect(
          await count(`SELECT count(*) AS n FROM orders o WHERE total_minor <>
            (SELECT coalesce(sum(total_minor), -1) FROM order_items i WHERE i.order_id = o.id)`),
        ).toBe(0);
        expect(
          await count(
            'SELECT count(*) AS n FROM order_items WHERE product_id NOT IN (SELECT id FROM products)',
          ),
        ).toBe(0);
        const { Product } = await import('../../../src/store/products/product.entity.js');
        expect((await database.countedTables.of(Product).page(4490, 100)).items).toHaveLength(10);
        expect(await count('SELECT count(DISTINCT status) AS n FROM orders')).toBe(6);
      } finally {
        await database.close();
      }
    }));

  it('refuses a store that has data, unless an option allows additional rows', () =>
    onStore(async (settings) => {
      const few = ['seed', '--products', '10', '--users', '5', '--orders', '5'];
      expect(await runCommand(few, { settings })).toMatchObject({ code: 0 });
      const again = await runCommand(few, { settings });
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--append') as string });
      expect(await runCommand([...few, '--append'], { settings })).toMatchObject({ code: 0 });
    }));

  it.runIf(engine === 'sqlite')('reports how many rows are stored when the disk is full', () =>
    onStore(async (settings, url) => {
      // `ulimit -f` counts blocks of 1 KiB. A new store needs a few hundred of them.
      const { code, stderr } = await promisify(execFile)(
        'bash',
        ['-c', 'ulimit -f 4000; "$0" "$1" seed --products 200000', process.execPath, MAIN],
        { env: { ...process.env, ...settings } },
      ).then(
        ({ stderr: said }) => ({ code: 0, stderr: said }),
        (error: unknown) => error as { code: number; stderr: string },
      );
      expect(code).toBe(1);
      expect(stderr).not.toMatch(/^ {4}at /m);
      const stored = /([\d,]+) products, 0 users and 0 orders are stored/.exec(stderr)?.[1] ?? '';
      const database = await Database.open({ url, ...(await importedFeatures()) });
      const row = await database.reads.one<{ n: number }>(raw('SELECT count(*) AS n FROM products', []));
      await database.close();
      expect(row?.n).toBeGreaterThan(0);
      expect(row?.n).toBe(Number(stored.replaceAll(',', '')));
    }),
  );

  it('reports how many rows are stored when it is interrupted', () =>
    onStore(async (settings, url) => {
      await runCommand(['migrate'], { settings });
      const database = await Database.open({ url, ...(await importedFeatures()) });
      const count = async () =>
        Number((await database.reads.one<{ n: number }>(raw('SELECT count(*) AS n FROM products', [])))?.n);
      const child = spawnCommand(['seed', '--products', '1000000'], { settings });
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      await expect.poll(count, { timeout: 30_000, interval: 5 }).toBeGreaterThan(2_000);
      child.kill('SIGINT');
      expect(await once(child, 'close')).toEqual([130, null]);
      const stored =
        /^Stopped\. At least ([\d,]+) products, 0 users and 0 orders are stored/m.exec(stderr)?.[1] ?? '';
      // At the interruption, the database may have stored one more batch than the command has counted.
      const missing = (await count()) - Number(stored.replaceAll(',', ''));
      expect([0, 2_000]).toContain(missing);
      expect(stderr).toContain('--append');
      await database.close();
    }));

  it('refuses orders without users', () =>
    onStore(async (settings) => {
      const { code, stderr } = await runCommand(['seed', '--users', '0'], { settings });
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--orders 0') as string,
      });
    }));
});
