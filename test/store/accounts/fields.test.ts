import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder, type OrderBody } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { statementsOf } from '../../support/fixtures/statements.js';

// The number of executions of each operation. After four of them the service compiles the operation.
const TIMES = 6;

describeOnEachEngine('fields below the root', (engine) => {
  let store: TestApp;
  let order: OrderBody;
  beforeAll(async () => {
    store = await startApp(engine);
    order = await placeOrder(store);
  });
  afterAll(() => store.close());

  /** The data, and the codes of the errors by their paths. */
  const seenBy = async (scopes: readonly string[], query: string, userId: number | null = null) => {
    const key = await createKey(store, scopes, userId);
    const { data, errors } = await resultOf(store, query, undefined, { key });
    const refused = (errors ?? []).map(
      ({ path, extensions }: { path: string[]; extensions: { code: string; status: number } }) =>
        `${path.join('.')} ${extensions.status} ${extensions.code}`,
    );
    return { data, refused };
  };

  describe('User.orders', () => {
    it('needs orders:read, and is null without it; the rest of the user is returned', async () => {
      const query = `{ user(id: ${order.user_id}) { id alias: orders { id total } } }`;
      for (let n = 0; n < TIMES; n++) {
        expect(await seenBy(['users:read', 'orders:write'], query)).toEqual({
          data: { user: { id: String(order.user_id), alias: null } },
          refused: ['user.alias 403 FORBIDDEN'],
        });
        expect(await seenBy(['users:read', 'orders:read'], query)).toEqual({
          data: { user: { id: String(order.user_id), alias: [{ id: String(order.id), total: 18 }] } },
          refused: [],
        });
      }
    });

    it('is refused for each user of a list, and in the result of a mutation', async () => {
      const list = await seenBy(['users:read'], '{ users { id orders { id } } }');
      expect(list.data.users.length).toBeGreaterThan(0);
      expect(list.refused).toEqual(
        list.data.users.map((_: unknown, n: number) => `users.${n}.orders 403 FORBIDDEN`),
      );
      const { id } = await createUser(store);
      const changed = await seenBy(
        ['users:write'],
        `mutation { updateUser(id: ${id}, name: "b") { name orders { id } } }`,
      );
      expect(changed).toEqual({
        data: { updateUser: { name: 'b', orders: null } },
        refused: ['updateUser.orders 403 FORBIDDEN'],
      });
    });

    it('is returned to the user itself, and is null without an error for other users', async () => {
      const orders = [{ id: String(order.id), user: { id: String(order.user_id) } }];
      const { id: other } = await createUser(store);
      for (let n = 0; n < TIMES; n++) {
        const own = await seenBy([], '{ me { id orders { id user { id } } } }', order.user_id);
        expect(own).toEqual({ data: { me: { id: String(order.user_id), orders } }, refused: [] });
        const query = `{ user(id: ${order.user_id}) { id orders { id } } }`;
        expect(await seenBy(['users:read'], query, other)).toEqual({
          data: { user: { id: String(order.user_id), orders: null } },
          refused: [],
        });
      }
    });

    it('is refused before its arguments are checked and before an order is read', async () => {
      const query = `{ user(id: ${order.user_id}) { orders(limit: 0) { id } } }`;
      expect((await seenBy(['users:read'], query)).refused).toEqual(['user.orders 403 FORBIDDEN']);
      const statements = await statementsOf(store, () =>
        seenBy(['users:read'], `{ users { orders(limit: 10) { items { name } } } }`),
      );
      expect(statements.filter((text) => /\borders\b|order_items/.test(text))).toEqual([]);
    });
  });

  describe('Order.user', () => {
    it('needs users:read, and is null without it; the rest of the order is returned', async () => {
      const query = `{ order(id: ${order.id}) { id userId user { email } } }`;
      const shown = { id: String(order.id), userId: String(order.user_id) };
      for (let n = 0; n < TIMES; n++) {
        expect(await seenBy(['orders:read', 'users:write'], query)).toEqual({
          data: { order: { ...shown, user: null } },
          refused: ['order.user 403 FORBIDDEN'],
        });
        const allowed = await seenBy(['orders:read', 'users:read'], query);
        expect(allowed.refused).toEqual([]);
        expect(allowed.data.order.user.email).toContain('@');
      }
    });

    it('is refused for each order of a list, and in the result of a mutation', async () => {
      const other = await placeOrder(store);
      expect((await seenBy(['orders:read'], '{ orders(limit: 2) { user { id } } }')).refused).toEqual([
        'orders.0.user 403 FORBIDDEN',
        'orders.1.user 403 FORBIDDEN',
      ]);
      const paid = `mutation { updateOrderStatus(id: ${other.id}, status: paid) { status user { id } } }`;
      expect(await seenBy(['orders:write'], paid)).toEqual({
        data: { updateOrderStatus: { status: 'paid', user: null } },
        refused: ['updateOrderStatus.user 403 FORBIDDEN'],
      });
    });

    it('is refused in a fragment too', async () => {
      const query = `{ order(id: ${order.id}) { ...F } } fragment F on Order { ... on Order { user { orders { user { email } } } } }`;
      expect(await seenBy(['orders:read'], query)).toEqual({
        data: { order: { user: null } },
        refused: ['order.user 403 FORBIDDEN'],
      });
    });
  });

  it('never return data to a client without the scopes or without a credential', async () => {
    const query = '{ users { id orders { id } } orders { id user { id } } me { orders { id } } }';
    for (const key of [null, await createKey(store, ['products:read'])]) {
      const { data } = await resultOf(store, query, undefined, { key });
      expect(data).toEqual({ users: null, orders: null, me: null });
    }
  });
});
