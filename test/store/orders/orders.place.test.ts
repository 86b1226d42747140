import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { anOrder, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';

const pointersOf = (errors: readonly { pointer: string }[]) => errors.map(({ pointer }) => pointer);

describeOnEachEngine('createOrder', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const place = (body: unknown, key?: string | null) =>
    store.call('POST', '/api/orders', { body, ...(key !== undefined && { key }) });

  it('answers 201 with the order, its items in the given order, and its address', async () => {
    const user = await createUser(store);
    const [chai, chang] = [
      await create(store, { price: 18 }),
      await create(store, { name: 'Chang', price: 19.5 }),
    ];
    const before = Date.now();
    const { status, headers, body } = await place({
      user_id: user.id,
      items: [
        { product_id: chang.id, quantity: 2 },
        { product_id: chai.id, quantity: 1 },
      ],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      user_id: user.id,
      status: 'pending',
      total: 57,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      items: [
        { product_id: chang.id, name: 'Chang', unit_price: 19.5, quantity: 2, total: 39 },
        { product_id: chai.id, name: 'Chai', unit_price: 18, quantity: 1, total: 18 },
      ],
    });
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.created_at)).toBeLessThanOrEqual(Date.now());
    expect(headers.get('location')).toBe(`/api/orders/${body.id}`);
    const read = await store.call('GET', headers.get('location') as string);
    expect(read.body).toEqual(body);
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    expect(read.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('keeps names and prices when the products change', async () => {
    const products = [await create(store), await create(store), await create(store)];
    const order = await placeOrder(store, {
      items: products.map(({ id }) => ({ product_id: id, quantity: 3 })),
    });
    const [renamed, dearer, deleted] = products.map(({ id }) => `/api/products/${id}`) as [
      string,
      string,
      string,
    ];
    const { headers } = await store.call('GET', `/api/orders/${order.id}`);
    await store.call('PATCH', renamed, { body: { name: 'Other' } });
    await store.call('PATCH', dearer, { body: { price: 99 } });
    expect((await store.call('DELETE', deleted)).status).toBe(204);
    const read = await store.call('GET', `/api/orders/${order.id}`);
    expect(read.body).toEqual(order);
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
  });

  it.each([
    [
      '0.1 + 0.2',
      [
        [0.1, 1],
        [0.2, 1],
      ],
      [0.1, 0.2],
      0.3,
    ],
    ['1.1 × 3', [[1.1, 3]], [3.3], 3.3],
    ['0.29 × 100', [[0.29, 100]], [29], 29],
    [
      '4.35 × 3 + 0.07',
      [
        [4.35, 3],
        [0.07, 1],
      ],
      [13.05, 0.07],
      13.12,
    ],
    ['0 × 10,000', [[0, 10_000]], [0], 0],
    ['9,999,999.99 × 10,000', [[9_999_999.99, 10_000]], [99_999_999_900], 99_999_999_900],
  ])('computes exact totals: %s', async (_what, lines, totals, total) => {
    const items = [];
    for (const [price, quantity] of lines as [number, number][]) {
      items.push({ product_id: (await create(store, { price })).id, quantity });
    }
    const order = await placeOrder(store, { items });
    expect(order.items.map((item) => item.total)).toEqual(totals);
    expect(order.total).toBe(total);
  });

  it('is exact for the largest possible order', async () => {
    const [whole, odd] = [
      await create(store, { price: 10_000_000 }),
      await create(store, { price: 9_999_999.99 }),
    ];
    const largest = await placeOrder(store, {
      items: Array.from({ length: 100 }, () => ({ product_id: whole.id, quantity: 10_000 })),
    });
    expect(largest.total).toBe(10_000_000_000_000);
    const uneven = await placeOrder(store, {
      items: Array.from({ length: 100 }, () => ({ product_id: odd.id, quantity: 9_999 })),
    });
    expect(uneven.items[99]?.total).toBe(99_989_999_900.01);
    expect(uneven.total).toBe(9_998_999_990_001);
  });

  it('accepts the same product in several items, and does not merge them', async () => {
    const { id } = await create(store, { price: 2 });
    const { items, total } = await placeOrder(store, {
      items: [1, 2, 3].map((quantity) => ({ product_id: id, quantity })),
    });
    expect(items.map(({ quantity }) => quantity)).toEqual([1, 2, 3]);
    expect(total).toBe(12);
  });

  it('gives a later order a higher id', async () => {
    const [first, second] = [await placeOrder(store), await placeOrder(store)];
    expect(second.id).toBeGreaterThan(first.id);
  });

  describe('the user of an order', () => {
    it('is the user of the key if the request names no user', async () => {
      const user = await createUser(store);
      const { items } = await anOrder(store);
      const { status, body } = await place({ items }, await createKey(store, ['orders:write'], user.id));
      expect([status, body.user_id]).toEqual([201, user.id]);
    });

    it('must be named by the request if the key does not belong to a user', async () => {
      const { items } = await anOrder(store);
      for (const key of [await createKey(store, ['orders:write']), undefined]) {
        const { status, body } = await place({ items }, key);
        expect(status).toBe(400);
        expect(body.errors).toEqual([expect.objectContaining({ pointer: '#/user_id', code: 'REQUIRED' })]);
      }
    });

    it('is the user that the request names', async () => {
      const [user, other] = [await createUser(store), await createUser(store)];
      const body = await anOrder(store, { user_id: other.id });
      const placed = await place(body, await createKey(store, ['orders:write'], user.id));
      expect(placed.body.user_id).toBe(other.id);
    });
  });

  describe('refuses', () => {
    it('an unknown user and all unknown products, each with its pointer', async () => {
      const known = await create(store);
      const gone = await create(store);
      await store.call('DELETE', `/api/products/${gone.id}`);
      const { status, body } = await place({
        user_id: 987_654,
        items: [gone.id, known.id, 987_654, gone.id].map((id) => ({ product_id: id, quantity: 1 })),
      });
      expect(status).toBe(400);
      expect(body.code).toBe('VALIDATION_FAILED');
      expect(pointersOf(body.errors)).toEqual([
        '#/user_id',
        '#/items/0/product_id',
        '#/items/2/product_id',
        '#/items/3/product_id',
      ]);
      expect(new Set(body.errors.map(({ code }: { code: string }) => code))).toEqual(new Set(['UNKNOWN']));
    });

    it('all faults at once, each with its pointer', async () => {
      const { body } = await place({
        user_id: '1',
        items: [
          { product_id: 1, quantity: 0 },
          { product_id: 1.5, quantity: 10_001 },
          { quantity: 1.5, price: 1 },
          null,
          { product_id: -1, quantity: '1' },
        ],
        total: 5,
      });
      expect(
        new Set(
          body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
        ),
      ).toEqual(
        new Set([
          '#/user_id WRONG_TYPE',
          '#/items/0/quantity TOO_SMALL',
          '#/items/1/product_id WRONG_TYPE',
          '#/items/1/quantity TOO_LARGE',
          '#/items/2/price UNKNOWN_MEMBER',
          '#/items/2/product_id REQUIRED',
          '#/items/2/quantity WRONG_TYPE',
          '#/items/3 WRONG_TYPE',
          '#/items/4/product_id TOO_SMALL',
          '#/items/4/quantity WRONG_TYPE',
          '#/total UNKNOWN_MEMBER',
        ]),
      );
      expect(body.errors).toHaveLength(11);
    });

    it('more than a hundred items, and an empty list', async () => {
      const { user_id, items } = await anOrder(store);
      const many = await place({ user_id, items: Array.from({ length: 101 }, () => items[0]) });
      expect(many.body.errors).toEqual([expect.objectContaining({ pointer: '#/items', code: 'TOO_MANY' })]);
      const none = await place({ user_id, items: [] });
      expect(none.body.errors).toEqual([expect.objectContaining({ pointer: '#/items', code: 'TOO_FEW' })]);
    });

    it.each([
      ['no body', '', undefined],
      ['a text that is not JSON', '{"items":[', undefined],
      ['an empty object', {}, '#/items'],
      ['a list', [], '#'],
      ['null instead of the items', { items: null }, '#/items'],
      ['an object instead of the items', { items: { 0: {}, length: 1 } }, '#/items'],
      [
        'a quantity above the range of numbers',
        '{"items":[{"product_id":1,"quantity":1e400}]}',
        '#/items/0/quantity',
      ],
      ['a negative zero', '{"items":[{"product_id":1,"quantity":-0}]}', '#/items/0/quantity'],
      [
        'a product beyond 2^53',
        '{"items":[{"product_id":9007199254740993,"quantity":1}]}',
        '#/items/0/product_id',
      ],
      [
        'a duplicate quantity',
        '{"items":[{"product_id":1,"quantity":1,"quantity":2}]}',
        '#/items/0/quantity',
      ],
      ['a prototype', '{"items":[{"product_id":1,"quantity":1,"__proto__":{}}]}', '#/items/0/__proto__'],
      ['a constructor', '{"items":[{"product_id":1,"quantity":1}],"constructor":{}}', '#/constructor'],
      ['null instead of the user', '{"items":[{"product_id":1,"quantity":1}],"user_id":null}', '#/user_id'],
      ['a status', '{"items":[{"product_id":1,"quantity":1}],"status":"paid"}', '#/status'],
      ['an id', '{"items":[{"product_id":1,"quantity":1}],"id":1}', '#/id'],
    ])('%s', async (_what, body, pointer) => {
      const answer = await place(body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors?.[0].pointer).toBe(pointer);
    });

    it('without storing anything', async () => {
      const total = async () => (await store.call('GET', '/api/orders?limit=1')).headers.get('x-total-count');
      const before = await total();
      const { items } = await anOrder(store);
      await place({ user_id: 987_654, items });
      await place({ items: [] });
      expect(await total()).toBe(before);
    });
  });

  it('changes no stock of a product whose stock is not counted', async () => {
    const { id } = await create(store);
    await placeOrder(store, { items: [{ product_id: id, quantity: 10_000 }] });
    expect((await store.call('GET', `/api/products/${id}/stock`)).body).toEqual({ quantity: null });
  });
});
