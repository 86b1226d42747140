import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { createClient } from '../../support/clients/oauth.js';
import { pageAt, walk, type Row } from './walking.js';
import { sampled } from '../../support/sampled.js';

const SORTS = [
  null,
  'id',
  '-id',
  'name',
  '-name',
  'price',
  '-price',
  'name,-price',
  '-price,name',
  '-price,-id',
];

/** The size of a page does not depend on the sort order. So these sizes are tested with only two sort orders. */
const OTHER_LIMITS = [1, 100].flatMap((limit) => [null, 'name,-price'].map((sort) => [sort, limit] as const));

/** The ids in the expected order. The comparison is independent of the service. */
function inOrder(rows: readonly Row[], sort: string | null): number[] {
  const keys = [...(sort?.split(',') ?? []), 'id'];
  return rows
    .toSorted((a, b) => {
      for (const key of keys) {
        const name = key.replace('-', '');
        const [one, other] = [a, b].map((row) => (name === 'price' ? row.price.amount : row[name]));
        if (one !== other) return one < other === !key.startsWith('-') ? -1 : 1;
      }
      return 0;
    })
    .map(({ id }) => id as number);
}

function linksIn(headers: Headers): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g);
  return Object.fromEntries([...links].map(([, target, rel]) => [rel, target]));
}

