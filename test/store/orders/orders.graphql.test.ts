import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELDS } from '../../../src/generated/fields.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { anOrder, countedProduct, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { resultOf, type GraphqlCall } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';

const ALL = `id total totalMoney { amount currency } status userId user { id } createdAt updatedAt cursor version items {
  productId product { id } name unitPrice unitPriceMoney { amount currency } quantity total
  totalMoney { amount currency } }`;
const CREATE = `mutation ($userId: ID, $items: [OrderItemInput!]!) {
  createOrder(userId: $userId, items: $items) { ${ALL} } }`;

const lines = (items: readonly { product_id: number; quantity: number }[]) =>
  items.map(({ product_id, quantity }) => ({ productId: product_id, quantity }));

const placesOf = (faults: readonly { pointer: string }[]) => faults.map(({ pointer }) => pointer);
/** The pointer of GraphQL for a pointer of REST. */
const inGraphql = (pointer: string) =>
  pointer.replace('product_id', 'productId').replace('user_id', 'userId');

describeOnEachEngine('orders over GraphQL', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const graphql = (query: string, variables?: Record<string, unknown>, call?: GraphqlCall) =>
    resultOf(store, query, variables, call);

  describe('createOrder', () => {
    it('returns every field, and REST reads the same', async () => {
      const user = await createUser(store);
      const { id } = await create(store, { price: 0.1 });
      const { data, errors } = await graphql(CREATE, {
        userId: user.id,
        items: [{ productId: id, quantity: 3 }],
      });
      expect(errors).toBeUndefined();
      const { createOrder: order } = data;
      expect(order).toEqual({
        id: expect.any(String),
        total: 0.3,
        totalMoney: { amount: 30, currency: 'USD' },
        status: 'pending',
        userId: String(user.id),
        user: { id: String(user.id) },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: order.createdAt,
        cursor: null,
        version: 1,
        items: [
          {
            productId: String(id),
            product: { id: String(id) },
            name: 'Chai',
            unitPrice: 0.1,
            unitPriceMoney: { amount: 10, currency: 'USD' },
            quantity: 3,
            total: 0.3,
            totalMoney: { amount: 30, currency: 'USD' },
          },
        ],
      });
      for (const [type, object] of [
        ['Order', order],
        ['OrderItem', order.items[0]],
      ] as const) {
        const named = Object.values(FIELDS).filter((field) => field.type === type);
        expect(Object.keys(object).toSorted()).toEqual(named.map(({ field }) => field).toSorted());
      }
      expect((await graphql(`{ order(id: ${order.id}) { ${ALL} } }`)).data.order).toEqual(order);
      expect((await store.call('GET', `/api/orders/${order.id}`)).body).toEqual({
        id: Number(order.id),
        user_id: user.id,
        status: 'pending',
        total: 0.3,
        created_at: order.createdAt,
        items: [{ product_id: id, name: 'Chai', unit_price: 0.1, quantity: 3, total: 0.3 }],
      });
    });

    it('returns amounts beyond 2^31 in minor units', async () => {
      const { id } = await create(store, { price: 10_000_000 });
      const { data } = await graphql(CREATE, {
        userId: (await createUser(store)).id,
        items: Array.from({ length: 100 }, () => ({ productId: id, quantity: 10_000 })),
      });
      expect(data.createOrder.total).toBe(10_000_000_000_000);
      expect(data.createOrder.totalMoney.amount).toBe(1_000_000_000_000_000);
    });

    it('is for the user of the key by default; with a key without a user, the request must name a user', async () => {
      const user = await createUser(store);
      const { items } = await anOrder(store);
      const mutation = 'mutation ($items: [OrderItemInput!]!) { createOrder(items: $items) { userId } }';
      const own = await graphql(
        mutation,
        { items: lines(items) },
        { key: await createKey(store, ['orders:write'], user.id) },
      );
      expect(own.data.createOrder).toEqual({ userId: String(user.id) });
      const { data, errors } = await graphql(mutation, { items: lines(items) });
      expect(data).toEqual({ createOrder: null });
      expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', pointer: '#/userId' });
    });

    it('refuses the same orders as REST, for the same reasons and at the same places', async () => {
      const user_id = (await createUser(store)).id;
      const [none, closed] = [await countedProduct(store, 0), (await create(store, { in_stock: false })).id];
      const known = (await create(store)).id;
      for (const body of [
        {
          user_id: 987_654,
          items: [987_654, known, 987_655].map((product_id) => ({ product_id, quantity: 1 })),
        },
        { user_id, items: [none, known, closed].map((product_id) => ({ product_id, quantity: 1 })) },
        {
          user_id,
          items: [
            { product_id: known, quantity: 0 },
            { product_id: 0, quantity: 10_001 },
          ],
        },
        { user_id, items: [] },
        { user_id, items: Array.from({ length: 101 }, () => ({ product_id: known, quantity: 1 })) },
      ]) {
        const rest = await store.call('POST', '/api/orders', { body });
        expect([400, 409]).toContain(rest.status);
        const { data, errors } = await graphql(CREATE, { userId: body.user_id, items: lines(body.items) });
        expect(data).toEqual({ createOrder: null });
        const { code, status, type } = rest.body;
        expect(errors[0].extensions).toMatchObject({ code, status, type });
        expect(placesOf(errors[0].extensions.errors)).toEqual(placesOf(rest.body.errors).map(inGraphql));
      }
    });

    it('refuses an invalid order before the execution', async () => {
      const { id } = await create(store);
      for (const items of [
        null,
        [null],
        'x',
        [{ productId: id }],
        [{ productId: id, quantity: '1' }],
        [{ productId: id, quantity: 1.5 }],
        [{ productId: id, quantity: 2 ** 31 }],
        [{ productId: { id }, quantity: 1 }],
        [{ productId: id, quantity: 1, price: 1 }],
        [{ productId: id, quantity: 1, constructor: 1 }],
      ]) {
        const { data, errors } = await graphql(CREATE, { userId: 1, items });
        expect(data).toBeUndefined();
        expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
      }
    });
  });

  describe('order', () => {
    it('is null without an error for an unknown id, and refuses a value that cannot be an id', async () => {
      const none = await graphql('{ order(id: 987654) { id } }');
      expect(none).toMatchObject({ data: { order: null } });
      expect(none.errors).toBeUndefined();
      for (const id of ['x', '0', '-1', '1.0', '9007199254740992']) {
        const { errors } = await graphql('query ($id: ID!) { order(id: $id) { id } }', { id });
        expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', pointer: '#/id' });
      }
    });

    it('keeps its items when products are changed or deleted; only `product` shows the present state', async () => {
      const [changed, deleted] = [await create(store), await create(store)];
      const order = await placeOrder(store, {
        items: [changed, deleted].map(({ id }) => ({ product_id: id, quantity: 1 })),
      });
      await store.call('PATCH', `/api/products/${changed.id}`, { body: { name: 'Other', price: 2 } });
      await store.call('DELETE', `/api/products/${deleted.id}`);
      const { data, errors } = await graphql(
        `{ order(id: ${order.id}) { items { productId name unitPrice product { name price stock } } } }`,
      );
      expect(errors).toBeUndefined();
      expect(data.order.items).toEqual([
        {
          productId: String(changed.id),
          name: 'Chai',
          unitPrice: 18,
          product: { name: 'Other', price: 2, stock: null },
        },
        { productId: String(deleted.id), name: 'Chai', unitPrice: 18, product: null },
      ]);
    });
  });

  describe('orders', () => {
    it('without arguments returns the newest hundred orders, the newest first', async () => {
      const placed: string[] = [];
      const product_id = (await create(store)).id;
      const user_id = (await createUser(store)).id;
      for (let n = 0; n < 105; n++) {
        placed.unshift(
          String((await placeOrder(store, { user_id, items: [{ product_id, quantity: 1 }] })).id),
        );
      }
      const { data } = await graphql('{ orders { id total status } }');
      expect(data.orders.map(({ id }: { id: string }) => id)).toEqual(placed.slice(0, 100));
      expect(data.orders[0]).toEqual({ id: placed[0], total: 18, status: 'pending' });
      const second = await graphql('{ orders(page: 2, limit: 10) { id } }');
      expect(second.data.orders.map(({ id }: { id: string }) => id)).toEqual(placed.slice(10, 20));
      const shared = await graphql(
        `{ user(id: ${user_id}) { orders { id total status } few: orders(limit: 2) { id } } }`,
      );
      expect(shared.data.user.orders).toEqual(data.orders);
      expect(shared.data.user.few).toEqual(placed.slice(0, 2).map((id) => ({ id })));
    });

    it('refuses a limit that is not from 1 to 100, at the root and below a user', async () => {
      const { user_id } = await placeOrder(store);
      for (const limit of ['0', '-1', '101', 'null', '1.5', '2147483648', '"1"', '[]']) {
        for (const query of [
          `{ orders(limit: ${limit}) { id } }`,
          `{ user(id: ${user_id}) { orders(limit: ${limit}) { id } } }`,
        ]) {
          const { data, errors } = await graphql(query);
          expect(data?.orders ?? data?.user?.orders ?? null).toBeNull();
          expect(errors[0].extensions.status).toBe(400);
        }
      }
      for (const limit of [0, -1, 101, null, 1.5, '1', 2 ** 31]) {
        for (const query of [
          'query ($limit: Int) { orders(limit: $limit) { id } }',
          `query ($limit: Int) { user(id: ${user_id}) { orders(limit: $limit) { id } } }`,
        ]) {
          const { data, errors } = await graphql(query, { limit });
          expect(data?.orders ?? data?.user?.orders ?? null).toBeNull();
          expect(errors[0].extensions.status).toBe(400);
        }
      }
      // A missing argument is not null: it has the default.
      expect(
        (await graphql('query ($limit: Int) { orders(limit: $limit) { id } }', {})).errors,
      ).toBeUndefined();
    });

    it('below a user gives an error only for the field that has the bad limit', async () => {
      const { user_id } = await placeOrder(store);
      const { data, errors } = await graphql(
        `{ user(id: ${user_id}) { id bad: orders(limit: 101) { id } good: orders(limit: 1) { status } } }`,
      );
      expect(data.user).toEqual({ id: String(user_id), bad: null, good: [{ status: 'pending' }] });
      expect(errors).toHaveLength(1);
      expect(errors[0].path).toEqual(['user', 'bad']);
      expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', pointer: '#/limit' });
    });
  });

  describe('access', () => {
    it.each([
      ['query { alias: order(id: 0) { id } }', 'orders:read'],
      ['query { alias: orders(limit: 0) { id } }', 'orders:read'],
      ['mutation { alias: createOrder(items: []) { id } }', 'orders:write'],
      ['mutation { alias: updateOrderStatus(id: 0, status: paid) { id } }', 'orders:write'],
    ])('%s needs %s', async (operation, scope) => {
      const anonymous = await graphql(operation, undefined, { key: null });
      expect(anonymous.data).toEqual({ alias: null });
      expect(anonymous.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
      const other = scope === 'orders:read' ? 'orders:write' : 'orders:read';
      const powerless = await graphql(operation, undefined, {
        key: await createKey(store, [other, 'users:read', 'users:write']),
      });
      expect(powerless.data).toEqual({ alias: null });
      expect(powerless.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 });
      const able = await graphql(operation, undefined, { key: await createKey(store, [scope]) });
      expect(able.errors[0].extensions.code).toBe('VALIDATION_FAILED');
    });
  });
});
