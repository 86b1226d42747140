import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';

const EXACT = 10_000;

describeOnEachEngine('long lists of orders', (engine) => {
  let store: TestApp;
  let user: number;
  beforeAll(async () => {
    store = await startApp(engine);
    user = (await createUser(store)).id;
    await insert(EXACT);
  });
  afterAll(() => store.close());

  const insert = (count: number) =>
    store.app.get(Database, { strict: false }).unitOfWork.run(() =>
      run(sql`
        WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${count})
        INSERT INTO orders (user_id, status, total_minor, version, created_at, updated_at)
        SELECT ${user}, 'pending', n, 1, ${new Date()}, ${new Date()} FROM many`),
    );

  it('report their totals up to 10,000, and above that only without a filter and a sort', async () => {
    const filtered = [
      '/api/orders?status=pending&limit=1',
      '/api/orders?sort=-id&limit=1',
      `/api/users/${user}/orders?limit=1`,
    ];
    for (const path of filtered) {
      const { headers } = await store.call('GET', path);
      expect([path, headers.get('x-total-count')]).toEqual([path, String(EXACT)]);
      expect(headers.get('link')).toContain('page=10000&limit=1>; rel="last"');
    }
    await insert(1);
    for (const path of filtered) {
      const { status, body, headers } = await store.call('GET', path);
      expect([status, body.length]).toEqual([200, 1]);
      expect([path, headers.get('x-total-count')]).toEqual([path, null]);
      expect(headers.get('link')).toContain('rel="next"');
      expect(headers.get('link')).not.toContain('rel="last"');
    }
    const { body, headers } = await store.call('GET', `/api/orders?page=${EXACT + 1}&limit=1`);
    expect(body).toHaveLength(1);
    expect(headers.get('x-total-count')).toBe(String(EXACT + 1));
    expect(headers.get('link')).toContain(`page=${EXACT + 1}&limit=1>; rel="last"`);
  });

  it('end at the right page although no total is known', async () => {
    const { body, headers } = await store.call('GET', '/api/orders?status=pending&limit=100&page=101');
    expect(body).toHaveLength(1);
    expect(headers.get('link')).toContain('rel="prev"');
    const beyond = await store.call('GET', '/api/orders?status=pending&limit=100&page=102');
    expect(beyond.body).toEqual([]);
    expect(beyond.headers.get('link')).not.toContain('rel="next"');
  });

  it('have no link to a page that is refused', async () => {
    await insert(100_000 - EXACT);
    const at = async (page: number) => store.call('GET', `/api/orders?sort=-id&limit=100&page=${page}`);
    const [before, deepest, beyond] = [await at(999), await at(1000), await at(1001)];
    expect([before.body.length, deepest.body.length, beyond.status]).toEqual([100, 100, 400]);
    expect(before.headers.get('link')).toContain('page=1000&limit=100>; rel="next"');
    expect(deepest.headers.get('link')).not.toContain('rel="next"');
    const plain = await store.call('GET', '/api/orders?limit=100&page=1000');
    expect(plain.headers.get('link')).toContain('page=1001&limit=100>; rel="next"');
  });
});

describe('orders in a currency without minor units', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CURRENCY: 'JPY' });
  });
  afterAll(() => store.close());

  it('have whole totals: the major unit is the minor unit', async () => {
    const { id } = await create(store, { price: 10_000_000 });
    const order = await placeOrder(store, { items: [{ product_id: id, quantity: 10_000 }] });
    expect([order.total, order.items[0]?.unit_price]).toEqual([100_000_000_000, 10_000_000]);
    const { data } = await resultOf(
      store,
      `{ order(id: ${order.id}) { total totalMoney { amount currency } } }`,
    );
    expect(data.order).toEqual({
      total: 100_000_000_000,
      totalMoney: { amount: 100_000_000_000, currency: 'JPY' },
    });
  });
});
