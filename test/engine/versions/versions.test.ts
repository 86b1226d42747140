import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword } from '../../support/clients/basic.js';
import { CONTRACT, operationAt, type ContractOperation } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aProductV2, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { goodPath } from '../../support/clients/requests.js';

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const usd = (amount: number) => ({ amount, currency: 'USD' });

/**
 * The responses of an operation, without the parts in which the two versions always differ: 410, and the V2 in the
 * names of operations that begin with `get`.
 */
const said = ({ responses }: ContractOperation) =>
  JSON.stringify(Object.entries(responses).filter(([status]) => status !== '410')).replaceAll(
    /(?<=\bget\w+)V2(?=[`"])/g,
    '',
  );

describeOnEachEngine('version 2', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  it('shows the same product as version 1, with its description, moments and money', async () => {
    const body = aProductV2({ description: 'Tea with spices.', price: usd(1999), in_stock: false });
    const made = await store.call('POST', '/api/v2/products', { body });
    const { id } = made.body;
    expect(made.body).toEqual({ id, ...body, created_at: MOMENT, updated_at: MOMENT });
    expect(made.headers.get('location')).toBe(`/api/v2/products/${id}`);
    expect((await store.call('GET', `/api/v1/products/${id}`)).body).toEqual({
      id,
      name: 'Chai',
      price: 19.99,
      in_stock: false,
    });
    expect((await store.call('GET', `/api/v2/products/${id}`)).body).toEqual(made.body);
  });

  it('replaces and changes all members of a product; version 1 does not change the description', async () => {
    const { id } = await create(store);
    const path = `/api/v2/products/${id}`;
    const put = async (body: unknown) => (await store.call('PUT', path, { body })).body;
    const patch = async (body: unknown) => (await store.call('PATCH', path, { body })).body;
    expect(await put(aProductV2({ id, description: 'Hot.' }))).toMatchObject({ description: 'Hot.' });
    expect(await patch({ price: usd(5) })).toMatchObject({ description: 'Hot.', price: usd(5) });
    const body = { name: 'Chai', price: 1, in_stock: true };
    await store.call('PUT', `/api/v1/products/${id}`, { body });
    expect((await store.call('GET', path)).body).toMatchObject({ description: 'Hot.', price: usd(100) });
    expect(await patch({ description: null })).toMatchObject({ description: null, price: usd(100) });
    await patch({ description: 'Cold.' });
    expect(await put(aProductV2())).toMatchObject({ description: null });
  });

  it.each([
    [{ amount: 1.5, currency: 'USD' }, '#/price/amount', 'WRONG_TYPE'],
    [{ amount: 1_000_000_001, currency: 'USD' }, '#/price/amount', 'TOO_LARGE'],
    [{ amount: 100, currency: 'EUR' }, '#/price/currency', 'WRONG_VALUE'],
    [{ amount: 100 }, '#/price/currency', 'REQUIRED'],
    [1, '#/price', 'WRONG_TYPE'],
  ])('refuses the price %j', async (price, pointer, code) => {
    const { id } = await create(store);
    for (const [method, path] of [
      ['POST', '/api/v2/products'],
      ['PUT', `/api/v2/products/${id}`],
      ['PATCH', `/api/v2/products/${id}`],
    ] as const) {
      const { status, body } = await store.call(method, path, { body: aProductV2({ price }) });
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]]);
    }
    expect((await store.call('GET', `/api/products/${id}`)).body.price).toBe(18);
  });

  it('reports a wrong currency of a price in the same answer as all other faults', async () => {
    const { id } = await create(store);
    const path = `/api/v2/products/${id}`;
    const wrong = { name: '', price: { amount: -1, currency: 'EUR' }, in_stock: true };
    const patched = Object.entries(wrong).map(([name, value]) => ({
      op: 'replace',
      path: `/${name}`,
      value,
    }));
    const jsonPatch = { 'content-type': 'application/json-patch+json' };
    for (const [method, at, body, headers] of [
      ['POST', '/api/v2/products', wrong],
      ['PUT', path, wrong],
      ['PATCH', path, wrong],
      ['PATCH', path, patched, jsonPatch],
    ] as const) {
      const answer = await store.call(method, at, { body, headers: { ...headers } });
      const codes = answer.body.errors.map((fault: Record<string, string>) => [
        fault['pointer'],
        fault['code'],
      ]);
      expect([answer.status, Object.fromEntries(codes)]).toEqual([
        400,
        { '#/name': 'TOO_SHORT', '#/price/amount': 'TOO_SMALL', '#/price/currency': 'WRONG_VALUE' },
      ]);
      expect(codes).toHaveLength(3);
    }
    const inside = [
      { op: 'replace', path: '/price/currency', value: 'EUR' },
      { op: 'replace', path: '/price/amount', value: -1 },
    ];
    const { body } = await store.call('PATCH', path, { body: inside, headers: jsonPatch });
    expect(body.errors).toMatchObject([{ pointer: '#/price/amount' }, { pointer: '#/price/currency' }]);
  });

  it('accepts a price of at most 10,000,000 in a currency without minor units', async () => {
    const yen = await startApp(engine, { STORE_CURRENCY: 'JPY' });
    try {
      const post = (amount: number) =>
        yen.call('POST', '/api/v2/products', { body: aProductV2({ price: { amount, currency: 'JPY' } }) });
      const { body } = await post(10_000_001);
      expect(body.errors).toMatchObject([{ pointer: '#/price/amount', code: 'TOO_LARGE' }]);
      const made = (await post(10_000_000)).body;
      expect((await yen.call('GET', `/api/v1/products/${made.id}`)).body.price).toBe(10_000_000);
    } finally {
      await yen.close();
    }
  });

  it('shows a user without an envelope in every answer', async () => {
    const { id, email } = await createUserWithPassword(store);
    const shown = { id, name: expect.any(String) as string, email, created_at: MOMENT, updated_at: MOMENT };
    const path = `/api/v2/users/${id}`;
    expect((await store.call('GET', path)).body).toEqual(shown);
    const headers = { authorization: basic(email) };
    expect((await store.call('GET', '/api/v2/users/me', { key: null, headers })).body).toEqual(shown);
    expect((await store.call('PATCH', path, { body: { name: 'Ada' } })).body.name).toBe('Ada');
    expect((await store.call('PUT', path, { body: { name: 'Eve', email } })).body.name).toBe('Eve');
    const found = await store.call('GET', `/api/v2/users?email=${email}`);
    expect(found.body).toEqual({
      data: [{ ...shown, name: 'Eve' }],
      page: { next: null, previous: null, total: 1 },
    });
    const made = await store.call('POST', '/api/v2/users', { body: { name: 'Bo', email: `bo.${email}` } });
    expect([made.body.name, made.headers.get('location')]).toEqual(['Bo', `/api/v2/users/${made.body.id}`]);
  });

  it('does not change a user or its entity tag when only the password changes', async () => {
    const { id, email } = await createUser(store);
    const path = `/api/v2/users/${id}`;
    const before = await store.call('GET', path);
    await store.call('PATCH', path, { body: { password: `new for ${email} 7` } });
    const after = await store.call('GET', path);
    expect([after.headers.get('etag'), after.text]).toEqual([before.headers.get('etag'), before.text]);
  });

  it('shows an order with its amounts as money, and shows its new status after a change', async () => {
    const { id, user_id, items } = await placeOrder(store);
    const [item] = items;
    const path = `/api/v2/orders/${id}`;
    const { body } = await store.call('GET', path);
    const { body: inOne } = await store.call('GET', `/api/v1/orders/${id}`);
    const { quantity, unit_price, total } = inOne.items[0];
    expect(body).toMatchObject({
      id,
      user_id,
      status: 'pending',
      total: usd(Math.round(inOne.total * 100)),
      created_at: inOne.created_at,
      updated_at: MOMENT,
      items: [
        {
          product_id: item?.product_id,
          name: 'Chai',
          unit_price: usd(Math.round(unit_price * 100)),
          quantity,
          total: usd(Math.round(total * 100)),
        },
      ],
    });
    const paid = await store.call('PATCH', path, { body: { status: 'paid' } });
    expect([paid.body.status, paid.body.total]).toEqual(['paid', body.total]);
    expect((await store.call('GET', `/api/v2/users/${user_id}/orders`)).body.data).toEqual([paid.body]);
  });

  it('has its own entity tags, and a tag of either version protects a change in either version', async () => {
    const { id } = await create(store);
    const [one, two] = [`/api/v1/products/${id}`, `/api/v2/products/${id}`];
    const tagOf = async (path: string) => (await store.call('GET', path)).headers.get('etag') as string;
    const [old, own] = [await tagOf(one), await tagOf(two)];
    expect(own).not.toBe(old);
    expect((await store.call('GET', two, { headers: { 'if-none-match': own } })).status).toBe(304);
    expect((await store.call('GET', two, { headers: { 'if-none-match': old } })).status).toBe(200);
    const change = async (path: string, tag: string) => {
      const body = path === one ? { price: 3 } : { price: usd(400) };
      return (await store.call('PATCH', path, { body, headers: { 'if-match': tag } })).status;
    };
    expect([await change(two, old), await change(one, own)]).toEqual([200, 412]);
    expect([await change(one, await tagOf(two)), await change(two, old)]).toEqual([200, 412]);
  });

  it('gives a list an entity tag, which changes when a row of the page changes', async () => {
    const { id } = await create(store);
    const path = '/api/v2/products?limit=1&sort=-id';
    const tagOf = async (at: string) => (await store.call('GET', at)).headers.get('etag') as string;
    const tag = await tagOf(path);
    expect((await store.call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect(await tagOf(`${path}&min_price=0`)).not.toBe(tag);
    await store.call('PATCH', `/api/v2/products/${id}`, { body: { name: 'Chang' } });
    expect((await store.call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('lists only the requested fields, in the order of the representation', async () => {
    const { id } = await create(store);
    const { body } = await store.call('GET', '/api/v2/products?fields=price,id&limit=1&sort=-id');
    expect(Object.entries(body.data[0])).toEqual([
      ['id', id],
      ['price', usd(1800)],
    ]);
  });

  it.each([
    ['/api/v2/products?page=2', 'page'],
    ['/api/v1/products?cursor=x', 'cursor'],
    ['/api/v2/products?limit=101', 'limit'],
  ])('%s is refused', async (path, parameter) => {
    const { status, body } = await store.call('GET', path);
    expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
  });

  it('is named, with version 1, in the answer for an unknown version', async () => {
    const { status, body } = await store.call('GET', '/api/v3/products');
    expect([status, body.detail]).toEqual([
      404,
      'There is no version v3 of this interface. Available versions: v1, v2.',
    ]);
  });

  it('has every path and method of version 1, because version 1 will end', () => {
    const all = CONTRACT.map(({ method, address }) => `${method} ${address}`);
    const old = all.filter((each) => each.includes(' /api/v1/'));
    expect(old.length).toBeGreaterThan(50);
    expect(old.filter((each) => !all.includes(each.replace(' /api/v1/', ' /api/v2/')))).toEqual([]);
  });

  describe('behaves like version 1 if the contract has the same responses for both', () => {
    const both = CONTRACT.filter(({ address }) => address.startsWith('/api/v1/')).flatMap((operation) => {
      const other = operationAt(operation.method, operation.address.replace('/v1/', '/v2/'));
      return other && said(other) === said(operation) ? [[operation.operationId, operation] as const] : [];
    });

    it('and both have the same responses in at least the listed operations', () => {
      const ids = both.map(([id]) => id);
      expect(ids).toEqual(
        expect.arrayContaining([
          'createApiKey',
          'createClient',
          'createIdentity',
          'deleteIdentity',
          'deleteProduct',
          'deleteUser',
          'getApiKey',
          'getClient',
          'getIdentity',
          'getProductStock',
          'revokeApiKey',
          'revokeClient',
          'rotateApiKey',
          'rotateClientSecret',
          'setProductStock',
        ]),
      );
    });

    it.each(both.filter(([, { method }]) => ['GET', 'HEAD', 'OPTIONS'].includes(method)))(
      'in %s',
      async (id, { method }) => {
        const path = await goodPath(store, id);
        const [one, two] = [
          await store.call(method, path),
          await store.call(method, path.replace('/v1/', '/v2/')),
        ];
        expect([two.status, two.text]).toEqual([one.status, one.text]);
      },
    );

    it('and creates a key with an address in the version of the request', async () => {
      const body = { name: 'Till' };
      const { headers } = await store.call('POST', '/api/v2/api-keys', { body });
      const location = headers.get('location') as string;
      expect(location).toMatch(/^\/api\/v2\/api-keys\/\d+$/);
      expect((await store.call('GET', location)).body.name).toBe('Till');
      expect((await store.call('DELETE', location)).body.revoked_at).toEqual(MOMENT);
    });

    it('and refuses a key without the scope of the operation', async () => {
      const key = await createKey(store, ['products:read']);
      const { id } = await create(store);
      for (const [method, path] of [
        ['POST', '/api/v2/api-keys'],
        ['PUT', `/api/v2/products/${id}/stock`],
        ['GET', '/api/v2/events'],
      ] as const) {
        expect(
          (await store.call(method, path, { key, body: method === 'GET' ? undefined : {} })).status,
        ).toBe(403);
      }
    });
  });
});
