import { copyFile, rename, rm } from 'node:fs/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine, describeOnPostgres } from '../../support/fixtures/database.js';
import { aProduct, create } from '../../support/fixtures/fixtures.js';
import { Database } from '../../../src/engine/database/database.js';

/** A long time, because the tests are about the answers and not about their speed. */
const PATIENCE = { timeout: 60_000, interval: 100 };

const ready = async (store: TestApp) => (await store.call('GET', '/health/ready')).status;
const post = async (store: TestApp) =>
  (await store.call('POST', '/api/products', { body: aProduct() })).status;

describeOnEachEngine('getReadiness', (engine) => {
  let store: TestApp;
  let source: DataSource;
  beforeEach(async () => {
    store = await startApp(engine);
    source = store.app.get(DataSource, { strict: false });
  });
  afterEach(() => store.close());

  it('uses the database at most twice a second, for any number of requests', async () => {
    const asked = vi.spyOn(store.app.get(Database, { strict: false }), 'ping');
    const begun = performance.now();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ready(store)));
      expect(new Set(answers)).toEqual(new Set([200]));
    }
    const halfSeconds = Math.floor((performance.now() - begun) / 500);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + halfSeconds);
  });

  it('is 503 while data can be read but not written, and 200 again afterwards', async () => {
    const { id } = await create(store);
    await forbidWriting(source, true);
    await expect.poll(() => post(store), PATIENCE).toBe(503);
    expect(await ready(store)).toBe(503);
    expect((await store.call('GET', `/api/products/${id}`)).status).toBe(200);
    await forbidWriting(source, false);
    await expect.poll(() => ready(store), PATIENCE).toBe(200);
    expect(await post(store)).toBe(201);
  });

  it('is 503 after a change that failed for lack of space, and 200 again when there is space', async () => {
    expect(await ready(store)).toBe(200);
    const { id } = await create(store);
    await takeRoom(source);
    const body = aProduct({ name: 'x'.repeat(200) });
    const refused = async () => (await store.call('POST', '/api/products', { body })).status;
    // There may be some space left in pages that are not full.
    await expect.poll(refused, { ...PATIENCE, interval: 1 }).toBe(503);
    // The service checks the state again after half a second, and forgets the failed change after five seconds.
    await expect.poll(async () => [await refused(), await ready(store)], PATIENCE).toEqual([503, 503]);
    expect((await store.call('GET', `/api/products/${id}`)).status).toBe(200);
    await giveRoom(source);
    letTimePass(5_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect.poll(() => ready(store), PATIENCE).toBe(200);
    expect(await post(store)).toBe(201);
  });
});

describeOnPostgres('getReadiness', () => {
  let store: TestApp;
  let source: DataSource;
  let other: Client;
  beforeEach(async () => {
    store = await startApp('postgres');
    source = store.app.get(DataSource, { strict: false });
    other = new Client({ connectionString: (source.options as { url: string }).url });
    await other.connect();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await other.end();
    await store.close();
  });

  it('waits for no row that another session has locked or inserted, and still notices a full disk', async () => {
    expect(await ready(store)).toBe(200);
    await other.query('BEGIN');
    await other.query('UPDATE settings SET value = value');
    await other.query(
      `INSERT INTO settings (name, value) VALUES ('written_at', '') ON CONFLICT (name) DO NOTHING`,
    );
    letTimePass(10_000);
    expect(await ready(store)).toBe(200);
    await other.query('COMMIT');
    const { rows } = await other.query(`SELECT name FROM settings WHERE name LIKE 'written by %'`);
    expect(rows).toEqual([]);
    await takeRoom(source, 'settings');
    letTimePass(20_000);
    expect(await ready(store)).toBe(503);
  });
});

/** Sets the clock of the service forward. */
function letTimePass(ms: number): void {
  vi.restoreAllMocks();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

describe('a SQLite file that another program moves or changes', () => {
  let store: TestApp;
  let file: string;
  beforeEach(async () => {
    store = await startApp('sqlite');
    file = String(store.app.get(DataSource, { strict: false }).options.database);
    await create(store);
  });
  afterEach(() => store.close());

  it('makes the service refuse changes and report that it is not ready, until the file is back', async () => {
    await rename(file, `${file}.moved`);
    expect(await post(store)).toBe(503);
    expect(await ready(store)).toBe(503);
    await rename(`${file}.moved`, file);
    expect(await post(store)).toBe(201);
    await expect.poll(() => ready(store), PATIENCE).toBe(200);
    expect((await store.call('GET', '/api/products')).body).toHaveLength(2);
  });

  it.each([
    ['deleted', (name: string) => rm(name)],
    [
      'replaced by a copy',
      (name: string) => copyFile(name, `${name}.copy`).then(() => rename(`${name}.copy`, name)),
    ],
    ['without its log', (name: string) => rm(`${name}-wal`)],
  ])('makes the service refuse changes when it is %s', async (_what, change) => {
    await change(file);
    expect(await post(store)).toBe(503);
    expect(await ready(store)).toBe(503);
    const { errors } = await store.graphql('mutation { createProduct(name: "x", price: 1) { id } }');
    expect(errors[0].extensions.code).toBe('UNAVAILABLE');
  });
});

/** Forbids or allows changes. On PostgreSQL it also ends all connections, as a failover of the server does. */
async function forbidWriting(source: DataSource, isForbidden: boolean): Promise<void> {
  if (source.options.type !== 'postgres') {
    await source.query(`PRAGMA query_only = ${isForbidden ? 1 : 0}`);
    return;
  }
  const { url } = source.options as { url: string };
  const name = new URL(url).pathname.slice(1);
  const server = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
  await server.connect();
  await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isForbidden}`);
  await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await server.end();
}

/** Fills the database. A test cannot give PostgreSQL a small disk, so PostgreSQL only reports a full disk. */
async function takeRoom(source: DataSource, table = 'products'): Promise<void> {
  if (source.options.type !== 'postgres') {
    const [{ page_count: pages }] = await source.query('PRAGMA page_count');
    await source.query(`PRAGMA max_page_count = ${pages}`);
    return;
  }
  await source.query(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$`);
  await source.query(
    `CREATE TRIGGER no_room BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION no_room()`,
  );
}

async function giveRoom(source: DataSource): Promise<void> {
  await source.query(
    source.options.type === 'postgres' ? 'DROP FUNCTION no_room CASCADE' : 'PRAGMA max_page_count = 1000000',
  );
}
