import { expect, it } from 'vitest';
import { startApp } from '../../support/clients/app.js';
import { describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';
import { aProduct, placeOrder } from '../../support/fixtures/fixtures.js';
import { watchingProxy } from '../../support/fixtures/watching-proxy.js';

describeOnPostgres('an order', () => {
  it('takes two round trips to the database', async () => {
    const database = await freshDatabase('postgres');
    const proxy = await watchingProxy(database.url);
    const store = await startApp('postgres', { STORE_DATABASE_URL: proxy.url });
    try {
      const { body } = await store.call('POST', '/api/products', { body: aProduct() });
      const items = [{ product_id: (body as { id: number }).id, quantity: 1 }];
      const placed = async () => {
        proxy.transactions();
        await placeOrder(store, { items });
        const sizes = proxy.transactions().map((trips) => trips.map(({ length }) => length));
        // The transactions of the service itself are smaller.
        return sizes.filter((trips) => trips.reduce((sum, length) => sum + length) >= 9);
      };
      // The statements are: BEGIN, transaction, user, products, id; order, items, event, COMMIT. If a connection has
      // not answered within the last second, BEGIN is a trip of its own.
      await expect.poll(placed, { timeout: 30_000 }).toEqual([[5, 4]]);
    } finally {
      await store.close();
      await database.drop();
    }
  });
});
