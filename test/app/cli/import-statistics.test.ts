import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../support/clients/cli.js';
import { describeOnPostgres, migratedDatabase } from '../../support/fixtures/database.js';

describeOnPostgres('store import', () => {
  it('reports the rows that it has created, even if the statistics cannot be renewed', async () => {
    const database = await migratedDatabase('postgres');
    const other = new Client({ connectionString: database.url });
    await other.connect();
    onTestFinished(async () => {
      await other.end();
      await database.drop();
    });
    await other.query('BEGIN');
    // With this lock, rows can be written, but ANALYZE cannot run.
    await other.query('LOCK TABLE external_ids IN SHARE UPDATE EXCLUSIVE MODE');
    const rows = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, name: `Tea ${id}`, price: 1 }));
    const { code, stderr } = await runCommand(['import', 'products', '-', '--format', 'ndjson'], {
      settings: { STORE_DATABASE_URL: `${database.url}?lock_timeout=100` },
      input: rows.join('\n'),
    });
    expect(stderr).toContain('products: 3 read, 3 created, 0 updated, 0 unchanged');
    expect(code).toBe(0);
  });
});
