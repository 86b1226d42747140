import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpDate } from '../../../src/engine/contract/http-date.js';
import { Database } from '../../../src/engine/database/database.js';
import { raw, run, sql } from '../../../src/engine/database/sql.js';
import { imported } from '../../support/clients/imports.js';
import { startApp, type Answer, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import {
  aProduct,
  aUser,
  countedProduct,
  create,
  createUser,
  placeOrder,
} from '../../support/fixtures/fixtures.js';
import { tally } from '../../support/fixtures/tally.js';

const WRITERS = 20;

/**
 * The start of a second, between half a second and one second from now. A change of a row cannot get an earlier time
 * than the row has. So if a row has this time, and is changed before this time, the change counts as made in the same
 * moment.
 */
async function soon(): Promise<Date> {
  const left = 1_000 - (Date.now() % 1_000);
  if (left < 500) await later(left);
  return new Date(Math.ceil((Date.now() + 1) / 1_000) * 1_000);
}

describeOnEachEngine('safe edits', (engine) => {
  let store: TestApp;
  let strict: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
    strict = await startApp(engine, { STORE_REQUIRE_IF_MATCH: 'true' });
  });
  afterAll(async () => {
    await store.close();
    await strict.close();
  });

  /** Sets the time of the last change of the product. */
  async function changedAt(id: number, at: string): Promise<void> {
    await store.app
      .get(Database, { strict: false })
      .unitOfWork.run(() => run(sql`UPDATE products SET updated_at = ${new Date(at)} WHERE id = ${id}`));
  }

  /** A change by a client that read the product at the time `since`. */
  function write(id: number, since: string, more: Record<string, string> = {}): Promise<Answer> {
    return store.call('PATCH', `/api/products/${id}`, {
      body: { price: 6 },
      headers: { 'if-unmodified-since': since, ...more },
    });
  }

  /** The statuses of a read and of a change by a client that received the date `since`. */
  async function answersTo(path: string, since: string, body: object): Promise<[number, number]> {
    const read = await store.call('GET', path, { headers: { 'if-modified-since': since } });
    const written = await store.call('PATCH', path, { body, headers: { 'if-unmodified-since': since } });
    return [read.status, written.status];
  }

  async function dateOf(path: string): Promise<string> {
    return (await store.call('GET', path)).headers.get('last-modified') ?? '';
  }

  it('let only one of twenty writers change an order, if all send the same tag', async () => {
    const { id } = await placeOrder(store);
    const etag = (await store.call('GET', `/api/orders/${id}`)).headers.get('etag') as string;
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, () =>
        store.call('PATCH', `/api/orders/${id}`, { body: { status: 'paid' }, headers: { 'if-match': etag } }),
      ),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 412: WRITERS - 1 });
  });

  it('are not disturbed by a sale', async () => {
    const id = await countedProduct(store, 5);
    const read = await store.call('GET', `/api/products/${id}`);
    await placeOrder(store, { items: [{ product_id: id, quantity: 2 }] });
    const headers = { 'if-match': read.headers.get('etag') as string };
    expect((await store.call('GET', `/api/products/${id}`)).headers.get('etag')).toBe(headers['if-match']);
    const edited = await store.call('PATCH', `/api/products/${id}`, { body: { price: 7 }, headers });
    expect(edited.status).toBe(200);
    expect((await store.call('GET', `/api/products/${id}/stock`)).body).toEqual({ quantity: 3 });
  });

  describe('If-Unmodified-Since', () => {
    it.each([
      ['one second earlier', '2026-03-01T11:59:59.000Z', 200],
      ['the same moment', '2026-03-01T12:00:00.000Z', 200],
      ['later in the same second', '2026-03-01T12:00:00.001Z', 412],
      ['one second later', '2026-03-01T12:00:01.000Z', 412],
    ])('is compared with the time of the last change, which is %s', async (_when, at, status) => {
      const { id } = await create(store);
      await changedAt(id, at);
      expect((await write(id, 'Sun, 01 Mar 2026 12:00:00 GMT')).status).toBe(status);
      expect((await store.call('GET', `/api/products/${id}`)).body.price).toBe(status === 200 ? 6 : 18);
    });

    it.each(['Sunday, 01-Mar-26 12:00:00 GMT', 'Sun Mar  1 12:00:00 2026'])(
      'accepts the older form %s',
      async (since) => {
        const { id } = await create(store);
        expect((await write(id, since)).status).toBe(412);
      },
    );

    it.each(['yesterday', '2026-03-01T12:00:00Z', 'Sun, 31 Feb 2026 12:00:00 GMT', ''])(
      'ignores «%s», which is not a date',
      async (since) => {
        const { id } = await create(store);
        expect((await write(id, since)).status).toBe(200);
      },
    );

    it('is ignored if there is an If-Match', async () => {
      const { id } = await create(store);
      const etag = (await store.call('GET', `/api/products/${id}`)).headers.get('etag') as string;
      const since = httpDate(0);
      expect((await write(id, since, { 'if-match': etag })).status).toBe(200);
      expect((await write(id, since, { 'if-match': etag })).status).toBe(412);
    });

    it('refuses PATCH, PUT and DELETE of a user that has changed since', async () => {
      const { id } = await createUser(store);
      const headers = { 'if-unmodified-since': httpDate(Date.now() - 60_000) };
      const answers = await Promise.all([
        store.call('PATCH', `/api/users/${id}`, { body: { name: 'Other' }, headers }),
        store.call('PUT', `/api/users/${id}`, { body: aUser(), headers }),
        store.call('DELETE', `/api/users/${id}`, { headers }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([412, 412, 412]);
    });
  });

  describe('a date that a client has received does not match a row that has changed since,', () => {
    const LINE = { product_id: null, name: 'Tea', quantity: 1, unit_price: '4' };
    it.each([
      ['products', { name: 'Tea of dates', price: '4' }, { price: '5' }, { name: 'Chai' }],
      ['users', { name: 'Ada', email: 'dates@example.com' }, { name: 'Eve' }, { name: 'Bob' }],
      [
        'orders',
        { status: 'pending', user_id: null, items: [LINE] },
        { status: 'paid' },
        { status: 'shipped' },
      ],
    ])('if an import gives %s an older date', async (kind, before, after, body) => {
      const imports = (row: object) =>
        imported(
          store,
          { kind, source: 'dates', format: 'ndjson' },
          `${JSON.stringify({ id: 'a', ...row })}\n`,
        );
      const first = await imports({ ...before, updated_at: '2026-03-01T12:00:00.250Z' });
      expect(first).toMatchObject({ created: 1 });
      const { reads } = store.app.get(Database, { strict: false });
      const newest = await reads.one<{ id: number }>(raw(`SELECT max(id) AS id FROM ${kind}`, []));
      const path = `/api/v2/${kind}/${newest?.id}`;
      const since = await dateOf(path);
      expect(since).toBe('Sun, 01 Mar 2026 12:00:01 GMT');
      // The first of these dates is later than the stored date, but lies in the same second.
      for (const [row, at] of [
        [after, '2026-03-01T12:00:00.750Z'],
        [{}, '2026-02-01T12:00:00.000Z'],
      ] as const) {
        expect(await imports({ ...before, ...row, updated_at: at })).toMatchObject({ updated: 1 });
        expect(await answersTo(path, since, body)).toEqual([200, 412]);
      }
      // A date of the file is stored if it lies in a later second.
      expect(await imports({ ...before, updated_at: '2098-03-01T12:00:00.000Z' })).toMatchObject({
        updated: 1,
      });
      expect((await store.call('GET', path)).body.updated_at).toBe('2098-03-01T12:00:00.000Z');
    });

    it('if the clock was set back', async () => {
      const { id } = await create(store);
      const path = `/api/v2/products/${id}`;
      await changedAt(id, '2099-03-01T12:00:00.000Z');
      const since = httpDate(Date.parse('2099-03-01T12:00:00.000Z'));
      expect((await write(id, since)).status).toBe(200);
      expect(await answersTo(path, since, { name: 'Other' })).toEqual([200, 412]);
    });

    it('if the clock was set back, and the user of the order was removed', async () => {
      const order = await placeOrder(store);
      await store.app
        .get(Database, { strict: false })
        .unitOfWork.run(() =>
          run(
            sql`UPDATE orders SET updated_at = ${new Date('2099-03-01T12:00:00.000Z')} WHERE id = ${order.id}`,
          ),
        );
      const since = httpDate(Date.parse('2099-03-01T12:00:00.000Z'));
      const removed = await store.call('DELETE', `/api/v2/users/${order.user_id}?anonymise=true`);
      expect(removed.status).toBe(204);
      expect(await answersTo(`/api/v2/orders/${order.id}`, since, { status: 'paid' })).toEqual([200, 412]);
    });
  });

  describe('the date of a change at a whole second does not match a row that has changed again in this moment,', () => {
    it('if the change was a change of the row', async () => {
      const { id } = await create(store);
      const path = `/api/v2/products/${id}`;
      const at = await soon();
      await changedAt(id, at.toISOString());
      expect((await store.call('PATCH', path, { body: { name: 'First' } })).status).toBe(200);
      expect(await answersTo(path, httpDate(at.getTime()), { name: 'Other' })).toEqual([200, 412]);
    });

    it('if the change was the removal of the user of the order', async () => {
      const order = await placeOrder(store);
      const at = await soon();
      await store.app
        .get(Database, { strict: false })
        .unitOfWork.run(() => run(sql`UPDATE orders SET updated_at = ${at} WHERE id = ${order.id}`));
      const removed = await store.call('DELETE', `/api/v2/users/${order.user_id}?anonymise=true`);
      expect(removed.status).toBe(204);
      const since = httpDate(at.getTime());
      expect(await answersTo(`/api/v2/orders/${order.id}`, since, { status: 'paid' })).toEqual([200, 412]);
    });
  });

  describe('If-None-Match on a change', () => {
    it.each([
      ['*', () => '*', 412],
      ['the current tag', (etag: string) => etag, 412],
      ['the current tag as a weak tag', (etag: string) => `"x", W/${etag}`, 412],
      ['another tag', () => '"987-v1-0"', 200],
    ])('is compared with the current tag: %s', async (_what, held, status) => {
      const { id } = await create(store);
      const etag = (await store.call('GET', `/api/products/${id}`)).headers.get('etag') as string;
      const { status: given } = await store.call('PUT', `/api/products/${id}`, {
        body: aProduct({ in_stock: true, price: 4 }),
        headers: { 'if-none-match': held(etag) },
      });
      expect(given).toBe(status);
      expect((await store.call('GET', `/api/products/${id}`)).body.price).toBe(status === 200 ? 4 : 18);
    });

    it('creates no row at a path that the client chose', async () => {
      const { status } = await store.call('PUT', '/api/products/987654', {
        body: aProduct({ in_stock: true }),
        headers: { 'if-none-match': '*' },
      });
      expect(status).toBe(404);
    });
  });

  describe('with STORE_REQUIRE_IF_MATCH', () => {
    it('refuses a change without a condition, but answers 400 and 404 first', async () => {
      const { id } = await create(strict);
      const path = `/api/products/${id}`;
      const bare = await strict.call('PATCH', path, { body: { price: 2 } });
      expect([bare.status, bare.body.code]).toEqual([428, 'PRECONDITION_REQUIRED']);
      expect((await strict.call('DELETE', path)).status).toBe(428);
      expect((await strict.call('PATCH', path, { body: { price: 'x' } })).status).toBe(400);
      expect((await strict.call('DELETE', '/api/products/987654')).status).toBe(404);
      expect((await strict.call('GET', path)).body.price).toBe(18);
    });

    it.each([
      ['a tag', (etag: string) => ({ 'if-match': etag })],
      ['*', () => ({ 'if-match': '*' })],
      ['a date', () => ({ 'if-unmodified-since': httpDate(Date.now() + 2_000) })],
    ])('accepts a change with %s', async (_what, headers) => {
      const { id } = await create(strict);
      const etag = (await strict.call('GET', `/api/products/${id}`)).headers.get('etag') as string;
      expect((await strict.call('DELETE', `/api/products/${id}`, { headers: headers(etag) })).status).toBe(
        204,
      );
    });

    it('does not accept a date for a stock, because a stock has no date of its last change', async () => {
      const { id } = await create(strict);
      const path = `/api/products/${id}/stock`;
      const headers = { 'if-unmodified-since': httpDate(Date.now() + 2_000) };
      const { status } = await strict.call('PUT', path, { body: { quantity: 3 }, headers });
      expect(status).toBe(428);
      const etag = (await strict.call('GET', path)).headers.get('etag') as string;
      const tagged = await strict.call('PUT', path, {
        body: { quantity: 3 },
        headers: { ...headers, 'if-match': etag },
      });
      expect(tagged.status).toBe(200);
    });
  });

  describe('expectedVersion', () => {
    const VERSIONS = 'query ($id: ID!) { product(id: $id) { version } }';

    it('lets only one of twenty mutations succeed, if all send the same version', async () => {
      const { id } = await create(store);
      const { data } = await store.graphql(VERSIONS, { id });
      const results = await Promise.all(
        Array.from({ length: WRITERS }, (_, n) =>
          store.graphql(
            'mutation ($id: ID!, $v: Int!, $p: Float!) { updateProduct(id: $id, price: $p, expectedVersion: $v) { version } }',
            { id, v: data.product.version, p: n + 100 },
          ),
        ),
      );
      const codes = results.map(({ errors }) => (errors ? String(errors[0].extensions.code) : 'none'));
      expect(tally(codes)).toEqual({ none: 1, PRECONDITION_FAILED: WRITERS - 1 });
      expect((await store.graphql(VERSIONS, { id })).data.product.version).toBe(data.product.version + 1);
    });

    it('is the number at the beginning of the tag', async () => {
      const { id } = await create(store);
      await store.call('PATCH', `/api/products/${id}`, { body: { price: 2 } });
      const etag = (await store.call('GET', `/api/products/${id}`)).headers.get('etag') as string;
      const { data } = await store.graphql(VERSIONS, { id });
      expect(etag.startsWith(`"${data.product.version}-`)).toBe(true);
    });

    it.each<[string, (at: { product: number; user: number; order: number }) => string]>([
      ['replaceProduct', ({ product }) => `id: ${product}, name: "X", price: 1, inStock: true`],
      ['deleteProduct', ({ product }) => `id: ${product}`],
      ['updateUser', ({ user }) => `id: ${user}, name: "X"`],
      ['deleteUser', ({ user }) => `id: ${user}`],
      ['updateOrderStatus', ({ order }) => `id: ${order}, status: paid`],
    ])('makes %s fail if the version is outdated', async (field, args) => {
      const order = await placeOrder(store);
      const rows = { product: (await create(store)).id, user: (await createUser(store)).id, order: order.id };
      const mutate = (version: number | null) =>
        store.graphql(`mutation { ${field}(${args(rows)}, expectedVersion: ${version}) { version } }`);
      const stale = await mutate(9);
      expect([stale.data[field], stale.errors[0].extensions.code]).toEqual([null, 'PRECONDITION_FAILED']);
      expect((await mutate(1)).errors).toBeUndefined();
    });
  });
});
