import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder, type OrderBody } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { oneOfEach, sampled } from '../../support/sampled.js';

/** JSON texts. Each of them replaces the `?` of a body, and is the value of the variable `v` of a query. */
const VALUES = [
  'null',
  'true',
  '""',
  '"1"',
  '"\\u0000"',
  '"\\ud800"',
  '"1; DROP TABLE users"',
  '-0',
  '-1',
  '0.1',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '123456789012345678901234567890',
  '[]',
  '[[]]',
  '[1]',
  '{}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1,"length":1,"0":1}',
  '{"$ne":1}',
  `${'['.repeat(40)}${']'.repeat(40)}`,
];

const BODIES: readonly [string, string, readonly string[]][] = [
  [
    'POST',
    '/api/users',
    [
      '{"name":?,"email":"h@x.example","x":1}',
      '{"name":"h","email":?}',
      '{"name":"h","email":"h@x.example","x":?}',
      '?',
    ],
  ],
  ['PUT', '/api/users/1', ['{"id":?,"name":"h","email":"h@x.example","x":1}', '{"name":?,"email":?}', '?']],
  ['PATCH', '/api/users/1', ['{"id":?,"x":1}', '{"name":?,"x":1}', '{"email":?}', '{"__proto__":?}', '?']],
  [
    'POST',
    '/api/orders',
    [
      '{"user_id":?,"items":[{"product_id":1,"quantity":1}],"x":1}',
      '{"user_id":1,"items":?}',
      '{"user_id":1,"items":[?]}',
      '{"user_id":1,"items":[{"product_id":?,"quantity":1}],"x":1}',
      '{"user_id":1,"items":[{"product_id":1,"quantity":?}]}',
      '{"user_id":1,"items":[{"product_id":1,"quantity":1,"quantity":?}]}',
      '?',
    ],
  ],
  [
    'PATCH',
    '/api/orders/1',
    ['{"status":?}', '{"id":?,"status":"pending"}', '{"status":"paid","status":?}', '?'],
  ],
];

const VARIABLES: readonly string[] = [
  'query ($v: ID!) { user(id: $v) { id } }',
  'query ($v: String) { users(email: $v) { id } }',
  'query ($v: Int) { users(limit: $v) { id } }',
  'query ($v: Int) { users(page: $v) { id } }',
  'query ($v: Int) { orders(limit: $v) { id } }',
  'query ($v: Int! = 1) { orders(page: $v) { id } }',
  'query ($v: ID) { orders(userId: $v) { id } }',
  'query ($v: OrderStatus) { orders(status: $v) { id } }',
  'query ($v: [OrderSort!]) { orders(sort: $v) { id } }',
  'query ($v: DateTime) { orders(createdAfter: $v, createdBefore: $v) { id } }',
  'mutation ($v: String!) { createUser(name: $v, email: "v") { id } }',
  'mutation ($v: String!) { createUser(name: "v", email: $v) { id } }',
  'mutation ($v: [OrderItemInput!]!) { createOrder(userId: 1, items: $v) { id } }',
  'mutation ($v: ID!) { createOrder(userId: 1, items: [{ productId: $v, quantity: 0 }]) { id } }',
  'mutation ($v: Int!) { createOrder(userId: 987654, items: [{ productId: 1, quantity: $v }]) { id } }',
  'mutation ($v: OrderStatus!) { updateOrderStatus(id: 987654, status: $v) { id } }',
  'mutation ($v: Boolean) { deleteUser(id: 987654, anonymise: $v) { id } }',
];

/** `user { orders { user { orders … } } }` */
const cycle = (levels: number, limit: string): string =>
  levels === 0 ? 'id' : `orders${limit} { user { ${cycle(levels - 1, limit)} } }`;