describeOnEachEngine('cursors', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const refused = async (at: string, key: string | null = ADMIN_KEY) => {
    const { status, body } = await store.call('GET', at, { key });
    return [status, body.code];
  };

  describe('of products', () => {
    const names = ['Chai', 'Chang', 'chai', 'Åland', '\u{1F375} tea', 'Z'];
    /** Deletes all products, and creates 23 products, which are the same each time. */
    const refill = async (): Promise<void> => {
      const { data } = await pageAt(store, '/api/v2/products?limit=100');
      const created = Array.from({ length: 23 }, (_none, i) => ({
        op: 'create',
        name: names[i % names.length],
        price: [5, 1.25, 5, 0][i % 4],
        in_stock: i % 3 > 0,
      }));
      const items = [...data.map(({ id }) => ({ op: 'delete', id: id as number })), ...created];
      const { status } = await store.call('POST', '/api/products/batch', { body: { items } });
      expect(status).toBe(200);
    };
    beforeAll(refill);

    it.each(sampled([...SORTS.map((sort) => [sort, 4] as const), ...OTHER_LIMITS], 5))(
      'sorted by %s return all rows in pages of %i, forwards and backwards',
      async (sort, limit) => {
        const path = `/api/v2/products?limit=${limit}${sort === null ? '' : `&sort=${sort}`}`;
        const forwards = await walk(store, path, 'next');
        expect(forwards.map(({ id }) => id as number)).toEqual(inOrder(forwards, sort));
        expect(forwards.length).toBe((await pageAt(store, path)).page.total);
        expect(await walk(store, path, 'previous')).toEqual(forwards);
      },
    );

    it.each(['in_stock=true', 'q=cha', 'min_price=1&max_price=2', 'q=a&in_stock=false&sort=-name'])(
      'filtered by %s return only matching rows',
      async (filter) => {
        const wanted = (await store.call('GET', `/api/v1/products?limit=100&${filter}`)).body as {
          id: number;
        }[];
        const seen = await walk(store, `/api/v2/products?limit=3&${filter}`, 'next');
        expect(seen.map(({ id }) => id as number)).toEqual(wanted.map(({ id }) => id));
        expect(seen.length).toBeGreaterThan(3);
      },
    );

    describe.each(sampled(SORTS, 3))('sorted by %s', (sort) => {
      const path = `/api/v2/products?limit=3${sort === null ? '' : `&sort=${sort}`}`;
      // Each test leaves some of its rows behind. Without a new list, the last tests would read ten times as many
      // pages.
      beforeEach(refill);

      it.each(['next', 'previous'] as const)(
        'return each remaining row exactly once while rows are added and removed (links to the %s page)',
        async (way) => {
          const before = (await walk(store, '/api/v2/products?limit=100', 'next')).map(
            ({ id }) => id as number,
          );
          const doomed = new Set<number>();
          let step = 0;
          const seen = await walk(store, path, way, async () => {
            step += 1;
            // Rows are added and deleted in all parts of the list, in the parts that were read and in the other parts.
            const name = names[step % names.length] as string;
            const { id } = await create(store, { name, price: [5, 1.25, 0][step % 3] as number });
            const gone = before[(step * 7) % before.length] as number;
            if (step % 2 === 0 && doomed.size < 4 && !doomed.has(gone)) {
              await store.call('DELETE', `/api/products/${gone}`);
              doomed.add(gone);
            }
            if (step % 3 === 0) await store.call('DELETE', `/api/products/${id}`);
          });
          const times = Map.groupBy(seen, ({ id }) => id as number);
          for (const id of before.filter((each) => !doomed.has(each))) {
            expect([id, times.get(id)?.length]).toEqual([id, 1]);
          }
          expect(Math.max(...[...times.values()].map(({ length }) => length))).toBe(1);
          expect(seen.map(({ id }) => id as number)).toEqual(inOrder(seen, sort));
          expect(doomed.size).toBeGreaterThan(0);
        },
      );

      it('continue at the same position after their row was deleted or moved', async () => {
        const first = await pageAt(store, path);
        const all = await walk(store, path, 'next');
        const [boundary, next] = [all[2].id as number, all[3].id as number];
        await store.call('PATCH', `/api/products/${boundary}`, { body: { name: 'zzz', price: 9_999_999 } });
        expect((await pageAt(store, path, first.page.next)).data[0].id).toBe(next);
        await store.call('DELETE', `/api/products/${boundary}`);
        expect((await pageAt(store, path, first.page.next)).data[0].id).toBe(next);
      });
    });
  });

  describe('of one list', () => {
    const path = '/api/v2/products?limit=1&sort=name';
    let cursor: string;
    beforeEach(async () => {
      await create(store);
      await create(store);
      cursor = (await pageAt(store, path)).page.next as string;
    });

    it('are refused if they are changed, cut or longer, or if they come from another list, filter or order', async () => {
      const other = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
      for (const text of [other, cursor.slice(1), cursor.slice(0, -2), `${cursor}AA`, 'x', 'MTI']) {
        expect(await refused(`${path}&cursor=${text}`)).toEqual([400, 'CURSOR_INVALID']);
      }
      for (const list of [
        '/api/v2/products?sort=-name',
        '/api/v2/products?sort=name&in_stock=true',
        '/api/v2/products?',
        '/api/v2/users?',
        '/api/v2/orders?',
      ]) {
        expect(await refused(`${list}&cursor=${cursor}`)).toEqual([400, 'CURSOR_INVALID']);
      }
      expect((await store.call('GET', `${path}&cursor=%20`)).body.errors[0].parameter).toBe('cursor');
    });

    it('are valid with another limit and other fields', async () => {
      const [second] = (await pageAt(store, path, cursor)).data;
      const page = await pageAt(store, `/api/v2/products?limit=50&fields=id&sort=name&cursor=${cursor}`);
      expect(page.data[0]).toEqual({ id: second.id });
    });

    it('are refused for a caller who may see other rows than the first caller, and in the list of another user', async () => {
      const somebody = await createUser(store);
      for (let i = 0; i < 3; i += 1) await placeOrder(store, { user_id: somebody.id });
      const other = await createUser(store);
      const of = async (list: string, key: string): Promise<string> =>
        (await store.call('GET', `${list}?limit=1`, { key })).body.page.next as string;
      const own = await createKey(store, [], somebody.id);
      const mine = await of('/api/v2/orders', own);
      const everything = await of('/api/v2/orders', ADMIN_KEY);
      expect(await refused(`/api/v2/orders?cursor=${mine}`)).toEqual([400, 'CURSOR_INVALID']);
      expect(await refused(`/api/v2/orders?cursor=${everything}`, own)).toEqual([400, 'CURSOR_INVALID']);
      expect((await store.call('GET', `/api/v2/orders?cursor=${mine}`, { key: own })).body.data).toHaveLength(
        2,
      );
      const theirs = await of(`/api/v2/users/${somebody.id}/orders`, own);
      expect(await refused(`/api/v2/users/${other.id}/orders?cursor=${theirs}`)).toEqual([
        400,
        'CURSOR_INVALID',
      ]);
    });

    it('do not show their content, and are equal for equal positions', async () => {
      await create(store, { name: '!secret name' });
      const page = await pageAt(store, path);
      expect(page.data[0].name).toBe('!secret name');
      const bytes = Buffer.from(page.page.next as string, 'base64url').toString('latin1');
      expect(bytes).not.toContain('secret');
      expect((await pageAt(store, path)).page).toEqual(page.page);
    });
  });

  describe.each([
    ['users', async (): Promise<unknown> => createUser(store)],
    ['orders', async (): Promise<unknown> => placeOrder(store)],
    ['api-keys', async (): Promise<unknown> => createKey(store, [])],
    ['clients', async (): Promise<unknown> => createClient(store)],
    [
      'identities',
      async (): Promise<unknown> => {
        const { id } = await createUser(store);
        const body = { issuer: 'https://login.example', subject: `walker ${id}`, user_id: id };
        return store.call('POST', '/api/v2/identities', { body });
      },
    ],
  ])('of %s', (name, make) => {
    it('return all rows, forwards and backwards, with the same total as version 1', async () => {
      for (let i = 0; i < 5; i += 1) await make();
      const all = await store.call('GET', `/api/v1/${name}?limit=100`);
      const path = `/api/v2/${name}?limit=2`;
      const seen = await walk(store, path, 'next');
      expect(seen.map(({ id }) => id as number)).toEqual(all.body.map(({ id }: { id: number }) => id));
      expect(await walk(store, path, 'previous')).toEqual(seen);
      expect((await pageAt(store, path)).page.total).toBe(Number(all.headers.get('x-total-count')));
    });
  });

  it.each(['products', 'users', 'orders', 'api-keys', 'clients', 'identities', 'users/:id/orders'])(
    'of %s are also in the Link header, for formats without an envelope',
    async (template) => {
      const name = template.replace(':id', String((await placeOrder(store)).user_id));
      const list = `/api/v2/${name}?limit=3`;
      const first = `${list}&format=csv`;
      const all = (await walk(store, list, 'next')).map(({ id }) => String(id));
      const seen: string[] = [];
      let at: string | undefined = first;
      while (at !== undefined) {
        const { headers, text } = await store.call('GET', at);
        const { body } = await store.call('GET', at.replace('=csv', '=json'));
        const links = linksIn(headers);
        const cursors = [links['next'], links['prev']].map((to) => to?.split('&cursor=')[1] ?? null);
        expect(cursors).toEqual([body.page.next, body.page.previous]);
        expect([links['first'], headers.get('x-total-count')]).toEqual([first, String(body.page.total)]);
        seen.push(...parse<{ id: string }>(text, { columns: true }).map(({ id }) => id));
        at = links['next'];
      }
      expect(seen).toEqual(all);
    },
  );

  it('return orders sorted by the time of their creation, and orders of one status', async () => {
    const { id } = await placeOrder(store);
    await store.call('PATCH', `/api/v2/orders/${id}`, { body: { status: 'cancelled' } });
    for (const [sort, sign] of [
      ['created_at', 1],
      ['-created_at', -1],
    ] as const) {
      const seen = await walk(store, `/api/v2/orders?limit=2&sort=${sort}`, 'next');
      const expected = seen.toSorted(
        (a, b) => sign * (Date.parse(a.created_at) - Date.parse(b.created_at)) || a.id - b.id,
      );
      expect(seen).toEqual(expected);
      expect(new Set(seen.map((order) => order.id as number)).size).toBe(seen.length);
      expect(await walk(store, `/api/v2/orders?limit=2&sort=${sort}`, 'previous')).toEqual(seen);
    }
    const cancelled = await pageAt(store, '/api/v2/orders?status=cancelled');
    expect([cancelled.data.length, cancelled.page]).toEqual([1, { next: null, previous: null, total: 1 }]);
  });
});
