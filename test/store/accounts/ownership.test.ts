import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type Call, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser, create, createUser, placeOrder, type OrderBody } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { connect } from '../../support/clients/live.js';

const MISSING = 999_999;
const renaming = (id: number) => `mutation { updateUser(id: ${id}, name: "Ada") { name } }`;

describeOnEachEngine('the data of a user', (engine) => {
  let store: TestApp;
  let own: OrderBody;
  let foreign: OrderBody;
  let key: string;
  let client: string;
  const mine = () => own.user_id as number;
  const other = () => foreign.user_id as number;

  beforeAll(async () => {
    store = await startApp(engine);
    own = await placeOrder(store);
    foreign = await placeOrder(store);
    key = await createKey(store, [], mine());
    client = await createKey(store, []);
  });
  afterAll(() => store.close());

  const asUser = (method: string, path: string, call: Call = {}) =>
    store.call(method, path, { key, ...call });
  const list = async (query: string) => {
    const { body, headers } = await asUser('GET', `/api/orders${query}`);
    return [body.map(({ id }: OrderBody) => id), headers.get('x-total-count')];
  };
  const ask = async (query: string, as = key) => {
    const { data, errors } = await resultOf(store, query, undefined, { key: as });
    const codes = (errors ?? []).map(
      ({ path, extensions }: { path: string[]; extensions: { code: string } }) =>
        `${path.join('.')} ${extensions.code}`,
    );
    return [data, codes];
  };

  describe('over REST', () => {
    it('is read and changed by the user itself without any scope', async () => {
      for (const path of [`/api/users/${mine()}`, `/users/${mine()}`]) {
        expect((await asUser('GET', path)).body.user.id).toBe(mine());
        expect((await asUser('HEAD', path)).status).toBe(200);
      }
      const changed = await asUser('PATCH', `/api/users/${mine()}`, { body: { name: 'Ada King' } });
      expect(changed.body.user.name).toBe('Ada King');
      const body = aUser({ name: 'Ada' });
      expect((await asUser('PUT', `/api/users/${mine()}`, { body })).body.user.name).toBe('Ada');
      expect((await asUser('GET', `/api/users/${mine()}/orders`)).body).toMatchObject([{ id: own.id }]);
      expect((await asUser('GET', `/api/orders/${own.id}`)).body.id).toBe(own.id);
    });

    it('looks to other users like data that does not exist', async () => {
      const body = { name: 'Eve' };
      const wanted: [string, (id: number) => string, number, Call?][] = [
        ['GET', (id) => `/api/users/${id}`, other()],
        ['HEAD', (id) => `/api/users/${id}`, other()],
        ['GET', (id) => `/users/${id}`, other()],
        ['PATCH', (id) => `/api/users/${id}`, other(), { body }],
        ['PUT', (id) => `/api/users/${id}`, other(), { body: aUser() }],
        ['DELETE', (id) => `/api/users/${id}?anonymise=true`, other()],
        ['GET', (id) => `/api/users/${id}/orders`, other()],
        ['GET', (id) => `/api/orders/${id}`, foreign.id],
        ['HEAD', (id) => `/api/orders/${id}`, foreign.id],
        ['PATCH', (id) => `/api/orders/${id}`, foreign.id, { body: { status: 'cancelled' } }],
      ];
      for (const [method, path, id, call] of wanted) {
        const [there, missing] = [
          await asUser(method, path(id), call),
          await asUser(method, path(MISSING), call),
        ];
        const said = (answer: typeof there, named: number) => [
          method,
          path(0),
          answer.status,
          answer.body?.detail.replace(String(named), 'N'),
          answer.headers.get('etag'),
        ];
        expect(said(there, id)).toEqual(said(missing, MISSING));
        expect(there.status).toBe(404);
        expect((await store.call(method, path(id), { ...call, key: client })).status).toBe(403);
      }
      expect((await store.call('GET', `/api/users/${other()}`)).body.user.name).toBe('Ada Lovelace');
      expect((await store.call('GET', `/api/orders/${foreign.id}`)).body.status).toBe('pending');
    });

    it('is not looked up for a malformed request: the answer is 400, and not 404', async () => {
      expect((await asUser('GET', '/api/users/x')).status).toBe(400);
      expect((await asUser('PATCH', `/api/users/${other()}`, { body: { name: 1 } })).status).toBe(400);
    });

    it('is the only data in a list of orders', async () => {
      for (const query of ['', `?user_id=${mine()}`, '?status=pending', '?sort=-id'])
        expect([query, await list(query)]).toEqual([query, [[own.id], '1']]);
      for (const query of [`?user_id=${other()}`, `?user_id=${MISSING}`])
        expect([query, await list(query)]).toEqual([query, [[], '0']]);
    });

    it('includes orders, which a user can place only for itself', async () => {
      const items = [{ product_id: (await create(store)).id, quantity: 1 }];
      const order = (body: object, as = key) => store.call('POST', '/api/orders', { key: as, body });
      const { id } = await createUser(store);
      const buyer = await createKey(store, [], id);
      expect((await order({ items }, buyer)).body.user_id).toBe(id);
      expect((await order({ items, user_id: id }, buyer)).body.user_id).toBe(id);
      const refused = await order({ items, user_id: id });
      expect([refused.status, refused.body.detail]).toEqual([403, 'This needs the scope orders:write.']);
      expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
      expect((await order({ items: [], user_id: id })).status).toBe(400);
      expect((await order({ items, user_id: id }, client)).status).toBe(403);
    });

    it('includes pending orders, which the user can cancel but not change otherwise', async () => {
      const { id, user_id: user } = await placeOrder(store);
      const buyer = await createKey(store, [], user);
      const move = async (status: string, as?: string) =>
        (await store.call('PATCH', `/api/orders/${id}`, { body: { status }, ...(as && { key: as }) })).status;
      expect(await move('paid', buyer)).toBe(403);
      expect(await move('paid')).toBe(200);
      expect(await move('cancelled', buyer)).toBe(403);
      const { id: next } = await placeOrder(store, { user_id: user as number });
      const cancel = () =>
        store.call('PATCH', `/api/orders/${next}`, { key: buyer, body: { status: 'cancelled' } });
      expect((await cancel()).body.status).toBe('cancelled');
      expect((await cancel()).status).toBe(409);
    });

    it('can be deleted by the user, and the keys of the user end too', async () => {
      const { id } = await createUser(store);
      const gone = await createKey(store, [], id);
      expect((await store.call('DELETE', `/api/users/${id}`, { key: gone })).status).toBe(204);
      expect((await store.call('GET', `/api/users/${id}`, { key: gone })).status).toBe(401);
    });

    it('does not include the data of operations without an owner', async () => {
      expect((await asUser('GET', '/api/users')).status).toBe(403);
      expect((await asUser('POST', '/api/users', { body: aUser() })).status).toBe(403);
      expect((await asUser('POST', '/api/products', { body: { name: 'a', price: 1 } })).status).toBe(403);
    });
  });

  describe('over GraphQL', () => {
    it('is returned to the user itself, and is null without an error for other users', async () => {
      const all = `{ me { id } user(id: ${mine()}) { id orders { id user { id } } } order(id: ${own.id}) { id } orders { id } }`;
      const shown = { id: String(own.id) };
      expect(await ask(all)).toEqual([
        {
          me: { id: String(mine()) },
          user: { id: String(mine()), orders: [{ ...shown, user: { id: String(mine()) } }] },
          order: shown,
          orders: [shown],
        },
        [],
      ]);
      const others = `{ user(id: ${other()}) { id } order(id: ${foreign.id}) { id } orders(userId: ${other()}) { id } }`;
      expect(await ask(others)).toEqual([{ user: null, order: null, orders: [] }, []]);
      const codes = ['user FORBIDDEN', 'order FORBIDDEN', 'orders FORBIDDEN'];
      expect(await ask(others, client)).toEqual([{ user: null, order: null, orders: null }, codes]);
    });

    it('is changed by the user itself, and is null without an error for other users', async () => {
      expect(await ask(renaming(mine()))).toEqual([{ updateUser: { name: 'Ada' } }, []]);
      expect(await ask(renaming(other()))).toEqual([{ updateUser: null }, []]);
      const remove = `mutation { deleteUser(id: ${other()}, anonymise: true) { id } }`;
      expect(await ask(remove)).toEqual([{ deleteUser: null }, []]);
      const cancel = `mutation { updateOrderStatus(id: ${foreign.id}, status: cancelled) { id } }`;
      expect(await ask(cancel)).toEqual([{ updateOrderStatus: null }, []]);
      expect((await store.call('GET', `/api/orders/${foreign.id}`)).body).toMatchObject({
        status: 'pending',
        user_id: other(),
      });
    });

    it('gives FORBIDDEN for a change that a user may not make without a scope', async () => {
      const pay = `mutation { updateOrderStatus(id: ${own.id}, status: paid) { id } }`;
      expect(await ask(pay)).toEqual([{ updateOrderStatus: null }, ['updateOrderStatus FORBIDDEN']]);
      const { id } = await create(store);
      const buy = (whom: string) =>
        `mutation { createOrder(${whom} items: [{ productId: ${id}, quantity: 1 }]) { userId } }`;
      expect(await ask(buy(`userId: ${other()}`))).toEqual([
        { createOrder: null },
        ['createOrder FORBIDDEN'],
      ]);
      expect(await ask(buy(''))).toEqual([{ createOrder: { userId: String(mine()) } }, []]);
    });
  });

  it('is the only data that a user receives by subscriptions', async () => {
    const { id } = await createUser(store);
    const live = connect(store, await createKey(store, [], id));
    const events = await live.subscribe('newOrder', '{ userId user { id } }');
    await placeOrder(store);
    await placeOrder(store, { user_id: id });
    expect(await events.next()).toMatchObject({
      data: { newOrder: { userId: String(id), user: { id: String(id) } } },
    });
    expect(events.waiting).toBe(0);
    live.close();
  });
});
