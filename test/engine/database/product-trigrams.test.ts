import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import '../../../src/app/app.module.js';
import { Database } from '../../../src/engine/database/database.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { revertLastMigration } from '../../../src/engine/database/migrations.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';

const ROWS = 20_000;

async function aDatabase() {
  const fresh = await freshDatabase('postgres');
  onTestFinished(() => fresh.drop());
  return fresh;
}

async function opened(url: string): Promise<Database> {
  const database = await Database.open({ url, ...(await importedFeatures()) });
  onTestFinished(() => database.close());
  return database;
}

const indexesOf = async ({ dataSource }: Database): Promise<readonly string[]> =>
  (
    await dataSource.query(`SELECT indexname FROM pg_indexes WHERE indexname LIKE '%trigrams%' ORDER BY 1`)
  ).map(({ indexname }: { indexname: string }) => indexname);

/**
 * Reverts migrations one by one until the trigram indexes of products and users are gone, because newer migrations may
 * follow the migrations that create the indexes.
 */
async function withoutIndex(database: Database): Promise<void> {
  while ((await indexesOf(database)).length > 0) await revertLastMigration(database.dataSource);
}

describeOnPostgres('the trigram index', () => {
  it('reads no row for a search whose text is in no name', async () => {
    const database = await opened((await aDatabase()).url);
    await database.unitOfWork.run(() =>
      run(sql`
        WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${ROWS})
        INSERT INTO products
          (name, name_search, price_minor, is_sellable, in_stock, version, created_at, updated_at)
        SELECT 'Product ' || n, 'PRODUCT ' || n, n, true, true, 1, ${new Date()}, ${new Date()} FROM many`),
    );
    await database.dataSource.query('VACUUM ANALYZE products');
    const [{ 'QUERY PLAN': plan }] = await database.dataSource.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM products WHERE name_search LIKE '%ZZ0%' ORDER BY id LIMIT 1`,
    );
    const text = JSON.stringify(plan);
    expect(text).toContain('products_by_trigrams');
    expect(text).not.toMatch(/"Rows Removed by (Filter|Index Recheck)":\s*[1-9]/);
  });

  it('is not created without the right to create the extension, and searches work without the index', async () => {
    const fresh = await aDatabase();
    const admin = await opened(fresh.url);
    const { dataSource } = admin;
    for (;;) {
      await revertLastMigration(dataSource);
      if ((await dataSource.query('SELECT name FROM migrations')).length === 0) break;
    }
    const user = `plain_${randomBytes(4).toString('hex')}`;
    await dataSource.query(`CREATE ROLE ${user} LOGIN PASSWORD 'x'`);
    onTestFinished(async () => {
      await dataSource.query(`DROP OWNED BY ${user}`);
      await dataSource.query(`DROP ROLE ${user}`);
    });
    await dataSource.query(`GRANT ALL ON SCHEMA public TO ${user}`);
    await dataSource.query('DROP TABLE migrations');
    const url = new URL(fresh.url);
    Object.assign(url, { username: user, password: 'x' });
    const plain = await Database.open({ url: url.href, ...(await importedFeatures()) });
    try {
      expect(await indexesOf(plain)).toEqual([]);
      expect(await plain.dataSource.query(`SELECT id FROM products WHERE name_search LIKE '%ZZ0%'`)).toEqual(
        [],
      );
      await revertLastMigration(plain.dataSource);
    } finally {
      await plain.close();
    }
  });

  it('uses an existing extension, and does not remove it', async () => {
    const fresh = await aDatabase();
    const first = await opened(fresh.url);
    await withoutIndex(first);
    await first.dataSource.query('CREATE EXTENSION pg_trgm SCHEMA public');
    const second = await opened(fresh.url);
    expect(await indexesOf(second)).toEqual(['products_by_trigrams', 'users_by_trigrams']);
    await withoutIndex(second);
    expect(
      await second.dataSource.query(`SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'`),
    ).toHaveLength(1);
  });
});
