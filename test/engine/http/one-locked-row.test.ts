import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask } from '../../../testkit/databases.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { scrape, valueOf } from '../../support/clients/metrics.js';
import { describeOnPostgres, migratedDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { aProduct, anOrder, countedProduct, create } from '../../support/fixtures/fixtures.js';

/** The locks of this test may last longer than the service waits by default. */
const PATIENT = 'lock_timeout=600000&statement_timeout=600000';

const waitingForConnections = async (store: TestApp) =>
  valueOf(await scrape(store), 'db_client_connection_pending_requests');

describeOnPostgres('a row that is locked for a long time', () => {
  let database: FreshDatabase;
  let store: TestApp;
  let holder: Client;
  beforeEach(async () => {
    database = await migratedDatabase('postgres');
    store = await startApp('postgres', { STORE_DATABASE_URL: `${database.url}?${PATIENT}` });
    holder = new Client({ connectionString: database.url });
    await holder.connect();
  });
  afterEach(async () => {
    await holder.end();
    await store.close();
    await database.drop();
  });

  it('delays the orders of this product, but not the check of readiness and not reads', async () => {
    const other = await create(store);
    const product = await countedProduct(store, 1_000);
    const body = await anOrder(store, { items: [{ product_id: product, quantity: 1 }] });
    await holder.query('BEGIN');
    await holder.query('SELECT id FROM products WHERE id = $1 FOR UPDATE', [product]);
    const statuses: number[] = [];
    const orders: Promise<unknown>[] = [];
    // An order that waits too long for its turn is refused, so each poll places a new one.
    const afterAnOrder = async (measured: () => Promise<number>) => {
      orders.push(store.call('POST', '/api/orders', { body }).then(({ status }) => statuses.push(status)));
      return measured();
    };
    await expect.poll(() => afterAnOrder(waitingForLocks)).toBeGreaterThanOrEqual(9);
    await expect.poll(() => afterAnOrder(() => waitingForConnections(store))).toBeGreaterThan(0);
    await expect.poll(async () => (await store.call('GET', '/health/ready')).status).toBe(200);
    expect((await store.call('GET', `/api/products/${other.id}`)).status).toBe(200);
    expect(await waitingForLocks()).toBe(9);
    await holder.query('ROLLBACK');
    await Promise.all(orders);
    for (const status of statuses) expect([201, 503]).toContain(status);
    expect(statuses).toContain(201);
    expect((await store.call('POST', '/api/products', { body: aProduct() })).status).toBe(201);
  });

  async function waitingForLocks(): Promise<number> {
    const [row] = await ask<{ waiting: number }>(
      database.url,
      `SELECT COUNT(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.waiting ?? 0;
  }
});
