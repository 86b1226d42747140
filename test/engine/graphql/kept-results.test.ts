import BetterSqlite3 from 'better-sqlite3';
import { Kind, type OperationDefinitionNode } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANONYMOUS, type Principal } from '../../../src/engine/access/principal.js';
import type { AdmittedOperation } from '../../../src/engine/graphql/admitted-operation.js';
import { CHANGING } from '../../../src/engine/graphql/field.js';
import { KeptResults } from '../../../src/engine/graphql/kept-results.js';
import type { TextResult } from '../../../src/engine/graphql/text-result.js';
import { DataSource } from 'typeorm';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { createKey } from '../../support/clients/keys.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';

/** After this number of requests with the same text, the query is compiled, and its result is kept. */
const WARM = 7;

const operationOf = (...fields: string[]): OperationDefinitionNode =>
  ({
    selectionSet: { selections: fields.map((value) => ({ kind: Kind.FIELD, name: { value } })) },
  }) as unknown as OperationDefinitionNode;
const USER = operationOf('user');
const ORDERS = operationOf('orders');

interface Inside {
  readonly results: ReadonlyMap<string, { readonly data: string | null }>;
  readonly characters: number;
  step(): void;
}

const insideOf = (kept: KeptResults): Inside => kept as unknown as Inside;

describe('the results of queries', () => {
  let version: unknown = 1;
  let kept: KeptResults;
  let executed: number;
  beforeEach(() => {
    version = 1;
    executed = 0;
    kept = new KeptResults({ version: () => version });
  });

  const ask = (
    operation = USER,
    {
      principal = ANONYMOUS,
      values = {},
      execute = (): TextResult | Promise<TextResult> => ({ data: `"${executed}"`, errors: undefined }),
    }: {
      principal?: Principal;
      values?: object;
      execute?: () => TextResult | Promise<TextResult>;
    } = {},
  ) =>
    kept.of({ operation, values } as AdmittedOperation, principal, () => {
      executed += 1;
      return execute();
    });
  /** The number of executions for these requests, each of which is made five times. */
  const executionsOf = (...requests: (() => unknown)[]): number => {
    executed = 0;
    for (let n = 0; n < 5; n += 1) for (const request of requests) request();
    return executed;
  };

  it('are kept at the second request', () => {
    expect(executionsOf(() => ask())).toBe(2);
    expect(ask()).toEqual({ data: '"2"', errors: undefined });
  });

  it('are kept separately for each operation, each set of variables, and each set of rights', () => {
    const user: Principal = { ...ANONYMOUS, kind: 'user', userId: 1 };
    expect(
      executionsOf(
        () => ask(),
        () => ask(ORDERS),
        () => ask(USER, { values: { id: '1' } }),
        () => ask(USER, { values: { id: 1 } }),
        () => ask(USER, { values: { id: null } }),
        () => ask(USER, { principal: user }),
        () => ask(USER, { principal: { ...user, userId: 2 } }),
        () => ask(USER, { principal: { ...user, scopes: new Set(['users:read']) } }),
        () => ask(USER, { principal: { ...user, delegated: new Set(['users:read']) } }),
      ),
    ).toBe(18);
    // Another credential with the same rights gets the same result.
    expect(executionsOf(() => ask(USER, { principal: { ...user, name: 'another key' } }))).toBe(0);
  });

  it('are forgotten after each commit, and are not kept if a commit comes during their execution', async () => {
    expect(executionsOf(() => ask())).toBe(2);
    version = 2;
    expect(executionsOf(() => ask())).toBe(2);
    const late = Promise.withResolvers<TextResult>();
    version = 3;
    const [first, second] = [ask(USER, { execute: () => late.promise }), ask(ORDERS)];
    version = 4;
    void ask(ORDERS);
    late.resolve({ data: '"late"', errors: undefined });
    await Promise.all([first, second]);
    expect(executionsOf(() => ask())).toBe(2);
  });

  it('are not kept if they have errors, are long, or come from a database without a version', () => {
    const error = { message: 'no' };
    expect(executionsOf(() => ask(USER, { execute: () => ({ data: 'null', errors: [error] }) }))).toBe(5);
    const long = { data: 'x'.repeat(64_001), errors: undefined };
    expect(executionsOf(() => ask(USER, { execute: () => long }))).toBe(5);
    expect(executionsOf(() => ask(USER, { values: { id: 'x'.repeat(500) } }))).toBe(5);
    version = null;
    expect(executionsOf(() => ask(ORDERS))).toBe(5);
  });

  it('are not kept if a field may change without a commit', () => {
    expect([...CHANGING].toSorted()).toEqual(['Query.latestCursor', 'Query.ordersSummary']);
    expect(executionsOf(() => ask(operationOf('user', 'ordersSummary')))).toBe(5);
    const spread = { selectionSet: { selections: [{ kind: Kind.FRAGMENT_SPREAD }] } };
    expect(executionsOf(() => ask(spread as unknown as OperationDefinitionNode))).toBe(5);
  });

  it('all stay, as long as they fit: ten thousand results of a thousand characters, in any order', () => {
    const text = { data: 'x'.repeat(1_000), errors: undefined };
    const askAll = (from: number): void => {
      for (let n = from; n < from + 10_000; n += 1)
        void ask(USER, { values: { n: n % 10_000 }, execute: () => text });
    };
    for (const from of [0, 3_000]) askAll(from);
    executed = 0;
    for (const from of [5_000, 0, 7_000]) askAll(from);
    expect(executed).toBe(0);
  });

  it('take a bounded amount of memory, and the results that are often requested stay', () => {
    const often = { values: { id: 'often' } };
    executionsOf(() => ask(USER, often));
    const long = { data: 'x'.repeat(60_000), errors: undefined };
    executed = 0;
    for (let n = 0; n < 2_000; n += 1) {
      for (let m = 0; m < 2; m += 1) void ask(USER, { values: { n }, execute: () => long });
      void ask(USER, often);
    }
    expect(executed).toBe(4_000);
    const { results } = insideOf(kept);
    const characters = [...results].reduce(
      (sum, [name, { data }]) => sum + name.length + (data?.length ?? 0),
      0,
    );
    expect(characters).toBeLessThanOrEqual(16_000_000);
    expect(insideOf(kept).characters).toBe(characters);
    for (let n = 0; n < 50_000; n += 1) void ask(USER, { values: { n: -n } });
    expect(results.size).toBeLessThanOrEqual(20_000);
  });

  it('make room for a new result in at most two rounds, even if all of them were just requested', () => {
    for (let again = 0; again < 3; again += 1)
      for (let n = 0; n < 20_000; n += 1) void ask(USER, { values: { n } });
    const step = vi.spyOn(insideOf(kept), 'step');
    void ask(USER, { values: { n: 'new' } });
    expect(insideOf(kept).results.size).toBe(20_000);
    expect(step.mock.calls.length).toBeGreaterThan(20_000);
    expect(step.mock.calls.length).toBeLessThanOrEqual(2 * 20_001);
  });
});

