import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder, type OrderBody } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { sampled } from '../../support/sampled.js';

const COUNT = 24;
const START = Date.parse('2026-03-01T00:00:00.000Z');
const HOUR = 3_600_000;

const idsOf = (found: readonly { id: number | string }[]) => found.map(({ id }) => Number(id));
const at = (hours: number) => new Date(START + HOUR * hours).toISOString();

describeOnEachEngine('lists of orders', (engine) => {
  let store: TestApp;
  let users: number[] = [];
  let orders: OrderBody[] = [];

  beforeAll(async () => {
    store = await startApp(engine);
    users = [(await createUser(store)).id, (await createUser(store)).id, (await createUser(store)).id];
    const { unitOfWork } = store.app.get(Database, { strict: false });
    orders = [];
    for (let n = 0; n < COUNT; n++) {
      const order = await placeOrder(store, { user_id: users[n % 2] as number });
      if (n % 3 === 0) await store.call('PATCH', `/api/orders/${order.id}`, { body: { status: 'paid' } });
      // Two orders make a pair. The orders of a pair have the same millisecond. The pairs are an hour apart, and the
      // latest pair comes first.
      const created = new Date(START + HOUR * (11 - Math.floor(n / 2)));
      await unitOfWork.run(() => run(sql`UPDATE orders SET created_at = ${created} WHERE id = ${order.id}`));
      const { body } = await store.call('GET', `/api/orders/${order.id}`);
      orders.push({ ...body, created_at: created.toISOString() });
    }
  });
  afterAll(() => store.close());

  const list = (query: string) => store.call('GET', `/api/orders${query}`);

  const listOf = (id: number, query = '') => store.call('GET', `/api/users/${id}/orders${query}`);
  /** The number of orders that were placed after the moment. */
  const after = async (moment: string) =>
    Number((await list(`?created_after=${encodeURIComponent(moment)}`)).headers.get('x-total-count'));

  it('are plain arrays of whole orders, the first 20 by id, with the exact total', async () => {
    const { status, body, headers } = await list('');
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(idsOf(orders.slice(0, 20)));
    expect(body[3].items).toEqual(orders[3]?.items);
    expect(headers.get('x-total-count')).toBe(String(COUNT));
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('link')).toBe(
      [
        '</api/orders?page=1&limit=20>; rel="first"',
        '</api/orders?page=2&limit=20>; rel="next"',
        '</api/orders?page=2&limit=20>; rel="last"',
      ].join(', '),
    );
  });

  it('return every order once along the links to the next pages, with and without a filter', async () => {
    for (const [query, expected] of [
      ['?limit=5', orders],
      [`?limit=5&user_id=${users[1]}&sort=-created_at`, orders.filter(({ user_id }) => user_id === users[1])],
    ] as const) {
      const seen: number[] = [];
      let next: string | undefined = `/api/orders${query}`;
      while (next !== undefined) {
        const { body, headers } = await store.call('GET', next);
        seen.push(...idsOf(body));
        expect(headers.get('x-total-count')).toBe(String(expected.length));
        next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(seen).toEqual(idsOf(expected));
    }
  });

  const FILTERS: readonly [string, (order: OrderBody) => boolean][] = [
    ['status=paid', ({ status }) => status === 'paid'],
    ['status=cancelled', () => false],
    ['user_id=0', ({ user_id }) => user_id === users[0]],
    ['user_id=2', () => false],
    ['created_after=5', ({ created_at }) => created_at > at(5)],
    ['created_before=5', ({ created_at }) => created_at < at(5)],
  ];
  /** Every subset of the filters in which no parameter occurs twice. */
  const COMBINED = Array.from({ length: 2 ** FILTERS.length }, (_, bits) =>
    FILTERS.filter((__, n) => (bits >> n) % 2 === 1),
  ).filter((parts) => new Set(parts.map(([text]) => text.split('=')[0])).size === parts.length);

  const SORTS: readonly [string, (a: OrderBody, b: OrderBody) => number][] = [
    ['', (a, b) => a.id - b.id],
    ['id', (a, b) => a.id - b.id],
    ['-id', (a, b) => b.id - a.id],
    ['created_at', (a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id],
    ['-created_at', (a, b) => b.created_at.localeCompare(a.created_at) || a.id - b.id],
    ['-created_at,-id', (a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id],
    ['created_at,-id', (a, b) => a.created_at.localeCompare(b.created_at) || b.id - a.id],
    ['-id,created_at', (a, b) => b.id - a.id],
    ['created_at,-created_at', (a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id],
    ['id,-id', (a, b) => a.id - b.id],
  ];

  /** The value of a filter to send. `FILTERS` names a user by an index of `users`, and a moment by its hour. */
  const valueOf = (name: string, value: string): string => {
    if (name === 'user_id') return String(users[Number(value)]);
    return name.startsWith('created') ? at(Number(value)) : value;
  };
  const ENUMS: Record<string, string> = {
    id: 'ID_ASC',
    '-id': 'ID_DESC',
    created_at: 'CREATED_AT_ASC',
    '-created_at': 'CREATED_AT_DESC',
  };
  const NAMES: Record<string, string> = {
    user_id: 'userId',
    created_after: 'createdAfter',
    created_before: 'createdBefore',
    status: 'status',
  };

  it.each(sampled(SORTS, 3))(
    'sorted by «%s» have the right orders for every combination of filters, over both protocols',
    async (sort, compare) => {
      expect(COMBINED).toHaveLength(36);
      for (const parts of COMBINED) {
        const expected = orders.filter((order) => parts.every(([, keep]) => keep(order))).toSorted(compare);
        const given = parts.map(([text]) => text.split('=') as [string, string]);
        const query = new URLSearchParams(
          given.map(([name, value]): [string, string] => [name, valueOf(name, value)]),
        );
        query.set('limit', '100');
        if (sort !== '') query.set('sort', sort);
        const { body, headers } = await list(`?${query.toString()}`);
        expect([query.toString(), idsOf(body)]).toEqual([query.toString(), idsOf(expected)]);
        expect(headers.get('x-total-count')).toBe(String(expected.length));

        const args = given.map(([name, value]) => {
          const text = valueOf(name, value);
          return `${NAMES[name]}: ${name === 'status' ? text : `"${text}"`}`;
        });
        // Over GraphQL the default is the newest first.
        args.push(
          `sort: [${(sort || 'id')
            .split(',')
            .map((key) => ENUMS[key])
            .join()}]`,
        );
        const { data, errors } = await resultOf(store, `{ orders(${args.join(', ')}) { id } }`);
        expect(errors).toBeUndefined();
        expect(idsOf(data.orders)).toEqual(idsOf(expected));
      }
    },
  );

  it('accept moments with offsets, in lower case, with fractions and as a leap second', async () => {
    // All four are 05:00 UTC. Two orders were placed in each of the six later hours.
    for (const moment of [
      '2026-03-01T05:00:00Z',
      '2026-03-01t05:00:00.000z',
      '2026-03-01T07:30:00+02:30',
      '2026-02-28T19:00:00-10:00',
    ]) {
      expect([moment, await after(moment)]).toEqual([moment, 12]);
    }
    expect(await after('2026-03-01T04:59:59.999Z')).toBe(14);
    expect(await after('2026-03-01T05:00:00.0009Z')).toBe(12);
    expect(await after('2016-12-31T23:59:60Z')).toBe(COUNT);
    expect(await after('0000-01-01T00:00:00+23:59')).toBe(COUNT);
    expect(await after('9999-12-31T23:59:59-23:59')).toBe(0);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T12:00:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '1767225600',
    'now',
    '',
    "2026-01-01T00:00:00Z' --",
    '2026-01-01T00:00:00+24:00',
    // An unescaped + is a blank.
    '2026-01-01T00:00:00 01:00',
  ])('refuse the moment «%s», over both protocols', async (moment) => {
    for (const parameter of ['created_after', 'created_before']) {
      const { status, body } = await list(`?${parameter}=${encodeURIComponent(moment)}`);
      expect(status).toBe(400);
      expect(body.errors[0]).toMatchObject({ parameter });
    }
    const { data, errors } = await resultOf(
      store,
      'query ($moment: DateTime) { orders(createdAfter: $moment) { id } }',
      { moment },
    );
    expect(data).toBeUndefined();
    expect(errors[0].extensions.code).toBe('VALIDATION_FAILED');
  });

  it.each([
    ['page=0', 'page', 'TOO_SMALL'],
    ['limit=101', 'limit', 'TOO_LARGE'],
    ['limit=1e2', 'limit', 'WRONG_TYPE'],
    ['status=Paid', 'status', 'NOT_ALLOWED'],
    ['status=', 'status', 'NOT_ALLOWED'],
    ['status=paid&status=pending', 'status', 'REPEATED_PARAMETER'],
    ['user_id=0', 'user_id', 'TOO_SMALL'],
    ['user_id=me', 'user_id', 'WRONG_TYPE'],
    ['sort=total', 'sort', 'NOT_ALLOWED'],
    ['sort=id,id', 'sort', 'NOT_UNIQUE'],
    ['sort=id,-id,created_at', 'sort', 'TOO_MANY'],
    ['fields=id', 'fields', 'UNKNOWN_PARAMETER'],
  ])('refuse ?%s', async (query, parameter, code) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ parameter, code })]);
  });

  it('report all wrong parameters at once', async () => {
    const { body } = await list('?page=0&limit=x&status=x&created_after=x&user_id=x&sort=x&x=x');
    expect(body.errors).toHaveLength(7);
  });

  it('with a filter or a sort refuse a page beyond the first 100,000 orders, over both protocols', async () => {
    expect((await list('?page=2147483647&limit=100')).status).toBe(200);
    for (const query of ['sort=-id', 'status=paid', `user_id=${users[0]}`]) {
      expect((await list(`?${query}&page=1000&limit=100`)).body).toEqual([]);
      const { status, body } = await list(`?${query}&page=1001&limit=100`);
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ parameter: 'page', code: 'TOO_LARGE' })]);
    }
    const { errors } = await resultOf(store, '{ orders(page: 1001) { id } }');
    expect(errors[0].extensions.errors).toEqual([
      expect.objectContaining({ pointer: '#/page', code: 'TOO_LARGE' }),
    ]);
    expect((await resultOf(store, '{ orders(page: 1000) { id } }')).data).toEqual({ orders: [] });
  });

  it('answer HEAD like GET, without the body', async () => {
    for (const path of ['/api/orders?limit=3&status=paid', `/api/users/${users[0]}/orders?limit=3`]) {
      const [get, head] = [await store.call('GET', path), await store.call('HEAD', path)];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['link', 'x-total-count', 'content-length', 'cache-control']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    }
  });

  describe('of one user', () => {
    it('are the orders of the user by id, page by page', async () => {
      const own = orders.filter(({ user_id }) => user_id === users[0]);
      const { body, headers } = await listOf(users[0] as number, '?page=2&limit=5');
      expect(body.map(({ items }: OrderBody) => items)).toEqual(own.slice(5, 10).map(({ items }) => items));
      expect(idsOf(body)).toEqual(idsOf(own.slice(5, 10)));
      expect(headers.get('x-total-count')).toBe(String(own.length));
      const root = `/api/users/${users[0]}/orders`;
      expect(headers.get('link')).toBe(
        [
          `<${root}?page=1&limit=5>; rel="first"`,
          `<${root}?page=1&limit=5>; rel="prev"`,
          `<${root}?page=3&limit=5>; rel="next"`,
          `<${root}?page=3&limit=5>; rel="last"`,
        ].join(', '),
      );
      expect((await listOf(users[0] as number, '?page=9')).body).toEqual([]);
    });

    it('are empty for a user without orders, and 404 for an unknown user', async () => {
      const { status, body, headers } = await listOf(users[2] as number);
      expect([status, body, headers.get('x-total-count')]).toEqual([200, [], '0']);
      expect((await listOf(987_654)).status).toBe(404);
    });

    it('refuse a page beyond the first 100,000 orders, and have no filters', async () => {
      const deep = await listOf(users[0] as number, '?page=1001&limit=100');
      expect(deep.body.errors).toEqual([expect.objectContaining({ parameter: 'page', code: 'TOO_LARGE' })]);
      const other = await listOf(users[0] as number, '?status=paid');
      expect(other.body.errors).toEqual([expect.objectContaining({ code: 'UNKNOWN_PARAMETER' })]);
    });
  });
});
