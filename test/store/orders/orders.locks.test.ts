import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startApp } from '../../support/clients/app.js';
import { describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';
import { countedProduct, placeOrder } from '../../support/fixtures/fixtures.js';

describeOnPostgres('changes of orders and stocks', () => {
  it('do not wait for an insert that refers to the same rows by a foreign key', async () => {
    const database = await freshDatabase('postgres');
    const store = await startApp('postgres', { STORE_DATABASE_URL: database.url });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      const product = await countedProduct(store, 10);
      const { id } = await placeOrder(store, { items: [{ product_id: product, quantity: 1 }] });
      // An insert takes these locks on the rows to which it refers.
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM orders WHERE id = $1 FOR KEY SHARE', [id]);
      await other.query('SELECT 1 FROM products WHERE id = $1 FOR KEY SHARE', [product]);
      const cancelled = await store.call('PATCH', `/api/orders/${id}`, { body: { status: 'cancelled' } });
      const set = await store.call('PUT', `/api/products/${product}/stock`, { body: { quantity: 3 } });
      expect([cancelled.status, set.status]).toEqual([200, 200]);
    } finally {
      await other.end();
      await store.close();
      await database.drop();
    }
  });
});