describeOnEachEngine('input of a hostile client', (engine) => {
  let store: TestApp;
  let order: OrderBody;
  let before: string;

  /** All users, orders and products. */
  const everything = async (): Promise<string> => {
    const lists = await Promise.all(
      ['users', 'orders', 'products'].map((list) => store.call('GET', `/api/${list}?limit=100`)),
    );
    return lists.map(({ text }) => text).join('\n');
  };

  beforeAll(async () => {
    store = await startApp(engine);
    const user_id = (await createUser(store)).id;
    order = await placeOrder(store, {
      user_id,
      items: [{ product_id: (await create(store)).id, quantity: 1 }],
    });
    before = await everything();
  });
  afterAll(() => store.close());

  const places = BODIES.flatMap(([method, path, texts]) =>
    texts.map((text): [string, string, string] => [method, path, text]),
  );
  it.each(oneOfEach(places, ([method, path]) => `${method} ${path}`))(
    'in the place of each ? of %s %s %s is refused with 400',
    async (method, path, text) => {
      for (const value of VALUES) {
        const answer = await store.call(method, path, { body: text.replaceAll('?', () => value) });
        expect([value, answer.status]).toEqual([value, 400]);
      }
      expect(await everything()).toBe(before);
    },
  );

  it.each(sampled(VARIABLES, 6))('in variables of %s never causes an internal error', async (query) => {
    for (const value of VALUES) {
      const { status, body } = await ask(
        store,
        `{"query":${JSON.stringify(query)},"variables":{"v":${value}}}`,
      );
      expect([value, status]).toEqual([value, expect.toSatisfy((said: number) => said < 500)]);
      const codes = (body.errors ?? []).map(
        (error: { extensions?: { code: string } }) => error.extensions?.code,
      );
      expect([value, codes]).toEqual([value, expect.not.arrayContaining(['INTERNAL'])]);
    }
    expect(await everything()).toBe(before);
  });

  it.each([
    '/api/users?email=%27%20OR%201=1--@x',
    '/api/users?email=%00@x',
    '/api/users?email=%ff@x',
    '/api/users?limit=1e400',
    '/api/users?__proto__[x]=1',
    '/api/users?constructor=1',
    '/api/users/1%00',
    '/api/users/1%2f..%2forders',
    '/api/users/99999999999999999999',
    '/api/users/NaN/orders',
    '/api/orders?status[]=paid',
    '/api/orders?user_id=1%20OR%201=1',
    '/api/orders?sort=id;DROP%20TABLE%20orders',
    '/api/orders?created_after=infinity',
    '/api/orders/-0',
    '/users/1.0',
  ])('in GET %s is refused with 400', async (path) => {
    expect((await store.call('GET', path)).status).toBe(400);
  });

  it('in circular selections is limited in depth and cost', async () => {
    const root = `user(id: ${order.user_id})`;
    const depth = await ask(store, { query: `{ ${root} { ${cycle(4, '(limit: 1)')} } }` });
    expect(depth.body.data).toBeUndefined();
    expect(depth.body.errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    const cost = await ask(store, { query: `{ ${root} { ${cycle(3, '')} } }` });
    expect(cost.body.errors[0].message).toContain('cost');
    const recursive = await ask(store, {
      query: `{ ${root} { ...F } } fragment F on User { orders(limit: 1) { user { ...F } } }`,
    });
    expect(recursive.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const allowed = await ask(store, { query: `{ ${root} { ${cycle(3, '(limit: 1)')} } }` });
    expect(allowed.body.errors).toBeUndefined();
  });

  it('cannot hide its cost behind variables, aliases or negative numbers', async () => {
    const query = `query ($few: Int! = 1, $many: Int! = 1) {
      users(limit: $few) { orders(limit: $many) { items { product { stock } } } } }`;
    for (const variables of [
      { few: 100, many: 100 },
      { few: -1, many: 100 },
      { few: 100, many: -100 },
    ]) {
      const { body } = await ask(store, { query, variables });
      expect(body.errors.length).toBeGreaterThan(0);
      expect((body.data?.users ?? []).flatMap(({ orders }: { orders: unknown[] }) => orders ?? [])).toEqual(
        [],
      );
    }
    const aliases = Array.from({ length: 31 }, (_, n) => `a${n}: orders(limit: 1) { id }`).join(' ');
    const many = await ask(store, { query: `{ user(id: ${order.user_id}) { ${aliases} } }` });
    expect(many.body.errors[0].message).toContain('aliases');
  });
});
