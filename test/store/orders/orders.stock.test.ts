import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import {
  anOrder,
  countedProduct,
  create,
  placeOrder,
  type OrderBody,
} from '../../support/fixtures/fixtures.js';

describeOnEachEngine('the stock of products', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const stockOf = async (id: number): Promise<number | null> =>
    (await store.call('GET', `/api/products/${id}/stock`)).body.quantity;
  const count = (id: number, quantity: number | null) =>
    store.call('PUT', `/api/products/${id}/stock`, { body: { quantity } });
  const shown = async (id: number) => {
    const { body, headers } = await store.call('GET', `/api/products/${id}`);
    return { inStock: body.in_stock as boolean, etag: headers.get('etag') };
  };
  const tryOrder = async (...items: { product_id: number; quantity: number }[]) =>
    store.call('POST', '/api/orders', { body: await anOrder(store, { items }) });
  const move = async (order: OrderBody, ...statuses: string[]) => {
    for (const status of statuses) {
      const answer = await store.call('PATCH', `/api/orders/${order.id}`, { body: { status } });
      expect(answer.status).toBe(200);
    }
  };

  describe('when an order is placed', () => {
    it('is reduced by the ordered pieces, and the product changes only if its in_stock changes', async () => {
      const id = await countedProduct(store, 5);
      const first = await shown(id);
      const { headers } = await store.call('GET', `/api/products/${id}/stock`);
      await placeOrder(store, { items: [{ product_id: id, quantity: 4 }] });
      expect(await stockOf(id)).toBe(1);
      expect(await shown(id)).toEqual(first);
      const counted = await store.call('GET', `/api/products/${id}/stock`);
      expect(counted.headers.get('etag')).not.toBe(headers.get('etag'));
      await placeOrder(store, { items: [{ product_id: id, quantity: 1 }] });
      expect(await stockOf(id)).toBe(0);
      const last = await shown(id);
      expect(last.inStock).toBe(false);
      expect(last.etag).not.toBe(first.etag);
    });

    it('gets a new entity tag, so that a change with the old entity tag is refused', async () => {
      const id = await countedProduct(store, 5);
      const { headers } = await store.call('GET', `/api/products/${id}/stock`);
      await placeOrder(store, { items: [{ product_id: id, quantity: 1 }] });
      const { status } = await store.call('PUT', `/api/products/${id}/stock`, {
        body: { quantity: 5 },
        headers: { 'if-match': headers.get('etag') as string },
      });
      expect(status).toBe(412);
      expect(await stockOf(id)).toBe(4);
    });

    it('is unchanged if it is too small, and every item that lacks stock is named', async () => {
      const [few, enough, none] = [
        await countedProduct(store, 2),
        await countedProduct(store, 9),
        await countedProduct(store, 0),
      ];
      const closed = (await create(store, { in_stock: false })).id;
      const before = await shown(few);
      const { status, body } = await tryOrder(
        { product_id: few, quantity: 3 },
        { product_id: enough, quantity: 9 },
        { product_id: none, quantity: 1 },
        { product_id: closed, quantity: 1 },
      );
      expect([status, body.code]).toEqual([409, 'OUT_OF_STOCK']);
      expect(body.errors).toEqual(
        [0, 2, 3].map((line) => ({
          pointer: `#/items/${line}/quantity`,
          code: 'OUT_OF_STOCK',
          detail: expect.any(String),
        })),
      );
      expect(body.errors[0].detail).toContain('2 pieces');
      expect(body.errors[2].detail).toContain('not for sale');
      expect(await Promise.all([few, enough, none, closed].map(stockOf))).toEqual([2, 9, 0, null]);
      expect(await shown(few)).toEqual(before);
    });

    it('is checked only if all products are known', async () => {
      const id = await countedProduct(store, 0);
      const { status, body } = await tryOrder(
        { product_id: id, quantity: 1 },
        { product_id: 987_654, quantity: 1 },
      );
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ pointer: '#/items/1/product_id' })]);
    });

    it('is assigned to several items of one product, one item after another', async () => {
      const id = await countedProduct(store, 5);
      const lines = [3, 3, 2, 1].map((quantity) => ({ product_id: id, quantity }));
      const { status, body } = await tryOrder(...lines);
      expect(status).toBe(409);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
        '#/items/1/quantity',
        '#/items/3/quantity',
      ]);
      expect(await stockOf(id)).toBe(5);
      expect((await tryOrder(...lines.slice(1, 3))).status).toBe(201);
      expect(await stockOf(id)).toBe(0);
    });

    it('does not matter for a product that is not for sale', async () => {
      const id = await countedProduct(store, 100);
      await store.call('PATCH', `/api/products/${id}`, { body: { in_stock: false } });
      const { status, body } = await tryOrder({ product_id: id, quantity: 1 });
      expect([status, body.code]).toEqual([409, 'OUT_OF_STOCK']);
      expect(await stockOf(id)).toBe(100);
    });
  });

  describe('when an order is cancelled', () => {
    it.each([[[]], [['paid']]])('increases by the ordered pieces, after the statuses %j', async (before) => {
      const [once, twice] = [await countedProduct(store, 5), await countedProduct(store, 7)];
      const order = await placeOrder(store, {
        items: [
          { product_id: twice, quantity: 2 },
          { product_id: once, quantity: 5 },
          { product_id: twice, quantity: 4 },
        ],
      });
      expect(await Promise.all([once, twice].map(stockOf))).toEqual([0, 1]);
      expect((await shown(once)).inStock).toBe(false);
      const { etag } = await shown(twice);
      await move(order, ...before, 'cancelled');
      expect(await Promise.all([once, twice].map(stockOf))).toEqual([5, 7]);
      expect((await shown(once)).inStock).toBe(true);
      expect((await shown(twice)).etag).toBe(etag);
      const again = await store.call('PATCH', `/api/orders/${order.id}`, { body: { status: 'cancelled' } });
      expect(again.status).toBe(409);
      expect(await Promise.all([once, twice].map(stockOf))).toEqual([5, 7]);
    });

    it.each([
      ['paid', ['paid']],
      ['shipped', ['paid', 'shipped']],
      ['delivered', ['paid', 'shipped', 'delivered']],
      ['refunded', ['paid', 'refunded']],
      ['refunded after delivery', ['paid', 'shipped', 'delivered', 'refunded']],
    ])('does not increase for another status: %s', async (_what, statuses) => {
      const id = await countedProduct(store, 5);
      await move(await placeOrder(store, { items: [{ product_id: id, quantity: 2 }] }), ...statuses);
      expect(await stockOf(id)).toBe(3);
    });

    it('increases from a count that was set meanwhile', async () => {
      const id = await countedProduct(store, 5);
      const order = await placeOrder(store, { items: [{ product_id: id, quantity: 2 }] });
      await count(id, 50);
      await move(order, 'cancelled');
      expect(await stockOf(id)).toBe(52);
    });

    it('changes only if it is counted now and was counted for the order', async () => {
      const [stopped, started, paused] = [
        await countedProduct(store, 5),
        (await create(store)).id,
        await countedProduct(store, 5),
      ];
      const order = await placeOrder(store, {
        items: [stopped, started, paused].map((id) => ({ product_id: id, quantity: 2 })),
      });
      await count(stopped, null);
      await count(started, 10);
      await count(paused, null);
      await count(paused, 1);
      await move(order, 'cancelled');
      expect(await Promise.all([stopped, started, paused].map(stockOf))).toEqual([null, 10, 3]);
    });

    it('increases for the other products even if one product was deleted', async () => {
      const [gone, left] = [await countedProduct(store, 5), await countedProduct(store, 5)];
      const order = await placeOrder(store, {
        items: [gone, left].map((id) => ({ product_id: id, quantity: 2 })),
      });
      await store.call('DELETE', `/api/products/${gone}`);
      await move(order, 'cancelled');
      expect((await store.call('GET', `/api/products/${gone}/stock`)).status).toBe(404);
      expect(await stockOf(left)).toBe(5);
    });

    it('does not set in_stock to true again if an editor has set it to false', async () => {
      const id = await countedProduct(store, 2);
      const order = await placeOrder(store, { items: [{ product_id: id, quantity: 2 }] });
      await store.call('PATCH', `/api/products/${id}`, { body: { in_stock: true } });
      await count(id, 1);
      await store.call('PATCH', `/api/products/${id}`, { body: { in_stock: false } });
      await move(order, 'cancelled');
      expect(await stockOf(id)).toBe(3);
      expect((await shown(id)).inStock).toBe(false);
    });

    it('never exceeds the maximum of a stock', async () => {
      const id = await countedProduct(store, 5);
      const order = await placeOrder(store, { items: [{ product_id: id, quantity: 2 }] });
      await count(id, 1_000_000_000);
      await move(order, 'cancelled');
      expect(await stockOf(id)).toBe(1_000_000_000);
    });

    it('stays the same if the entity tag is outdated', async () => {
      const id = await countedProduct(store, 5);
      const order = await placeOrder(store, { items: [{ product_id: id, quantity: 2 }] });
      const { status } = await store.call('PATCH', `/api/orders/${order.id}`, {
        body: { status: 'cancelled' },
        headers: { 'if-match': '"7-v1-x"' },
      });
      expect(status).toBe(412);
      expect(await stockOf(id)).toBe(3);
    });
  });
});
