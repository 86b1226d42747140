import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';

const JSON_PATCH = 'application/json-patch+json';
const LATER = '2099-01-01T00:00:00.000Z';

type Shown = Record<string, unknown>;

interface Kind {
  readonly path: string;
  readonly make: (store: TestApp) => Promise<{ id: number }>;
  readonly change: Shown;
  /** Read-only members with other values of the right types. */
  readonly others: Shown;
  readonly methods: readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    path: '/api/v2/products',
    make: create,
    change: { name: 'Green tea' },
    others: { created_at: LATER, updated_at: LATER },
    methods: ['PUT', 'PATCH'],
  },
  {
    path: '/api/v2/users',
    make: createUser,
    change: { name: 'Grace' },
    others: { created_at: LATER, updated_at: LATER },
    methods: ['PUT', 'PATCH'],
  },
  {
    path: '/api/v2/orders',
    make: placeOrder,
    change: { status: 'paid' },
    others: {
      user_id: null,
      total: { amount: 1, currency: 'USD' },
      created_at: LATER,
      updated_at: LATER,
      items: [],
    },
    methods: ['PATCH'],
  },
  {
    path: '/api/v1/orders',
    make: placeOrder,
    change: { status: 'paid' },
    others: { user_id: null, total: 0.01, created_at: LATER, items: [] },
    methods: ['PATCH'],
  },
];

describeOnEachEngine('read-only members', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  it('are reported together with all other faults, for example an id that differs from the id in the path', async () => {
    const { id } = await create(store);
    for (const version of ['v1', 'v2']) {
      const { status, body } = await store.call('PATCH', `/api/${version}/products/${id}`, {
        body: { id: id + 1, zz: 1, in_stock: 'yes' },
      });
      expect(status).toBe(400);
      const faults = body.errors as { pointer: string; code: string }[];
      expect(Object.fromEntries(faults.map(({ pointer, code }) => [pointer, code]))).toEqual({
        '#/id': 'READ_ONLY',
        '#/zz': 'UNKNOWN_MEMBER',
        '#/in_stock': 'WRONG_TYPE',
      });
    }
  });

  it('are refused for a wrong type if they are objects that cannot be converted to a text', async () => {
    const { id } = await create(store);
    const value = { toString: 1, valueOf: 1 };
    const path = `/api/products/${id}`;
    const patch = JSON.stringify([{ op: 'add', path: '/id', value }]);
    for (const answer of [
      await store.call('PATCH', path, { body: { id: value } }),
      await store.call('PATCH', path, { body: patch, headers: { 'content-type': JSON_PATCH } }),
    ]) {
      expect([answer.status, answer.body.errors]).toMatchObject([
        400,
        [{ pointer: '#/id', code: 'WRONG_TYPE' }],
      ]);
    }
  });

  /** The ways to send the members: as a body by each method, and as a JSON Patch. */
  function ways({ methods }: Kind): readonly ((path: string, body: Shown) => Promise<Answer>)[] {
    return [
      ...methods.map((method) => (path: string, body: Shown) => store.call(method, path, { body })),
      (path, body) => {
        const operations = Object.entries(body).map(([name, value]) => ({
          op: 'add',
          path: `/${name}`,
          value,
        }));
        return store.call('PATCH', path, { body: operations, headers: { 'content-type': JSON_PATCH } });
      },
    ];
  }

  describe.each(KINDS.map((kind) => [kind.path, kind] as const))('of %s', (_path, kind) => {
    it('may be sent back unchanged', async () => {
      for (const change of ways(kind)) {
        const path = `${kind.path}/${(await kind.make(store)).id}`;
        const { body: shown } = await store.call('GET', path);
        expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(kind.others)));
        const { status, body } = await change(path, { ...shown, ...kind.change });
        expect(status).toBe(200);
        const { updated_at: _later, ...rest } = { ...shown, ...kind.change };
        expect(body).toMatchObject(rest);
      }
    });

    it('are each refused if they differ from the row, and nothing is written', async () => {
      for (const change of ways(kind)) {
        const path = `${kind.path}/${(await kind.make(store)).id}`;
        const { body: shown } = await store.call('GET', path);
        const { status, body } = await change(path, {
          ...shown,
          ...kind.change,
          ...kind.others,
          id: shown.id,
        });
        expect(status).toBe(400);
        expect(
          body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`).toSorted(),
        ).toEqual(
          Object.keys(kind.others)
            .map((name) => `#/${name} READ_ONLY`)
            .toSorted(),
        );
        expect((await store.call('GET', path)).body).toEqual(shown);
      }
    });

    it('are checked for their type first, then against the row', async () => {
      const { id } = await kind.make(store);
      const { body: shown } = await store.call('GET', `${kind.path}/${id}`);
      const gone = `${kind.path}/987654`;
      for (const change of ways(kind)) {
        const sent = { ...shown, ...kind.change, id: 987_654 };
        expect((await change(gone, { ...sent, created_at: 7 })).status).toBe(400);
        expect((await change(gone, sent)).status).toBe(404);
      }
    });

    it('are not checked if the row has changed since it was read', async () => {
      const path = `${kind.path}/${(await kind.make(store)).id}`;
      const headers = { 'if-match': '"987-v2-0"' };
      const { body: shown } = await store.call('GET', path);
      for (const method of kind.methods) {
        const body = { ...shown, ...kind.change, created_at: LATER };
        expect((await store.call(method, path, { body, headers })).status).toBe(412);
      }
    });
  });

  it('are unknown to a version that does not show them', async () => {
    const { id } = await create(store);
    const { body } = await store.call('PATCH', `/api/v1/products/${id}`, { body: { created_at: LATER } });
    expect(body.errors).toMatchObject([{ pointer: '#/created_at', code: 'UNKNOWN_MEMBER' }]);
  });

  it('are part of a request: without them, a request with the same Idempotency-Key is another request', async () => {
    const path = `/api/v2/products/${(await create(store)).id}`;
    const { body: shown } = await store.call('GET', path);
    const headers = { 'idempotency-key': `sent-back-${shown.id}` };
    const send = (body: Shown) => store.call('PATCH', path, { body, headers });
    const first = await send({ name: 'Tea', created_at: shown.created_at });
    expect(first.status).toBe(200);
    const again = await send({ name: 'Tea', created_at: shown.created_at });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await send({ name: 'Tea' })).status).toBe(422);
  });

  it('are compared in the items of a batch too', async () => {
    const { id } = await create(store);
    const { body: shown } = await store.call('GET', `/api/v2/products/${id}`);
    const batch = (item: Shown) =>
      store.call('POST', '/api/v2/products/batch', { body: { items: [{ op: 'update', ...item }] } });
    const { status, body } = await batch({ ...shown, name: 'Tea', created_at: LATER });
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '#/items/0/created_at', code: 'READ_ONLY' })],
    ]);
    expect((await batch({ ...shown, name: 'Tea' })).body.results).toMatchObject([
      { product: { name: 'Tea' } },
    ]);
  });
});
