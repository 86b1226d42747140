import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { anOrder, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { ask, resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';

/** The result for an order whose user was deleted just before. */
const USER_GONE = [400, '#/user_id', 204, false];

describeOnEachEngine('deleteUser', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  it('answers 204, then 404, and never reuses the id', async () => {
    const { id } = await createUser(store);
    const { status, text } = await store.call('DELETE', `/api/users/${id}`);
    expect([status, text]).toEqual([204, '']);
    for (const [method, path] of [
      ['DELETE', `/api/users/${id}`],
      ['GET', `/api/users/${id}`],
      ['GET', `/users/${id}`],
      ['GET', `/api/users/${id}/orders`],
    ] as const) {
      expect([method, path, (await store.call(method, path)).status]).toEqual([method, path, 404]);
    }
    expect((await createUser(store)).id).toBeGreaterThan(id);
  });

  it('deletes a user if If-Match has its tag', async () => {
    const { id } = await createUser(store);
    const { headers } = await store.call('GET', `/api/users/${id}`);
    const match = { 'if-match': headers.get('etag') as string };
    expect((await store.call('DELETE', `/api/users/${id}`, { headers: match })).status).toBe(204);
  });

  describe('of a user with orders', () => {
    it('is refused, with a hint to use anonymise', async () => {
      const order = await placeOrder(store);
      const { status, body } = await store.call('DELETE', `/api/users/${order.user_id}`);
      expect([status, body.code]).toEqual([409, 'USER_HAS_ORDERS']);
      expect(body.detail).toContain('anonymise');
      const explicit = await store.call('DELETE', `/api/users/${order.user_id}?anonymise=false`);
      expect(explicit.body.code).toBe('USER_HAS_ORDERS');
      const { errors } = await resultOf(store, `mutation { deleteUser(id: ${order.user_id}) { id } }`);
      expect(errors[0].extensions).toMatchObject({ code: 'USER_HAS_ORDERS', status: 409 });
      expect((await store.call('GET', `/api/users/${order.user_id}`)).status).toBe(200);
      expect((await store.call('GET', `/api/orders/${order.id}`)).body).toEqual(order);
    });

    it('is refused even if the orders are cancelled', async () => {
      const order = await placeOrder(store);
      await store.call('PATCH', `/api/orders/${order.id}`, { body: { status: 'cancelled' } });
      expect((await store.call('DELETE', `/api/users/${order.user_id}`)).status).toBe(409);
    });

    it('with anonymise keeps all orders: each order loses its user, and gets a new entity tag', async () => {
      const user = await createUser(store);
      const orders = [];
      for (let n = 0; n < 3; n++) orders.push(await placeOrder(store, { user_id: user.id }));
      const tags = new Map<number, string | null>();
      for (const { id } of orders) {
        // The row is read twice, so that every cache has it.
        await store.call('GET', `/api/orders/${id}`);
        tags.set(id, (await store.call('GET', `/api/orders/${id}`)).headers.get('etag'));
      }
      const other = await placeOrder(store);

      expect((await store.call('DELETE', `/api/users/${user.id}?anonymise=true`)).status).toBe(204);

      for (const order of orders) {
        const { body, headers } = await store.call('GET', `/api/orders/${order.id}`);
        expect(body).toEqual({ ...order, user_id: null });
        expect(headers.get('etag')).not.toBe(tags.get(order.id));
        const { data } = await resultOf(store, `{ order(id: ${order.id}) { userId user { id } total } }`);
        expect(data.order).toEqual({ userId: null, user: null, total: order.total });
      }
      expect((await store.call('GET', `/api/orders?user_id=${user.id}`)).body).toEqual([]);
      expect((await store.call('GET', `/api/orders/${other.id}`)).body).toEqual(other);
      await createUser(store, { email: user.email });
    });

    it('with anonymise still allows changes of the status of the orders', async () => {
      const order = await placeOrder(store);
      await store.call('DELETE', `/api/users/${order.user_id}?anonymise=true`);
      const { status, body } = await store.call('PATCH', `/api/orders/${order.id}`, {
        body: { status: 'paid' },
      });
      expect(status).toBe(200);
      expect(body).toEqual({ ...order, user_id: null, status: 'paid' });
    });

    it('with anonymise makes the old entity tags of the orders invalid', async () => {
      const order = await placeOrder(store);
      const { headers } = await store.call('GET', `/api/orders/${order.id}`);
      await store.call('DELETE', `/api/users/${order.user_id}?anonymise=true`);
      const { status } = await store.call('PATCH', `/api/orders/${order.id}`, {
        body: { status: 'paid' },
        headers: { 'if-match': headers.get('etag') as string },
      });
      expect(status).toBe(412);
    });

    it('loses no order that is placed at the same time', async () => {
      for (let n = 0; n < 15; n++) {
        const user = await createUser(store);
        const body = await anOrder(store, { user_id: user.id });
        const isAnonymising = n % 2 === 0;
        const [placed, deleted] = await Promise.all([
          store.call('POST', '/api/orders', { body }),
          store.call('DELETE', `/api/users/${user.id}${isAnonymising ? '?anonymise=true' : ''}`),
        ]);
        const isPlaced = placed.status === 201;
        const owner = isPlaced && (await store.call('GET', `/api/orders/${placed.body.id}`)).body.user_id;
        const outcome = [placed.status, placed.body.errors?.[0].pointer, deleted.status, owner];
        expect(
          isAnonymising
            ? [[201, undefined, 204, null], USER_GONE]
            : [[201, undefined, 409, user.id], USER_GONE],
        ).toContainEqual(outcome);
      }
    });
  });

  it.each(['1', 'yes', 'TRUE', ''])('refuses ?anonymise=%s', async (value) => {
    const { id } = await createUser(store);
    const { status, body } = await store.call('DELETE', `/api/users/${id}?anonymise=${value}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ parameter: 'anonymise', code: 'WRONG_TYPE' })]);
    expect((await store.call('GET', `/api/users/${id}`)).status).toBe(200);
  });

  it('ends the keys of the user, and no other keys', async () => {
    const [ada, bob] = [await createUser(store), await createUser(store)];
    const keys = [await createKey(store, ['admin'], ada.id), await createKey(store, [], ada.id)];
    const other = await createKey(store, [], bob.id);
    expect((await store.call('GET', '/api/users/me', { key: keys[0] as string })).status).toBe(200);
    expect((await store.call('DELETE', `/api/users/${ada.id}`)).status).toBe(204);
    for (const key of keys) {
      expect((await store.call('GET', '/api/users/me', { key })).status).toBe(401);
      expect((await store.call('GET', '/api/products', { key })).status).toBe(401);
      expect((await ask(store, { query: '{ me { id } }' }, { key })).status).toBe(401);
    }
    expect((await store.call('GET', '/api/users/me', { key: other })).body).toEqual({ user: bob });
  });
});
