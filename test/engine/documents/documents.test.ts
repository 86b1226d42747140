import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { UsersRepository } from '../../../src/store/users/users.repository.js';
import { hashOf } from '../../../src/engine/graphql/trusted-documents.js';
import { QueryLane } from '../../../src/engine/graphql/query-lane.js';
import { rowTypeOf, sourceOf } from '../../../src/engine/documents/row-types.js';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { Reads } from '../../../src/engine/database/reads.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { ask } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { countStatements } from '../../support/faults/counted-statements.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { keepNoResults } from '../../support/fixtures/statements.js';

const DEEP = `query Deep($id: ID!, $some: Int = 2, $all: Boolean = true) {
  user(id: $id) {
    name
    orders(limit: $some) {
      id
      total
      items @include(if: $all) { quantity product { name stock } ...Of }
      user { name orders { items { product { name } } } }
    }
  }
}
fragment Of on OrderItem { total unitPriceMoney { amount currency } }`;
const SHALLOW = 'query Shallow($id: ID!) { user(id: $id) { name } }';
const TWO = 'query Two($id: ID!) { a: user(id: $id) { id } product(id: 1) { price } __typename me { id } }';
const NEWEST =
  'query Newest($limit: Int! = 2, $page: Int! = 1) { orders(limit: $limit, page: $page) { id user { name } } }';
const TABLES = ['users', 'orders', 'order_items', 'products', 'product_stocks'];

describeOnEachEngine('a trusted document', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const statements = countStatements(engine, TABLES);
  let store: TestApp;
  let key: string;

  beforeAll(async () => {
    for (const [name, text] of Object.entries({ DEEP, SHALLOW, TWO, NEWEST })) {
      writeFileSync(join(folder, `${name}.graphql`), text);
    }
    const settings = { STORE_TRUSTED_DOCUMENTS: 'log', STORE_TRUSTED_DOCUMENTS_DIR: folder };
    store = await startApp(engine, settings, keepNoResults);
    const user = await createUser(store, { name: 'Ada' });
    key = await createKey(store, [], user.id);
    await create(store, { name: 'Chai', price: 1.5 });
    await store.graphql('mutation { setProductStock(id: 1, quantity: 9) { id } }');
    for (let n = 1; n <= 3; n += 1)
      await placeOrder(store, { user_id: user.id, items: [{ product_id: 1, quantity: n }] });
  });
  afterAll(async () => {
    statements.stop();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('has a declared source for each field whose resolver hides a column of the same name', () => {
    const { schema } = store.app.get(GraphQLSchemaHost, { strict: false });
    const resolved = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter(({ name, resolve }) => resolve && rowTypeOf(type.name)?.column(name))
          .map(({ name }) => `${type.name}.${name}`),
      );
    // The command line does not know resolvers. Without a declaration, it would read such a field as a column.
    expect(resolved.filter((name) => sourceOf(name) === undefined)).toEqual([]);
  });

  const send = (text: string, variables: object, options = {}) =>
    ask(store, { documentId: hashOf(text), variables } as never, options);

  it('takes one statement for each field of Query, however deep the selection is', async () => {
    for (const [text, count] of [
      [DEEP, 1],
      [SHALLOW, 1],
      [TWO, 3],
      [NEWEST, 1],
    ] as const) {
      await send(text, { id: '1' });
      statements.taken();
      const { body } = await send(text, { id: '1' });
      expect(body.errors).toBeUndefined();
      expect(statements.taken()).toHaveLength(count);
    }
  });

  it('has the selected fields, with aliases, fragments, conditions and limits', async () => {
    const { body } = await send(DEEP, { id: '1' });
    expect(body.data.user).toMatchObject({
      name: 'Ada',
      orders: [
        {
          id: '3',
          total: 4.5,
          items: [
            {
              quantity: 3,
              product: { name: 'Chai', stock: 3 },
              total: 4.5,
              unitPriceMoney: { amount: 150, currency: 'USD' },
            },
          ],
          user: { name: 'Ada', orders: [{ items: [{ product: { name: 'Chai' } }] }, {}, {}] },
        },
        { id: '2' },
      ],
    });
    const { body: less } = await send(DEEP, { id: '1', some: 1, all: false });
    expect(less.data.user.orders).toEqual([{ id: '3', total: 4.5, user: expect.any(Object) }]);
    const { body: two } = await send(TWO, { id: '2' });
    expect(two.data).toEqual({ a: null, product: { price: 1.5 }, __typename: 'Query', me: null });
  });

  it('shows a caller only its own rows', async () => {
    const own = await send(DEEP, { id: '1' }, { key });
    expect(own.body.data.user.orders).toHaveLength(2);
    statements.taken();
    const other = await send(DEEP, { id: '2' }, { key });
    expect(other.body.data).toEqual({ user: null });
    expect(statements.taken()).toEqual([]);
  });

  it('lists the newest orders, of all users or of the caller', async () => {
    const newest = { orders: [{ id: '3' }, { id: '2' }] };
    expect((await send(NEWEST, {})).body.data).toMatchObject(newest);
    statements.taken();
    expect((await send(NEWEST, {}, { key })).body.data).toMatchObject(newest);
    expect(statements.taken()).toEqual([expect.stringContaining('t1.user_id = ')]);
    // The statement reads only the first page. Resolvers read all other pages.
    const { body } = await send(NEWEST, { page: 2 });
    expect(body.data.orders).toMatchObject([{ id: '1', user: { name: 'Ada' } }]);
  });

  it('refuses wrong arguments, and a caller without the right, with the same answers as resolvers', async () => {
    const { body } = await send(SHALLOW, { id: '1' }, { key: null });
    expect(body).toMatchObject({
      data: { user: null },
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    const wrong = await send(DEEP, { id: '1', some: 0 });
    expect(wrong.body.errors).toMatchObject([
      { path: ['user', 'orders'], extensions: { code: 'VALIDATION_FAILED', pointer: '#/limit' } },
    ]);
  });

  it('is answered without Apollo if a request names its hash', async () => {
    const lane = vi.spyOn(QueryLane.prototype as unknown as { answer: () => unknown }, 'answer');
    await send(SHALLOW, { id: '1' });
    expect(lane).toHaveBeenCalledOnce();
    lane.mockRestore();
  });

  it('has null and an error for each field of Query if the database is not available', async () => {
    const reads = store.app.get(Reads, { strict: false });
    const value = vi.spyOn(reads, 'value').mockImplementation(() => {
      throw new DatabaseUnavailable('gone');
    });
    const { body } = await send(TWO, { id: '1' });
    value.mockRestore();
    const error = { extensions: { code: 'UNAVAILABLE', status: 503 } };
    expect(body.data).toEqual({ a: null, product: null, __typename: 'Query', me: null });
    expect(body.errors).toMatchObject([
      { path: ['a'], ...error },
      { path: ['product'], ...error },
      { path: ['me'], ...error },
    ]);
  });

  it('is executed by resolvers if its statement fails', async () => {
    const reads = store.app.get(Reads, { strict: false });
    const find = vi.spyOn(store.app.get(UsersRepository, { strict: false }), 'find');
    const value = vi.spyOn(reads, 'value').mockImplementation(() => Promise.reject(new Error('a bug')));
    const { body } = await send(SHALLOW, { id: '1' });
    expect(body.data).toEqual({ user: { name: 'Ada' } });
    expect(find).toHaveBeenCalledOnce();
    value.mockRestore();
    find.mockRestore();
  });
});
