import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { placeOrder } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { tally } from '../../support/fixtures/tally.js';

/** For each status: the changes that lead to it, and the statuses that may follow. */
const STATUSES: Record<string, { way: string[]; next: string[] }> = {
  pending: { way: [], next: ['paid', 'cancelled'] },
  paid: { way: ['paid'], next: ['shipped', 'cancelled', 'refunded'] },
  shipped: { way: ['paid', 'shipped'], next: ['delivered'] },
  delivered: { way: ['paid', 'shipped', 'delivered'], next: ['refunded'] },
  cancelled: { way: ['cancelled'], next: [] },
  refunded: { way: ['paid', 'refunded'], next: [] },
};
const TABLE = Object.keys(STATUSES).flatMap((from) =>
  Object.keys(STATUSES).map((to): [string, string] => [from, to]),
);
const LEGAL = TABLE.filter(([from, to]) => STATUSES[from]?.next.includes(to));
const ILLEGAL = TABLE.filter(([from, to]) => !STATUSES[from]?.next.includes(to));

const MUTATION =
  'mutation ($id: ID!, $to: OrderStatus!) { updateOrderStatus(id: $id, status: $to) { id status } }';

describeOnEachEngine('updateOrder', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const patch = (id: number, status: unknown, headers: Record<string, string> = {}) =>
    store.call('PATCH', `/api/orders/${id}`, { body: { status }, headers });
  const read = async (id: number) => {
    const { body, headers } = await store.call('GET', `/api/orders/${id}`);
    return { status: body.status as string, etag: headers.get('etag') as string };
  };
  const orderIn = async (status: string) => {
    const order = await placeOrder(store);
    for (const step of STATUSES[status]?.way ?? []) await patch(order.id, step);
    return order;
  };

  it('has seven legal and twenty-nine illegal changes of the status in these tests', () => {
    expect([LEGAL.length, ILLEGAL.length]).toEqual([7, 29]);
  });

  it.each(LEGAL)('changes the status from %s to %s, over both protocols', async (from, to) => {
    const [first, second] = [await orderIn(from), await orderIn(from)];
    const before = await read(first.id);
    expect(before.status).toBe(from);
    const { status, body, headers } = await patch(first.id, to);
    expect(status).toBe(200);
    expect(body).toEqual({ ...first, status: to });
    expect(headers.get('etag')).not.toBe(before.etag);
    expect(await read(first.id)).toEqual({ status: to, etag: headers.get('etag') });

    const { data, errors } = await resultOf(store, MUTATION, { id: second.id, to });
    expect(errors).toBeUndefined();
    expect(data.updateOrderStatus).toEqual({ id: String(second.id), status: to });
    // The entity tag contains the id of the order, so the id of the first order is replaced.
    const { etag } = await read(first.id);
    expect(await read(second.id)).toEqual({
      status: to,
      etag: etag.replace(`-v1-${first.id}-`, `-v1-${second.id}-`),
    });
  });

  it.each(ILLEGAL)(
    'refuses to change from %s to %s, and names the possible statuses, over both protocols',
    async (from, to) => {
      const { id } = await orderIn(from);
      const before = await read(id);
      const { status, body } = await patch(id, to);
      expect([status, body.code]).toEqual([409, 'ILLEGAL_STATUS']);
      const said = Object.keys(STATUSES).filter((name) => body.detail.split('; ')[1].includes(name));
      expect(new Set(said)).toEqual(new Set(STATUSES[from]?.next));

      const { data, errors } = await resultOf(store, MUTATION, { id, to });
      expect(data).toEqual({ updateOrderStatus: null });
      expect(errors[0].message).toBe(body.detail);
      expect(errors[0].extensions).toMatchObject({ code: 'ILLEGAL_STATUS', status: 409 });
      expect(await read(id)).toEqual(before);
    },
  );

  it('accepts the unchanged id, and no other id', async () => {
    const { id } = await placeOrder(store);
    const other = await store.call('PATCH', `/api/orders/${id}`, { body: { id: id + 1, status: 'paid' } });
    expect(other.body.errors).toEqual([expect.objectContaining({ pointer: '#/id', code: 'READ_ONLY' })]);
    const same = await store.call('PATCH', `/api/orders/${id}`, { body: { id, status: 'paid' } });
    expect(same.status).toBe(200);
  });

  it.each([
    ['an empty object', {}, '#/status', 'REQUIRED'],
    ['null', { status: null }, '#/status', 'WRONG_TYPE'],
    ['another case', { status: 'Paid' }, '#/status', 'NOT_ALLOWED'],
    ['the name of a member that objects inherit', { status: 'constructor' }, '#/status', 'NOT_ALLOWED'],
    ['a list', { status: ['paid'] }, '#/status', 'WRONG_TYPE'],
    ['another total', { status: 'paid', total: 1 }, '#/total', 'READ_ONLY'],
    ['other items', { status: 'paid', items: [] }, '#/items', 'READ_ONLY'],
    ['another user', { status: 'paid', user_id: 987_654 }, '#/user_id', 'READ_ONLY'],
  ])('refuses %s', async (_what, body, pointer, code) => {
    const { id } = await placeOrder(store);
    const answer = await store.call('PATCH', `/api/orders/${id}`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
    expect((await read(id)).status).toBe('pending');
  });

  it('answers 404, and null over GraphQL, for an unknown order', async () => {
    const { status, body } = await patch(987_654, 'paid');
    expect(status).toBe(404);
    expect(body.detail).toContain('987654');
    const answer = await resultOf(store, MUTATION, { id: 987_654, to: 'paid' });
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toEqual({ updateOrderStatus: null });
  });

  it('checks the entity tag before the status, and writes nothing if the tag is outdated', async () => {
    const { id } = await placeOrder(store);
    const { etag } = await read(id);
    expect((await patch(id, 'paid', { 'if-match': etag })).status).toBe(200);
    expect((await patch(id, 'shipped', { 'if-match': etag })).status).toBe(412);
    expect((await patch(id, 'delivered', { 'if-match': etag })).status).toBe(412);
    expect((await patch(id, 'shipped', { 'if-match': `W/${(await read(id)).etag}` })).status).toBe(412);
    expect((await read(id)).status).toBe('paid');
    expect((await patch(id, 'shipped', { 'if-match': `"1-v1-x", ${(await read(id)).etag}` })).status).toBe(
      200,
    );
  });

  it('changes the answer to If-None-Match from 304 to 200', async () => {
    const { id } = await placeOrder(store);
    const { etag } = await read(id);
    const held = { headers: { 'if-none-match': etag } };
    expect((await store.call('GET', `/api/orders/${id}`, held)).status).toBe(304);
    expect((await store.call('HEAD', `/api/orders/${id}`, held)).status).toBe(304);
    await patch(id, 'paid');
    expect((await store.call('GET', `/api/orders/${id}`, held)).body.status).toBe('paid');
  });

  it.each(['DELETE', 'PUT', 'POST'])('is the only change: there is no %s of an order', async (method) => {
    const order = await placeOrder(store);
    const { status, headers } = await store.call(method, `/api/orders/${order.id}`, {
      ...(method !== 'DELETE' && { body: order }),
    });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, PATCH, OPTIONS');
    expect((await store.call('GET', `/api/orders/${order.id}`)).body).toEqual(order);
  });

  it('lets exactly one of twenty concurrent payments succeed, over both protocols', async () => {
    for (let n = 0; n < 3; n++) {
      const { id } = await placeOrder(store);
      const codes = await Promise.all(
        Array.from({ length: 20 }, async (_, k) => {
          if (k % 2 === 0) return (await patch(id, 'paid')).status;
          const { errors } = await resultOf(store, MUTATION, { id, to: 'paid' });
          return errors?.[0].extensions.status ?? 200;
        }),
      );
      expect(tally(codes)).toEqual({ 200: 1, 409: 19 });
      expect((await read(id)).etag).toMatch(/^"2-/);
    }
  });

  describe('access', () => {
    it.each([
      ['GET', '/api/orders', 'orders:read'],
      ['GET', '/api/orders/0', 'orders:read'],
      ['HEAD', '/api/orders/0', 'orders:read'],
      ['GET', '/api/users/0/orders', 'orders:read'],
      ['HEAD', '/api/users/0/orders', 'orders:read'],
      ['POST', '/api/orders', 'orders:write'],
      ['PATCH', '/api/orders/0', 'orders:write'],
    ])('%s %s needs %s', async (method, path, scope) => {
      const call = { ...(['POST', 'PATCH'].includes(method) && { body: {} }) };
      const anonymous = await store.call(method, path, { ...call, key: null });
      expect(anonymous.status).toBe(401);
      expect(anonymous.headers.get('www-authenticate')).not.toBeNull();
      const other = scope === 'orders:read' ? 'orders:write' : 'orders:read';
      const powerless = await createKey(store, [other, 'users:read', 'users:write', 'products:write']);
      const refused = await store.call(method, path, { ...call, key: powerless });
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
      const able = await store.call(method, path, { ...call, key: await createKey(store, [scope]) });
      expect(able.status).toBe(method === 'GET' && path === '/api/orders' ? 200 : 400);
    });
  });
});