describe('a query that is sent again', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  const QUERY = 'query ($id: ID!) { product(id: $id) { name price } }';
  const nameOf = async (id: number, query = QUERY) =>
    (await store.graphql(query, { id: String(id) })).data.product?.name as string | undefined;

  it('immediately shows each change by this service or by another connection', async () => {
    const { id } = await create(store, { name: 'first' });
    for (let n = 0; n < WARM; n += 1) expect(await nameOf(id)).toBe('first');
    for (let n = 0; n < 20; n += 1) {
      await store.call('PATCH', `/api/products/${id}`, { body: { name: `change ${n}` } });
      for (let again = 0; again < 3; again += 1) expect(await nameOf(id)).toBe(`change ${n}`);
    }
    const { database } = store.app.get(DataSource, { strict: false }).options;
    const other = new BetterSqlite3(database as string);
    for (let n = 0; n < 20; n += 1) {
      other.exec(`UPDATE products SET name = 'other ${n}', version = version + 1 WHERE id = ${id}`);
      for (let again = 0; again < 3; again += 1) expect(await nameOf(id)).toBe(`other ${n}`);
    }
    other.close();
    await store.call('DELETE', `/api/products/${id}`);
    for (let again = 0; again < 3; again += 1) expect(await nameOf(id)).toBeUndefined();
  });

  it('shows each caller only what the caller may see', async () => {
    const users = [await createUser(store), await createUser(store)];
    const keys = [];
    for (const { id } of users) {
      await placeOrder(store, { user_id: id });
      keys.push(await createKey(store, [], id));
    }
    const query = '{ me { id } orders { user { id } } }';
    for (let n = 0; n < WARM; n += 1) {
      for (const [index, key] of keys.entries()) {
        const own = String(users[index]?.id);
        const { data } = await store.graphql(query, {}, { key });
        expect(data).toEqual({ me: { id: own }, orders: [{ user: { id: own } }] });
      }
      expect((await store.graphql(query, {}, { key: ADMIN_KEY })).data.orders.length).toBeGreaterThan(1);
      expect((await store.graphql(query, {}, { key: null })).errors).toHaveLength(2);
    }
    // A revoked key gets nothing any more, although its result is kept.
    const { body } = await store.call('GET', '/api/v1/api-keys');
    for (const { id, user_id: userId } of body) {
      if (userId === users[0]?.id) await store.call('DELETE', `/api/v1/api-keys/${id}`);
    }
    const [revoked = ''] = keys;
    expect((await store.graphql(query, {}, { key: revoked })).data).toBeUndefined();
  });
});
