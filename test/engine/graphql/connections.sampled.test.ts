import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LongReads } from '../../../src/engine/database/long-reads.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import {
  connectionAt,
  operationFor,
  walk,
  type Arguments,
  type Connection,
} from '../../support/clients/connections.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { sampled } from '../../support/sampled.js';

const SORTS: readonly (readonly string[] | null)[] = [
  null,
  ['ID_ASC'],
  ['ID_DESC'],
  ['NAME_ASC'],
  ['NAME_DESC'],
  ['PRICE_ASC'],
  ['PRICE_DESC'],
  ['NAME_ASC', 'PRICE_DESC'],
  ['PRICE_DESC', 'NAME_ASC'],
  ['PRICE_DESC', 'ID_DESC'],
];
/** The size of a page does not depend on the order, so two orders are enough. */
const OTHER_SIZES = [1, 100].flatMap((size) =>
  [null, ['NAME_ASC', 'PRICE_DESC']].map((sort) => [sort, size] as const),
);
const WAYS = ['forwards', 'backwards'] as const;
// After four executions, an operation is compiled.
const TIMES = 6;

const sortedBy = (sort: readonly string[] | null): Arguments => (sort === null ? {} : { sort });

describeOnEachEngine('connections', (engine) => {
  let store: TestApp;
  const names = ['Chai', 'Chang', 'chai', 'Åland', '\u{1F375} tea', 'Z'];
  beforeAll(async () => {
    store = await startApp(engine);
    for (let i = 0; i < 23; i += 1) {
      await create(store, {
        name: names[i % names.length] as string,
        price: [5, 1.25, 5, 0][i % 4] as number,
        in_stock: i % 3 > 0,
      });
    }
  });
  afterAll(() => store.close());

  /** The ids of the plain list. */
  const listed = async (field: string, given: Arguments = {}, key?: string): Promise<number[]> => {
    const text = operationFor(field, { ...given, limit: 100 }, 'id');
    const { data } = await resultOf(store, text, undefined, key ? { key } : {});
    return data[field].map(({ id }: { id: string }) => Number(id));
  };
  const refused = async (field: string, given: Arguments, key = ADMIN_KEY) => {
    const { data, errors } = await resultOf(store, operationFor(field, given), undefined, { key });
    expect(data).toEqual({ [field]: null });
    return errors[0].extensions as { code: string; status: number; pointer: string; errors: object[] };
  };

  describe('of products', () => {
    it.each(sampled([...SORTS.map((sort) => [sort, 4] as const), ...OTHER_SIZES], 5))(
      'sorted by %s have the same rows as the plain list, in pages of %i, in both directions',
      async (sort, size) => {
        const expected = await listed('products', sortedBy(sort));
        for (const way of WAYS) {
          expect(await walk(store, 'productsConnection', sortedBy(sort), way, { size })).toEqual(expected);
        }
        const { totalCount } = await connectionAt(store, 'productsConnection', sortedBy(sort));
        expect(totalCount).toBe(expected.length);
      },
    );

    it.each([
      { inStock: true },
      { q: 'cha' },
      { minPrice: 1, maxPrice: 2 },
      { q: 'a', inStock: false, sort: ['NAME_DESC'] },
    ])('filtered by %j have the same rows as the plain list with this filter', async (filter) => {
      const expected = await listed('products', filter);
      expect(expected.length).toBeGreaterThan(3);
      for (const way of WAYS) {
        expect(await walk(store, 'productsConnection', filter, way)).toEqual(expected);
      }
      expect((await connectionAt(store, 'productsConnection', filter)).totalCount).toBe(expected.length);
    });

    it('have a cursor for each row, to read the rows after and before it', async () => {
      const given = { sort: ['PRICE_ASC'] };
      const { edges } = await connectionAt(store, 'productsConnection', { ...given, first: 100 });
      for (const [n, { cursor }] of edges.entries()) {
        const behind = await connectionAt(store, 'productsConnection', { ...given, first: 2, after: cursor });
        expect(behind.edges).toEqual(edges.slice(n + 1, n + 3));
        expect(behind.pageInfo.hasNextPage).toBe(n + 3 < edges.length);
        const before = await connectionAt(store, 'productsConnection', { ...given, last: 2, before: cursor });
        expect(before.edges).toEqual(edges.slice(Math.max(0, n - 2), n));
        expect(before.pageInfo.hasPreviousPage).toBe(n > 2);
      }
      expect(new Set(edges.map(({ cursor }) => cursor)).size).toBe(edges.length);
    });

    it('report whether there are more rows, and have 20 rows if both `first` and `last` are left out', async () => {
      const all = await listed('products');
      const ends = async (given: Arguments) => {
        const { pageInfo, nodes } = await connectionAt(store, 'productsConnection', given);
        return [pageInfo.hasPreviousPage, pageInfo.hasNextPage, nodes.map(({ id }) => Number(id))];
      };
      expect(await ends({})).toEqual([false, true, all.slice(0, 20)]);
      expect(await ends({ first: 100 })).toEqual([false, false, all]);
      expect(await ends({ last: 100 })).toEqual([false, false, all]);
      expect(await ends({ last: 2 })).toEqual([true, false, all.slice(-2)]);
      expect(await connectionAt(store, 'productsConnection', { q: 'nothing is called so' })).toEqual({
        edges: [],
        nodes: [],
        pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
        totalCount: 0,
      });
    });

    describe.each(sampled(SORTS, 3).map((sort) => [sort] as const))('sorted by %s', (sort) => {
      const given = sortedBy(sort);

      it.each(WAYS)(
        'return each remaining row exactly once while they are read %s and other rows are added and removed',
        async (way) => {
          const before = await listed('products', given);
          const doomed = new Set<number>();
          let step = 0;
          const between = async (): Promise<void> => {
            step += 1;
            const name = names[step % names.length] as string;
            const { id } = await create(store, { name, price: [5, 1.25, 0][step % 3] as number });
            const gone = before[(step * 7) % before.length] as number;
            if (step % 2 === 0 && doomed.size < 3 && !doomed.has(gone)) {
              await store.call('DELETE', `/api/products/${gone}`);
              doomed.add(gone);
            }
            await store.call('DELETE', `/api/products/${id}`, {});
            if (step % 3 === 0) await create(store, { name, price: 5 });
          };
          const seen = await walk(store, 'productsConnection', given, way, { between });
          const after = await listed('products', given);
          expect(new Set(seen).size).toBe(seen.length);
          const throughout = before.filter((id) => !doomed.has(id));
          expect(seen.filter((id) => throughout.includes(id))).toEqual(throughout);
          expect(seen.filter((id) => after.includes(id))).toEqual(after.filter((id) => seen.includes(id)));
          expect(doomed.size).toBeGreaterThan(0);
        },
      );
    });

    it('count rows only if totalCount is selected', async () => {
      const scans = vi.spyOn(store.app.get(LongReads, { strict: false }), 'run');
      const spread = `...F } } fragment F on ProductConnection { ... on ProductConnection { totalCount`;
      const counts = async (selection: string): Promise<number> => {
        scans.mockClear();
        const { errors } = await resultOf(store, operationFor('productsConnection', { q: 'a' }, selection));
        expect(errors).toBeUndefined();
        return scans.mock.calls.filter(([, { source }]) => String(source).includes('count(*)')).length;
      };
      for (let n = 0; n < TIMES; n += 1) {
        expect(await counts('nodes { id } pageInfo { endCursor }')).toBe(0);
        expect(await counts('total: totalCount')).toBe(1);
        expect(await counts(spread)).toBe(1);
      }
      scans.mockRestore();
    });

    it('give the same result when they are compiled', async () => {
      const given = { first: 3, sort: ['PRICE_DESC'] };
      const first = await connectionAt(store, 'productsConnection', given);
      for (let n = 0; n < TIMES; n += 1) {
        expect(await connectionAt(store, 'productsConnection', given)).toEqual(first);
      }
    });

    it.each([
      ['productsConnection(first: 100) { nodes { id } }', 101],
      ['productsConnection(first: 100) { edges { cursor node { id } } pageInfo { endCursor } }', 101],
      ['productsConnection(last: 7) { edges { node { id } } nodes { id } totalCount }', 1 + 7 + 7 + 5],
      ['productsConnection { nodes { id stock } }', 1 + 20 * 3],
      ['productsConnection(first: 10) { pageInfo { hasNextPage } }', 1],
      ['ordersConnection(first: 10) { edges { node { items { product { id } } } } }', 1 + 10 * (1 + 10 * 2)],
    ])(
      'have a cost that follows from the largest number of rows that they can have: %s',
      async (text, cost) => {
        const { extensions, errors } = await resultOf(store, `{ ${text} }`);
        expect([errors, extensions.cost.requested]).toEqual([undefined, cost]);
      },
    );
  });

  describe('arguments of connections', () => {
    it.each([
      [{ first: 101 }, '#/first'],
      [{ first: 0 }, '#/first'],
      [{ first: -1 }, '#/first'],
      [{ last: 101 }, '#/last'],
      [{ first: 1, last: 1 }, '#/last'],
      [{ after: '' }, '#/after'],
      [{ after: 'x', last: 1 }, '#/after'],
      [{ before: 'x', first: 1 }, '#/before'],
      [{ before: 'x' }, '#/before'],
      [{ before: 'x', first: 1, last: 1 }, '#/last'],
      [{ minPrice: 1.001 }, '#/minPrice'],
    ])('%j are refused', async (given, pointer) => {
      expect(await refused('productsConnection', given)).toMatchObject({
        code: 'VALIDATION_FAILED',
        status: 400,
        pointer,
      });
    });

    it('that are null count as not given', async () => {
      const nothing = { first: null, after: null, last: null, before: null, sort: null, q: null };
      const plain = await connectionAt(store, 'productsConnection');
      expect(await connectionAt(store, 'productsConnection', nothing)).toEqual(plain);
      const variables = { first: null, last: 2, after: null };
      const query = `query ($first: Int, $last: Int, $after: String) {
        productsConnection(first: $first, last: $last, after: $after) { nodes { id } } }`;
      const { data, extensions } = await resultOf(store, query, variables);
      expect(data.productsConnection.nodes).toHaveLength(2);
      expect(extensions.cost.requested).toBe(3);
    });
  });

  describe('cursors of a connection', () => {
    const given = { sort: ['NAME_ASC'] };
    let cursor: string;
    beforeAll(async () => {
      cursor = (await connectionAt(store, 'productsConnection', given)).edges[0]?.cursor as string;
    });

    it('are refused if they are changed, cut or longer, or if they come from another list, filter or order', async () => {
      const other = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
      for (const text of [other, cursor.slice(1), cursor.slice(0, -2), `${cursor}AA`, 'x', 'MTI']) {
        expect(await refused('productsConnection', { ...given, after: text })).toMatchObject({
          code: 'CURSOR_INVALID',
          status: 400,
          pointer: '#/after',
        });
        expect(await refused('productsConnection', { ...given, last: 1, before: text })).toMatchObject({
          code: 'CURSOR_INVALID',
          pointer: '#/before',
        });
      }
      for (const [field, filter] of [
        ['productsConnection', { sort: ['NAME_DESC'] }],
        ['productsConnection', { ...given, inStock: true }],
        ['productsConnection', {}],
        ['usersConnection', {}],
        ['ordersConnection', {}],
      ] as const) {
        expect((await refused(field, { ...filter, after: cursor })).code).toBe('CURSOR_INVALID');
      }
    });

    it('are refused in GraphQL if they come from REST, and in REST if they come from GraphQL', async () => {
      const { body } = await store.call('GET', '/api/v2/products?sort=name&limit=1');
      const next = body.page.next as string;
      expect((await refused('productsConnection', { ...given, after: next })).code).toBe('CURSOR_INVALID');
      const answer = await store.call('GET', `/api/v2/products?sort=name&cursor=${cursor}`);
      expect([answer.status, answer.body.code, answer.body.errors[0].parameter]).toEqual([
        400,
        'CURSOR_INVALID',
        'cursor',
      ]);
    });

    it('are refused for a caller who may see other rows than the caller who got the cursor', async () => {
      const { id } = await createUser(store);
      for (let i = 0; i < 3; i += 1) await placeOrder(store, { user_id: id });
      const own = await createKey(store, [], id);
      const at = async (key: string): Promise<Connection> =>
        connectionAt(store, 'ordersConnection', { first: 1 }, key);
      const mine = (await at(own)).pageInfo.endCursor as string;
      const everything = (await at(ADMIN_KEY)).pageInfo.endCursor as string;
      expect((await refused('ordersConnection', { after: mine })).code).toBe('CURSOR_INVALID');
      expect((await refused('ordersConnection', { after: everything }, own)).code).toBe('CURSOR_INVALID');
      expect((await connectionAt(store, 'ordersConnection', { after: mine }, own)).nodes).toHaveLength(2);
    });

    it('stay valid if the number of rows or the order of the arguments changes', async () => {
      const filter = ['inStock: true', 'sort: [NAME_ASC]'];
      const { data } = await resultOf(
        store,
        `{ productsConnection(first: 1, ${filter.join()}) { pageInfo { endCursor } } }`,
      );
      const after = `after: "${data.productsConnection.pageInfo.endCursor}"`;
      const shown = [
        ['first: 2', ...filter, after],
        [after, ...filter.toReversed(), 'first: 2'],
      ].map(
        async (texts) =>
          (await resultOf(store, `{ productsConnection(${texts.join()}) { nodes { id } } }`)).data,
      );
      const [one, other] = await Promise.all(shown);
      expect(one.productsConnection.nodes).toHaveLength(2);
      expect(other).toEqual(one);
    });
  });

  describe('of users', () => {
    it('return all users, in both directions', async () => {
      for (let i = 0; i < 5; i += 1) await createUser(store);
      const expected = await listed('users');
      for (const way of WAYS) expect(await walk(store, 'usersConnection', {}, way)).toEqual(expected);
      expect((await connectionAt(store, 'usersConnection')).totalCount).toBe(expected.length);
    });

    it('find the user with the requested e-mail address', async () => {
      const { id, email } = await createUser(store);
      const found = await connectionAt(store, 'usersConnection', { email });
      expect([found.nodes, found.totalCount]).toEqual([[{ id: String(id) }], 1]);
      const cursor = found.pageInfo.endCursor;
      expect((await connectionAt(store, 'usersConnection', { email, after: cursor })).nodes).toEqual([]);
      expect(
        (await connectionAt(store, 'usersConnection', { email, last: 1, before: cursor })).nodes,
      ).toEqual([]);
      expect((await connectionAt(store, 'usersConnection', { email, last: 1 })).nodes).toEqual(found.nodes);
    });
  });

  describe('of orders', () => {
    it('are sorted by creation time, by default the newest first, or filtered by status or user', async () => {
      const { id } = await createUser(store);
      for (let i = 0; i < 4; i += 1) await placeOrder(store, i % 2 === 0 ? { user_id: id } : {});
      const newest = await listed('orders');
      expect(newest).toEqual(newest.toSorted((a, b) => b - a));
      for (const given of [{}, { sort: ['CREATED_AT_ASC'] }, { sort: ['CREATED_AT_DESC'] }, { userId: id }]) {
        const expected = await listed('orders', given);
        expect(expected.length).toBeGreaterThan(1);
        for (const way of WAYS) {
          expect(await walk(store, 'ordersConnection', given, way, { size: 2 })).toEqual(expected);
        }
      }
      await store.call('PATCH', `/api/v2/orders/${newest[0]}`, { body: { status: 'cancelled' } });
      const query = '{ ordersConnection(status: cancelled) { totalCount nodes { id status } } }';
      expect((await resultOf(store, query)).data.ordersConnection).toEqual({
        totalCount: 1,
        nodes: [{ id: String(newest[0]), status: 'cancelled' }],
      });
    });

    it('show a user only its own orders, even if the arguments name another user', async () => {
      const [somebody, other] = [await createUser(store), await createUser(store)];
      for (const { id } of [somebody, somebody, other]) await placeOrder(store, { user_id: id });
      const key = await createKey(store, [], somebody.id);
      const expected = await listed('orders', {}, key);
      expect(expected).toHaveLength(2);
      for (const way of WAYS) {
        expect(await walk(store, 'ordersConnection', {}, way, { size: 1, key })).toEqual(expected);
      }
      const theirs = await connectionAt(store, 'ordersConnection', { userId: other.id }, key);
      expect([theirs.nodes, theirs.totalCount]).toEqual([[], 0]);
    });
  });

  it('can be read by Apollo Client with its helper `relayStylePagination`', async () => {
    const uri = `${store.url}/graphql`;
    const client = new ApolloClient({
      link: new HttpLink({ uri, headers: { 'x-api-key': ADMIN_KEY } }),
      cache: new InMemoryCache({
        typePolicies: { Query: { fields: { productsConnection: relayStylePagination(['sort']) } } },
      }),
    });
    const query = gql`
      query ($after: String) {
        productsConnection(first: 4, after: $after, sort: [PRICE_ASC]) {
          edges {
            cursor
            node {
              id
            }
          }
          pageInfo {
            hasNextPage
            hasPreviousPage
            startCursor
            endCursor
          }
        }
      }
    `;
    interface Data {
      readonly productsConnection: Omit<Connection, 'nodes' | 'totalCount'>;
    }
    await client.query<Data>({ query });
    const watched = client.watchQuery<Data>({ query });
    const subscription = watched.subscribe({});
    const shown = () => client.readQuery<Data>({ query })?.productsConnection as Data['productsConnection'];
    let pages = 1;
    while (shown().pageInfo.hasNextPage) {
      await watched.fetchMore({ variables: { after: shown().pageInfo.endCursor } });
      pages += 1;
    }
    subscription.unsubscribe();
    client.stop();
    const expected = await listed('products', { sort: ['PRICE_ASC'] });
    expect(shown().edges.map(({ node }) => Number(node.id))).toEqual(expected);
    expect(pages).toBe(Math.ceil(expected.length / 4));
  });
});
