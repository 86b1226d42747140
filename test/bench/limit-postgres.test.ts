import { expect, it } from 'vitest';
import { LimitPostgres } from '../../bench/limit-postgres.ts';
import { startApp } from '../support/clients/app.js';
import { migratedDatabase, describeOnPostgres } from '../support/fixtures/database.js';
import { create, createUser } from '../support/fixtures/fixtures.js';

const TOO_LARGE = 2 ** 63;

describeOnPostgres('LIMIT', () => {
  it('places the next order after an order that failed', async () => {
    const database = await migratedDatabase('postgres');
    const store = await startApp('postgres', { STORE_DATABASE_URL: database.url });
    const limit = new LimitPostgres(database.url);
    try {
      const user = await createUser(store);
      const product = await create(store);
      await expect(limit.order(TOO_LARGE, product.id, 1)).rejects.toThrow(/out of range/);
      const order = await limit.order(user.id, product.id, 2);
      expect((await store.call('GET', `/api/v1/orders/${order?.id}`)).body).toMatchObject({
        user_id: user.id,
        items: [{ product_id: product.id, quantity: 2 }],
      });
    } finally {
      await limit.close();
      await store.close();
      await database.drop();
    }
  });
});
