import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { countedProduct, createUser, placeOrder, type OrderBody } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { keepNoResults, statementsOf } from '../../support/fixtures/statements.js';
import { tally } from '../../support/fixtures/tally.js';

const USERS = 6;
// The number of executions of each operation. After four of them the service compiles the operation.
const TIMES = 6;

describeOnEachEngine('relations of users and orders', (engine) => {
  let store: TestApp;
  const users: number[] = [];
  const orders: OrderBody[] = [];
  beforeAll(async () => {
    // Wide operations have a high cost.
    store = await startApp(engine, { STORE_GRAPHQL_MAX_COST: '1000000' }, keepNoResults);
    users.length = 0;
    orders.length = 0;
    const products = [await countedProduct(store, 1000), await countedProduct(store, 1000)] as const;
    for (let n = 0; n < USERS; n++) users.push((await createUser(store, { name: `User ${n}` })).id);
    // Three of the users have orders, in a mixed sequence. The other three users, such as the last one, have none.
    for (let n = 0; n < 20; n++) {
      orders.push(
        await placeOrder(store, {
          user_id: users[(n * n) % (USERS - 1)] as number,
          items: products.map((id, k) => ({ product_id: id, quantity: n + k + 1 })).slice(n % 2),
        }),
      );
    }
  });
  afterAll(() => store.close());

  const newestOf = (user: number, limit: number) =>
    orders
      .filter(({ user_id }) => user_id === user)
      .toReversed()
      .slice(0, limit);

  const idsOf = (user: number, limit: number) => newestOf(user, limit).map(({ id }) => ({ id: String(id) }));

  it('use one statement for each level, for any number of rows', async () => {
    const query = `query ($users: Int) { users(limit: $users) {
      orders(limit: 3) { items { product { stock } } user { name } } } }`;
    for (let n = 0; n < TIMES; n++) {
      const wide = await statementsOf(store, async () => {
        const { data, errors } = await resultOf(store, query, { users: USERS });
        expect(errors).toBeUndefined();
        expect(data.users).toHaveLength(USERS);
      });
      const narrow = await statementsOf(store, () => resultOf(store, query, { users: 1 }));
      const tables = wide.map((text) => /FROM (?:\(\s*SELECT o\.\* FROM )?(\w+)/.exec(text)?.[1] ?? text);
      // `CountedTable` lists the users. Its statements are not counted here.
      expect(tally(tables)).toEqual({ users: 2, order_items: 1, products: 1, product_stocks: 1 });
      expect(narrow).toHaveLength(wide.length);
    }
  });

  it('return the right rows for each parent, in the right order', async () => {
    for (let n = 0; n < TIMES; n++) {
      const { data, errors } = await resultOf(
        store,
        '{ users { id orders { id userId user { id } items { productId quantity product { id } } } } }',
      );
      expect(errors).toBeUndefined();
      expect(data.users).toEqual(
        users.map((user) => ({
          id: String(user),
          orders: newestOf(user, 100).map(({ id, items }) => ({
            id: String(id),
            userId: String(user),
            user: { id: String(user) },
            items: items.map(({ product_id, quantity }) => ({
              productId: String(product_id),
              quantity,
              product: { id: String(product_id) },
            })),
          })),
        })),
      );
    }
  });

  it('use one statement for each limit, and return the right number of rows', async () => {
    const query =
      '{ users { one: orders(limit: 1) { id } two: orders(limit: 2) { id } again: orders(limit: 1) { id } } }';
    for (let n = 0; n < TIMES; n++) {
      const statements = await statementsOf(store, async () => {
        const { data } = await resultOf(store, query);
        expect(data.users).toEqual(
          users.map((user) => ({ one: idsOf(user, 1), two: idsOf(user, 2), again: idsOf(user, 1) })),
        );
      });
      expect(statements).toHaveLength(2);
    }
  });

  it('use one statement for each relation below a list of orders at the root', async () => {
    const query = '{ orders { user { name orders(limit: 2) { id } } items { quantity } } }';
    const statements = await statementsOf(store, async () => {
      const { data } = await resultOf(store, query);
      expect(data.orders).toEqual(
        orders.toReversed().map(({ user_id, items }) => ({
          user: {
            name: `User ${users.indexOf(user_id as number)}`,
            orders: newestOf(user_id as number, 2).map(({ id }) => ({ id: String(id) })),
          },
          items: items.map(({ quantity }) => ({ quantity })),
        })),
      );
    });
    // Users, items, and the orders of the users. `CountedTable` lists the orders at the root.
    expect(statements).toHaveLength(3);
  });

  it('in a list over REST use one statement for all items', async () => {
    for (const path of [
      '/api/orders?limit=20',
      `/api/users/${users[0]}/orders`,
      '/api/orders?sort=-id&limit=20',
    ]) {
      const statements = await statementsOf(store, () => store.call('GET', path));
      expect(statements.filter((text) => text.includes('order_items'))).toHaveLength(1);
    }
  });
});
