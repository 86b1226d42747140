import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aProduct, create } from '../../support/fixtures/fixtures.js';

describeOnEachEngine('products over REST', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  describe('createProduct', () => {
    it('creates a product that is in stock by default, and trims the name', async () => {
      const { body } = await store.call('POST', '/api/v1/products', {
        body: { name: '  Chang\t', price: 0 },
      });
      expect(body).toMatchObject({ name: 'Chang', price: 0, in_stock: true });
    });

    it.each([0.01, 0.29, 1.1, 4.35, 19.99, 1_000_000.07, 9_999_999.99, 10_000_000])(
      'keeps the price %s exactly',
      async (price) => {
        const { body } = await store.call('POST', '/api/products', { body: aProduct({ price }) });
        expect(body.price).toBe(price);
      },
    );

    it('reports all faults at once, each with its pointer', async () => {
      const { status, body } = await store.call('POST', '/api/products', {
        body: { name: '', price: '18', in_stock: 'yes', colour: 'red' },
      });
      expect(status).toBe(400);
      expect(body.code).toBe('VALIDATION_FAILED');
      expect(body.errors).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ pointer: '#/name', code: 'TOO_SHORT' }),
          expect.objectContaining({ pointer: '#/price', code: 'WRONG_TYPE' }),
          expect.objectContaining({ pointer: '#/in_stock', code: 'WRONG_TYPE' }),
          expect.objectContaining({ pointer: '#/colour', code: 'UNKNOWN_MEMBER' }),
        ]),
      );
      expect(body.errors).toHaveLength(4);
    });

    it.each([
      ['a missing name', { price: 1 }, '#/name', 'REQUIRED'],
      ['a name of blanks', { name: ' \t\n', price: 1 }, '#/name', 'PATTERN'],
      ['a name of 201 characters', { name: 'x'.repeat(201), price: 1 }, '#/name', 'TOO_LONG'],
      ['a control character', { name: 'a\u0007b', price: 1 }, '#/name', 'PATTERN'],
      ['a lone surrogate', '{"name":"a\\ud800","price":1}', '#/name', 'PATTERN'],
      ['null as the name', { name: null, price: 1 }, '#/name', 'WRONG_TYPE'],
      ['a third decimal', { name: 'a', price: 1.001 }, '#/price', 'NOT_A_MULTIPLE'],
      ['a negative price', { name: 'a', price: -0.01 }, '#/price', 'TOO_SMALL'],
      ['a price over ten million', { name: 'a', price: 10_000_000.01 }, '#/price', 'TOO_LARGE'],
      ['an id of its own', { id: 1, name: 'a', price: 1 }, '#/id', 'UNKNOWN_MEMBER'],
      ['a list', [], '#', 'WRONG_TYPE'],
      ['a text', '"Chai"', '#', 'WRONG_TYPE'],
      ['null', 'null', '#', 'WRONG_TYPE'],
    ])('refuses %s', async (_what, product, pointer, code) => {
      const before = await store.call('GET', '/api/products?limit=1');
      const { status, body } = await store.call('POST', '/api/products', { body: product });
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ pointer, code })]);
      const after = await store.call('GET', '/api/products?limit=1');
      expect(after.headers.get('x-total-count')).toBe(before.headers.get('x-total-count'));
    });

    it('counts characters, not code units: 200 emoji are a valid name', async () => {
      const name = '🫖'.repeat(200);
      const { status, body } = await store.call('POST', '/api/products', { body: aProduct({ name }) });
      expect(status).toBe(201);
      expect(body.name).toBe(name);
    });
  });

  describe('replaceProduct and updateProduct', () => {
    it('need all members for PUT and at least one for PATCH', async () => {
      const { id } = await create(store);
      const put = await store.call('PUT', `/api/products/${id}`, { body: { name: 'Other' } });
      expect(put.status).toBe(400);
      expect(put.body.errors.map((fault: { pointer: string }) => fault.pointer).toSorted()).toEqual([
        '#/in_stock',
        '#/price',
      ]);
      expect((await store.call('PATCH', `/api/products/${id}`, { body: {} })).status).toBe(400);
    });

    it('accept the unchanged id, and no other id', async () => {
      const product = await create(store);
      const same = await store.call('PUT', `/api/products/${product.id}`, { body: product });
      expect(same.status).toBe(200);
      const other = await store.call('PUT', `/api/products/${product.id}`, {
        body: { ...product, id: product.id + 1 },
      });
      expect(other.status).toBe(400);
      expect(other.body.errors).toEqual([expect.objectContaining({ pointer: '#/id', code: 'READ_ONLY' })]);
    });
  });

  it('accept a hundred concurrent changes of one product', async () => {
    const { id } = await create(store);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        store.call('PATCH', `/api/products/${id}`, { body: { price: n + 1000 } }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const { headers } = await store.call('GET', `/api/products/${id}`);
    expect(headers.get('etag')).toMatch(/^"101-/);
  });

  it('still work after a newer release has added a column', async () => {
    const { id } = await create(store);
    await store.app
      .get(DataSource, { strict: false })
      .query('ALTER TABLE products ADD COLUMN of_the_future integer');
    expect((await store.call('PATCH', `/api/products/${id}`, { body: { price: 3 } })).status).toBe(200);
    expect((await store.call('GET', `/api/products/${id}`)).body.price).toBe(3);
    expect((await store.call('GET', '/api/products')).status).toBe(200);
    await create(store);
  });

  describe('the check of entity tags', () => {
    it('answers 304 while nothing has changed, for a tag in any form and for a list of tags', async () => {
      const { id } = await create(store);
      const etag = (await store.call('GET', `/api/products/${id}`)).headers.get('etag') as string;
      for (const held of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const { status, headers } = await store.call('GET', `/api/products/${id}`, {
          headers: { 'if-none-match': held },
        });
        expect(status).toBe(304);
        expect(headers.get('etag')).toBe(etag);
      }
      await store.call('PATCH', `/api/products/${id}`, { body: { price: 99 } });
      const fresh = await store.call('GET', `/api/products/${id}`, { headers: { 'if-none-match': etag } });
      expect(fresh.status).toBe(200);
    });

    it('refuses an If-Match that is not a list of tags', async () => {
      const { id } = await create(store);
      const { status, body } = await store.call('DELETE', `/api/products/${id}`, {
        headers: { 'if-match': '3' },
      });
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ parameter: 'If-Match', code: 'PATTERN' })]);
    });
  });

  describe('the counted stock', () => {
    it('is null until it is set, and then decides whether the product is in stock', async () => {
      const { id } = await create(store);
      const stock = `/api/products/${id}/stock`;
      expect((await store.call('GET', stock)).body).toEqual({ quantity: null });
      expect((await store.call('PUT', stock, { body: { quantity: 0 } })).body).toEqual({ quantity: 0 });
      expect((await store.call('GET', `/api/products/${id}`)).body.in_stock).toBe(false);
      await store.call('PUT', stock, { body: { quantity: 2 } });
      expect((await store.call('GET', `/api/products/${id}`)).body.in_stock).toBe(true);
      await store.call('PUT', stock, { body: { quantity: null } });
      expect((await store.call('GET', `/api/products/${id}`)).body.in_stock).toBe(true);
    });

    it('changes the tag of the product only if the shown product changes', async () => {
      const { id } = await create(store);
      const tag = async (): Promise<string | null> =>
        (await store.call('GET', `/api/products/${id}`)).headers.get('etag');
      const first = await tag();
      await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity: 5 } });
      expect(await tag()).toBe(first);
      await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity: 0 } });
      expect(await tag()).not.toBe(first);
    });

    it('has its own entity tag', async () => {
      const { id } = await create(store);
      const stock = `/api/products/${id}/stock`;
      const etag = (await store.call('GET', stock)).headers.get('etag') as string;
      expect((await store.call('GET', stock, { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect(
        (await store.call('PUT', stock, { body: { quantity: 1 }, headers: { 'if-match': etag } })).status,
      ).toBe(200);
      expect(
        (await store.call('PUT', stock, { body: { quantity: 2 }, headers: { 'if-match': etag } })).status,
      ).toBe(412);
      expect((await store.call('GET', stock)).body).toEqual({ quantity: 1 });
    });

    it('still decides about in_stock after in_stock was written back unchanged', async () => {
      const { id, ...product } = await create(store);
      await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity: 0 } });
      await store.call('PUT', `/api/products/${id}`, { body: { ...product, in_stock: false } });
      await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity: 1 } });
      expect((await store.call('GET', `/api/products/${id}`)).body.in_stock).toBe(true);
    });

    it('agrees with the shown in_stock after concurrent changes of both', async () => {
      const { id } = await create(store);
      const path = `/api/products/${id}`;
      for (let n = 0; n < 30; n++) {
        await store.call('PUT', `${path}/stock`, { body: { quantity: 5 } });
        await store.call('PATCH', path, { body: { in_stock: false } });
        const answers = await Promise.all([
          store.call('PATCH', path, { body: { in_stock: true } }),
          store.call('PUT', `${path}/stock`, { body: { quantity: 0 } }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        expect((await store.call('GET', path)).body.in_stock).toBe(false);
      }
    });

    it('is removed with its product', async () => {
      const { id } = await create(store);
      await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity: 1 } });
      await store.call('DELETE', `/api/products/${id}`);
      expect((await store.call('GET', `/api/products/${id}/stock`)).status).toBe(404);
      expect((await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity: 1 } })).status).toBe(
        404,
      );
    });
  });
});
