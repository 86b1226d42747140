import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/engine/config/config.js';
import { startApp, type TestApp } from '../support/clients/app.js';
import { imported } from '../support/clients/imports.js';
import { describeOnEachEngine } from '../support/fixtures/database.js';

const LAST = '9999-12-31T23:59:59.999Z';
/** Valid texts of RFC 3339, whose years in UTC have not four digits. */
const TOO_LATE = ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999-00:01'];
const TOO_EARLY = '0000-01-01T00:00:00+00:01';

const newKey = (store: TestApp, expires_at: string) =>
  store.call('POST', '/api/v2/api-keys', { body: { name: 'k', scopes: ['orders:read'], expires_at } });

describeOnEachEngine('moments outside of the years that an answer can show', (engine) => {
  let store: TestApp;
  beforeEach(async () => {
    store = await startApp(engine);
  });
  afterEach(() => store.close());

  it('are refused as the end of a key', async () => {
    for (const moment of TOO_LATE) {
      const { status, body } = await newKey(store, moment);
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        { pointer: '#/expires_at', code: 'TOO_LARGE', detail: `must not be after ${LAST}` },
      ]);
    }
    expect((await newKey(store, TOO_EARLY)).body.errors).toMatchObject([{ code: 'TOO_SMALL' }]);
    expect((await newKey(store, LAST)).body.expires_at).toBe(LAST);
  });

  it('are refused as a setting', () => {
    for (const moment of [...TOO_LATE, TOO_EARLY]) {
      expect(() => loadConfig({ STORE_V1_SUNSET: moment })).toThrow(
        'STORE_V1_SUNSET must be a day or a moment',
      );
    }
  });

  it('are refused in an import, and no change of a row leads to them', async () => {
    const rows = [...TOO_LATE, TOO_EARLY].map((at, n) => `${n},Tea ${n},1,${at}\n`).join('');
    const refused = await imported(store, { kind: 'products' }, `id,name,price,updated_at\n${rows}`);
    expect(refused).toMatchObject({ created: 0, refused: 3 });
    await imported(store, { kind: 'products' }, `id,name,price,updated_at\na,Tea,1,${LAST}\n`);
    const [{ id }] = (await store.call('GET', '/api/v2/products')).body.data;
    const changed = await store.call('PATCH', `/api/v2/products/${id}`, { body: { name: 'Coffee' } });
    expect(changed.body).toMatchObject({ name: 'Coffee', updated_at: LAST });
    await imported(store, { kind: 'products' }, `id,name,price,updated_at\na,Mug,1,${LAST}\n`);
    const again = await store.call('GET', `/api/v2/products/${id}`);
    expect(again.body).toMatchObject({ name: 'Mug', updated_at: LAST });
  });

  it('do not come from the orders of a user who is removed', async () => {
    await imported(store, { kind: 'users' }, 'id,name,email\nu,Ada,ada@example.com\n');
    await imported(store, { kind: 'products' }, 'id,name,price\np,Tea,1\n');
    const [user] = (await store.call('GET', '/api/v2/users')).body.data;
    const items = [{ product_id: 'p', quantity: 1, unit_price: 1 }];
    const order = { id: 'o', user_id: 'u', created_at: LAST, updated_at: LAST, items };
    const orders = await imported(store, { kind: 'orders', format: 'ndjson' }, JSON.stringify(order));
    expect(orders).toMatchObject({ created: 1 });
    expect((await store.call('DELETE', `/api/v2/users/${user.id}?anonymise=true`)).status).toBe(204);
    expect((await store.call('GET', '/api/v2/orders')).body.data).toMatchObject([
      { user_id: null, updated_at: LAST },
    ]);
  });
});
