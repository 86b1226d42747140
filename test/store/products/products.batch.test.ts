import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../support/clients/app.js';
import { fits } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aProduct, aProductV2, create } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { tally } from '../../support/fixtures/tally.js';

const usd = (amount: number) => ({ amount, currency: 'USD' });

describeOnEachEngine('a batch of products', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  function batch(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return store.call('POST', '/api/v1/products/batch', { body, headers });
  }

  function batchV2(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return store.call('POST', '/api/v2/products/batch', { body, headers });
  }

  function priced(ids: readonly number[], price: number): Promise<Answer> {
    return batch({ items: ids.map((id) => ({ op: 'update', id, price })) });
  }

  async function total(): Promise<number> {
    const { headers } = await store.call('GET', '/api/products?limit=1');
    return Number(headers.get('x-total-count'));
  }

  it('creates, updates and deletes in one request, and returns the result of each item', async () => {
    const [changed, removed] = [await create(store), await create(store)];
    const { status, body } = await batch({
      items: [
        { op: 'create', name: ' Tea ', price: 2.5, in_stock: false },
        { op: 'update', id: changed.id, price: 9 },
        { op: 'delete', id: removed.id },
      ],
    });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      {
        op: 'create',
        status: 201,
        etag: expect.stringMatching(/^"1-v1-/),
        product: { id: expect.any(Number), name: 'Tea', price: 2.5, in_stock: false },
      },
      {
        op: 'update',
        status: 200,
        etag: expect.stringMatching(/^"2-v1-/),
        product: { ...changed, price: 9 },
      },
      { op: 'delete', status: 204 },
    ]);
    const [{ product, etag }] = body.results;
    const read = await store.call('GET', `/api/products/${product.id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([product, etag]);
    expect((await store.call('GET', `/api/products/${removed.id}`)).status).toBe(404);
  });

  describe('in version 2', () => {
    it('accepts and shows products like single requests', async () => {
      const [changed, removed] = [await create(store), await create(store)];
      const { status, body } = await batchV2({
        items: [
          { op: 'create', ...aProductV2({ description: 'Hot.', price: usd(250) }) },
          { op: 'update', id: changed.id, price: usd(900), if_match: '"1-v1-0"' },
          { op: 'delete', id: removed.id },
        ],
      });
      expect(status).toBe(200);
      for (const { product, etag } of body.results.slice(0, 2)) {
        const read = await store.call('GET', `/api/v2/products/${product.id}`);
        expect([product, etag]).toEqual([read.body, read.headers.get('etag')]);
      }
      expect(body.results).toMatchObject([
        { op: 'create', status: 201, product: { description: 'Hot.', price: usd(250) } },
        { op: 'update', status: 200, product: { id: changed.id, price: usd(900) } },
        { op: 'delete', status: 204 },
      ]);
      expect((await store.call('GET', `/api/products/${changed.id}`)).body).toEqual({ ...changed, price: 9 });
    });

    it('reports all faults of all items, including faults of money', async () => {
      const { status, body } = await batchV2({
        items: [
          { op: 'create', name: 'Chai', price: 18 },
          { op: 'create', name: '', price: { amount: 1, currency: 'EUR' } },
          { op: 'update', id: 'x', price: usd(-1), if_match: 'x' },
          { op: 'delete', id: 0 },
        ],
      });
      expect([status, body.instance]).toEqual([400, '/api/v2/products/batch']);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
        '#/items/0/price',
        '#/items/1/name',
        '#/items/1/price/currency',
        '#/items/2/id',
        '#/items/2/if_match',
        '#/items/2/price/amount',
        '#/items/3/id',
      ]);
    });

    it('reports at most a hundred faults of an item, including faults of money', async () => {
      const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`m${n}`, n]));
      const price = { amount: 1, currency: 'EUR' };
      const items = [{ op: 'create', name: 'Chai', price, ...unknown }];
      const { body } = await batchV2({ atomic: false, items });
      expect(body.results[0].error.errors).toHaveLength(100);
    });

    it('gives the reason why an item was not done', async () => {
      const { body } = await batchV2({ atomic: false, items: [{ op: 'delete', id: 987_654 }] });
      expect(body.results).toMatchObject([
        { status: 404, error: { instance: '/api/v2/products/batch', errors: [{ pointer: '#/items/0' }] } },
      ]);
    });

    it('is done once, even if it is sent several times with one key', async () => {
      const headers = { 'idempotency-key': 'batch-of-version-2' };
      const body = { items: [{ op: 'create', ...aProductV2() }] };
      const [first, again] = [await batchV2(body, headers), await batchV2(body, headers)];
      expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body]);
    });
  });

  it('accepts a thousand items, and refuses more', async () => {
    const before = await total();
    const items = Array.from({ length: 1000 }, (_, n) => ({ op: 'create', ...aProduct({ price: n }) }));
    const { body } = await batch({ items });
    expect(tally(body.results.map((result: { status: number }) => result.status))).toEqual({ 201: 1000 });
    expect(new Set(body.results.map((result: { product: { id: number } }) => result.product.id)).size).toBe(
      1000,
    );
    const refused = await batch({ items: [...items, items[0]] });
    expect(refused.body.errors).toEqual([
      expect.objectContaining({
        pointer: '#/items',
        code: 'TOO_MANY',
        detail: expect.stringMatching('1000'),
      }),
    ]);
    expect(await total()).toBe(before + 1000);
  });

  it('reports all faults of all items at once, each with its pointer', async () => {
    const before = await total();
    const { status, body } = await batch({
      items: [
        { op: 'create', ...aProduct() },
        { op: 'create', name: '', price: '3', colour: 'red' },
        { op: 'update', price: 3 },
        { op: 'delete', id: 1, price: 3 },
        { op: 'delete', id: 1, if_match: 'x' },
        { op: 'create', ...aProduct(), if_match: '*' },
      ],
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '#/items/1/colour',
      '#/items/1/name',
      '#/items/1/price',
      '#/items/2/id',
      '#/items/3/price',
      '#/items/4/if_match',
      '#/items/5/if_match',
    ]);
    expect(await total()).toBe(before);
  });

  it('reports unknown operations together with all other faults', async () => {
    const items = [{ op: 'upsert' }, { op: 'create', name: 'x', price: '3' }, { op: 3 }, { op: 'delete' }];
    for (const version of ['v1', 'v2']) {
      const { status, body } = await store.call('POST', `/api/${version}/products/batch`, {
        body: { items },
      });
      expect(status).toBe(400);
      expect(
        body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      ).toEqual([
        ['#/items/0/op', 'NOT_ALLOWED'],
        ['#/items/1/price', 'WRONG_TYPE'],
        ['#/items/2/op', 'WRONG_TYPE'],
        ['#/items/3/id', 'REQUIRED'],
      ]);
    }
  });

  it('refuses items that do not match the schema', async () => {
    const good = [
      { op: 'create', name: 'x', price: 3 },
      { op: 'update', id: 1, name: 'y', if_match: '*' },
      { op: 'delete', id: 1 },
    ];
    const bad = [
      ...good.map((item) => ({ ...item, colour: 'red' })),
      { op: 'create', id: 1, name: 'x', price: 3 },
      { op: 'delete', id: 1, price: 3 },
      { op: 'update', price: 3 },
      { op: 'upsert' },
    ];
    for (const item of good) expect([item, fits('ProductBatch', { items: [item] })]).toEqual([item, true]);
    for (const item of bad) {
      const { status } = await batch({ items: [item] });
      expect([item, fits('ProductBatch', { items: [item] }), status]).toEqual([item, false, 400]);
    }
  });

  it.each([
    ['an unknown operation', { items: [{ op: 'upsert' }] }, '#/items/0/op'],
    [
      'an unknown operation in a batch of separate items',
      { atomic: false, items: [{ op: 'toString' }] },
      '#/items/0/op',
    ],
    ['no operation', { items: [{ id: 1 }] }, '#/items/0/op'],
    ['an update without changes', { items: [{ op: 'update', id: 1, if_match: '*' }] }, '#/items/0'],
    ['no items', { items: [] }, '#/items'],
    ['an item that is not an object', { items: [3] }, '#/items/0'],
    ['an unknown member', { items: [{ op: 'delete', id: 1 }], all: true }, '#/all'],
  ])('refuses %s', async (_what, body, pointer) => {
    const answer = await batch(body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
  });

  describe('that is atomic', () => {
    it.each([
      ['does not exist', () => ({ op: 'delete', id: 987_654 }), 404],
      ['has changed since it was read', (id: number) => ({ op: 'delete', id, if_match: '"7-v1-0"' }), 412],
    ])('changes nothing if one of the items %s', async (_what, bad, status) => {
      const product = await create(store);
      const before = await total();
      const answer = await batch({
        items: [{ op: 'create', ...aProduct() }, { op: 'update', id: product.id, price: 1 }, bad(product.id)],
      });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([status, '#/items/2']);
      expect(await total()).toBe(before);
      expect((await store.call('GET', `/api/products/${product.id}`)).body).toEqual(product);
    });
  });

  it('with separate items applies every item that can be applied', async () => {
    const product = await create(store);
    const before = await total();
    const { status, body } = await batch({
      atomic: false,
      items: [
        { op: 'create', name: 'x', price: -1 },
        { op: 'create', ...aProduct() },
        { op: 'update', id: 987_654, price: 1 },
        { op: 'update', id: product.id, price: 1, if_match: '"7-v1-0"' },
        { op: 'update', id: product.id, price: 2, if_match: '"1-v1-0"' },
      ],
    });
    expect(status).toBe(200);
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([
      400, 201, 404, 412, 200,
    ]);
    expect(body.results[0].error.errors).toEqual([
      expect.objectContaining({ pointer: '#/items/0/price', code: 'TOO_SMALL' }),
    ]);
    expect(body.results[2].error).toMatchObject({ code: 'NOT_FOUND', errors: [{ pointer: '#/items/2' }] });
    expect(await total()).toBe(before + 1);
    expect((await store.call('GET', `/api/products/${product.id}`)).body.price).toBe(2);
  });

  it('is not done again if it is sent again with the same key', async () => {
    const before = await total();
    const body = { items: [{ op: 'create', ...aProduct() }] };
    const headers = { 'idempotency-key': 'a-batch' };
    const first = await batch(body, headers);
    const again = await batch(body, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await total()).toBe(before + 1);
  });

  it('does not block a batch that has the same products in another sequence', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await create(store)).id));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => priced(n % 2 === 0 ? ids : ids.toReversed(), n + 1)),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 8 });
    const prices = await Promise.all(
      ids.map(async (id) => (await store.call('GET', `/api/products/${id}`)).body.price as number),
    );
    expect(new Set(prices).size).toBe(1);
  });

  it('needs the right to change products', async () => {
    const key = await createKey(store, ['products:read']);
    const body = { items: [{ op: 'create', ...aProduct() }] };
    expect((await store.call('POST', '/api/v1/products/batch', { body, key })).status).toBe(403);
    expect((await store.call('GET', '/api/v1/products/batch')).status).toBe(405);
  });
});
