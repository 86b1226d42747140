import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELDS } from '../../../src/generated/fields.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { connect, type Live, type Result } from '../../support/clients/live.js';
import { goodDocument } from '../../support/clients/requests.js';
import { openStream } from '../../support/clients/sse.js';

let keys = 0;
const aKey = (): string => `graphql-${(keys += 1)}`;

/**
 * A mutation for each of these fields, about a new row. The mutations of all other fields are made from the examples of
 * the contract.
 */
const MUTATIONS: Record<string, (store: TestApp) => string | Promise<string>> = {
  createProduct: () => 'createProduct(name: "Chai", price: 18) { id name }',
  replaceProduct: async (store) =>
    `replaceProduct(id: ${(await create(store)).id}, name: "Chang", price: 19, inStock: true) { id name version: updatedAt }`,
  updateProduct: async (store) =>
    `updateProduct(id: ${(await create(store)).id}, name: "Chang") { id name updatedAt }`,
  deleteProduct: async (store) => `deleteProduct(id: ${(await create(store)).id}) { id name }`,
  setProductStock: async (store) =>
    `setProductStock(id: ${(await create(store)).id}, quantity: 3) { id stock }`,
  createUser: () => `createUser(name: "Ada", email: "${aKey()}@example.com") { id name email }`,
  updateUser: async (store) => `updateUser(id: ${(await createUser(store)).id}, name: "Grace") { id name }`,
  deleteUser: async (store) => `deleteUser(id: ${(await createUser(store)).id}) { id name }`,
  createOrder: async (store) =>
    `createOrder(userId: ${(await createUser(store)).id}, items: [{ productId: ${(await create(store)).id}, quantity: 1 }]) { id createdAt items { quantity } }`,
  updateOrderStatus: async (store) =>
    `updateOrderStatus(id: ${(await placeOrder(store)).id}, status: paid) { id status }`,
};
const NAMES = Object.keys(FIELDS)
  .filter((name) => name.startsWith('Mutation.'))
  .map((name) => name.replace('Mutation.', ''));

describeOnEachEngine('idempotency keys over GraphQL', (engine) => {
  let store: TestApp;
  let live: Live;
  beforeAll(async () => {
    store = await startApp(engine);
    live = connect(store);
  });
  afterAll(async () => {
    live.close();
    await store.close();
  });

  const WAYS: Record<string, (query: string, key: string) => Promise<Result>> = {
    'the header': async (query, key) =>
      (await ask(store, { query }, { headers: { 'idempotency-key': key } })).body,
    'extensions over HTTP': async (query, key) =>
      (await ask(store, { query, extensions: { idempotencyKey: key } })).body,
    'the header over server-sent events': async (query, key) => {
      const headers = { 'idempotency-key': key };
      const stream = await openStream(store, '/graphql/stream', { body: { query }, headers });
      return (await stream.event())?.data;
    },
    'extensions over WebSocket': (query, key) => live.run({ query, extensions: { idempotencyKey: key } }),
  };

  describe.each(NAMES)('%s', (name) => {
    it.each(Object.keys(WAYS))('is done once with the key in %s', async (way) => {
      const send = WAYS[way] as (typeof WAYS)[string];
      const mutation = await MUTATIONS[name]?.(store);
      const document = mutation
        ? `mutation { field: ${mutation} }`
        : await goodDocument(store, `Mutation.${name}`);
      const key = aKey();
      const first = await send(document, key);
      expect([first.errors, first.extensions.idempotentReplayed]).toEqual([undefined, undefined]);
      expect(first.data.field).not.toBeNull();
      const again = await send(document, key);
      expect(again.extensions.idempotentReplayed).toBe(true);
      expect(again.data).toEqual(first.data);
    });
  });

  const CREATE = 'createProduct(name: "Chai", price: 18) { id }';
  const send = (query: string, key: string, more: object = {}) =>
    ask(store, { query, ...more }, { headers: { 'idempotency-key': key } });

  it('mark every repeated answer in the header Idempotent-Replayed, even if the same text comes many times', async () => {
    const key = aKey();
    const ids = new Set<string>();
    for (let n = 0; n < 8; n += 1) {
      const { headers, body } = await send(`mutation { ${CREATE} }`, key);
      expect(headers.get('idempotent-replayed')).toBe(n === 0 ? null : 'true');
      ids.add(body.data.createProduct.id);
    }
    expect(ids.size).toBe(1);
  });

  it('are shared by all transports for the same field, but not with REST', async () => {
    const key = aKey();
    const ids = [];
    for (const way of Object.values(WAYS))
      ids.push((await way(`mutation { ${CREATE} }`, key)).data.createProduct.id);
    expect(new Set(ids).size).toBe(1);
    const rest = await store.call('POST', '/api/products', {
      body: { name: 'Chai', price: 18 },
      headers: { 'idempotency-key': key },
    });
    expect([rest.status, rest.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it('allow another selection of the same field, and refuse other arguments', async () => {
    const key = aKey();
    const first = await send(`mutation { ${CREATE} }`, key);
    const other = await send(
      'mutation ($n: String!) { a: createProduct(price: 18, name: $n) { name } }',
      key,
      {
        variables: { n: 'Chai' },
      },
    );
    expect(other.body.data).toEqual({ a: { name: 'Chai' } });
    expect(other.body.extensions.idempotentReplayed).toBe(true);
    const { body } = await send('mutation { createProduct(name: "Chai", price: 19) { id } }', key);
    expect(body.data).toEqual({ createProduct: null });
    expect(body.errors[0].extensions).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
    expect((await send(`mutation { ${CREATE} }`, key)).body.data).toEqual(first.body.data);
  });

  it('are free again after a refusal', async () => {
    const key = aKey();
    const email = `${aKey()}@example.com`;
    const taken = await createUser(store);
    const user = (address: string) =>
      send(`mutation { createUser(name: "A", email: "${address}") { id } }`, key);
    expect((await user(taken.email)).body.errors[0].extensions.code).toBe('EMAIL_TAKEN');
    expect((await user('nothing')).body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
    expect((await user(email)).body.data.createUser).not.toBeNull();
    expect((await user(email)).body.extensions.idempotentReplayed).toBe(true);
  });

  it('do not mark an answer of null as repeated if the key is new', async () => {
    const missing = 'mutation { updateProduct(id: 987654, name: "a") { id } }';
    for (let n = 0; n < 2; n += 1) {
      const { body } = await send(missing, aKey());
      expect([body.data, body.extensions.idempotentReplayed]).toEqual([{ updateProduct: null }, undefined]);
    }
  });

  it('belong to one caller', async () => {
    const key = aKey();
    const mutation = `mutation { ${CREATE} }`;
    const first = await send(mutation, key);
    const other = await ask(
      store,
      { query: mutation },
      { key: await createKey(store, ['products:write']), headers: { 'idempotency-key': key } },
    );
    expect(other.body.data.createProduct.id).not.toBe(first.body.data.createProduct.id);
    const powerless = await ask(
      store,
      { query: mutation },
      { key: await createKey(store, []), headers: { 'idempotency-key': key } },
    );
    expect(powerless.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  const TOO_MANY: Record<string, string> = {
    'two fields': `mutation { a: ${CREATE} b: ${CREATE} }`,
    'a field and a fragment': `mutation { ${CREATE} ...F } fragment F on Mutation { b: ${CREATE} }`,
    'a fragment in a fragment': `mutation { ...F } fragment F on Mutation { ...G a: ${CREATE} } fragment G on Mutation { ... { b: ${CREATE} } }`,
    'two fields, one included': `mutation ($yes: Boolean!) { a: ${CREATE} b: createProduct(name: "b", price: 1) @include(if: $yes) { id } }`,
    'no mutation at all': 'mutation { __typename }',
  };
  it.each(Object.keys(TOO_MANY))('are refused with %s, and nothing is done', async (what) => {
    const before = (await store.call('GET', '/api/products')).headers.get('x-total-count');
    const query = TOO_MANY[what] as string;
    for (const [place, headers, extensions] of [
      [{ parameter: 'Idempotency-Key' }, { 'idempotency-key': aKey() }, undefined],
      [{ pointer: '#/extensions/idempotencyKey' }, {}, { idempotencyKey: aKey() }],
    ] as const) {
      const { status, body } = await ask(
        store,
        { query, variables: { yes: true }, ...(extensions && { extensions }) },
        { headers: { accept: 'application/graphql-response+json', ...headers } },
      );
      expect([status, body.data]).toEqual([400, undefined]);
      expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [place] });
      expect(body.errors[0].message).toContain('exactly one mutation');
    }
    expect((await store.call('GET', '/api/products')).headers.get('x-total-count')).toBe(before);
  });

  it.each([
    ['a merged field', `mutation { ${CREATE} createProduct(name: "Chai", price: 18) { name } }`],
    [
      'a field that is left out',
      `mutation ($no: Boolean = false) { ${CREATE} b: createProduct(name: "b", price: 1) @include(if: $no) { id } }`,
    ],
    ['__typename', `mutation { __typename ${CREATE} }`],
    ['a fragment', `mutation { ...F ...F } fragment F on Mutation { ${CREATE} }`],
  ])('are accepted with one mutation together with %s', async (_what, query) => {
    const key = aKey();
    const first = await send(query, key);
    expect(first.body.errors).toBeUndefined();
    const again = await send(query, key);
    expect([again.body.data, again.body.extensions.idempotentReplayed]).toEqual([first.body.data, true]);
  });

  it('are refused if they are malformed or duplicate', async () => {
    const query = `mutation { ${CREATE} }`;
    const codeOf = async (headers: Record<string, string>, extensions: Record<string, unknown>) => {
      const { body } = await ask(store, { query, extensions }, { headers });
      return body.errors?.[0].extensions.errors[0].code;
    };
    expect(await codeOf({ 'idempotency-key': 'a b' }, {})).toBe('PATTERN');
    expect(await codeOf({}, { idempotencyKey: '' })).toBe('PATTERN');
    expect(await codeOf({}, { idempotencyKey: 7 })).toBe('WRONG_TYPE');
    const key = aKey();
    expect(await codeOf({ 'idempotency-key': key }, { idempotencyKey: key })).toBe('REPEATED_PARAMETER');
    expect(await codeOf({ 'idempotency-key': key }, { idempotencyKey: null })).toBeUndefined();
    const refused = await live.run({ query, extensions: { idempotencyKey: 'a b' } });
    expect(refused.errors[0].extensions.code).toBe('VALIDATION_FAILED');
  });

  it('have no effect on queries', async () => {
    const query = '{ a: products { id } b: products { id } }';
    const { body, headers } = await send(query, 'not, a key', { extensions: { idempotencyKey: 7 } });
    expect([body.errors, headers.get('idempotent-replayed')]).toEqual([undefined, null]);
  });

  it('let only one of thirty concurrent requests create a row, over all transports together', async () => {
    const key = aKey();
    const ways = Object.values(WAYS);
    const mutation = 'mutation { createProduct(name: "Once", price: 1) { id } }';
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) => (ways[n % ways.length] as (typeof ways)[number])(mutation, key)),
    );
    const fresh = results.filter(({ errors, extensions }) => !errors && !extensions.idempotentReplayed);
    expect(fresh).toHaveLength(1);
    for (const { errors } of results.filter((result) => result.errors)) {
      expect(errors[0].extensions).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE', status: 409 });
    }
    const { body } = await store.call('GET', '/api/products?q=once');
    expect(body.map(({ id }: { id: number }) => String(id))).toEqual([fresh[0].data.createProduct.id]);
    expect((await send(mutation, key)).body.data).toEqual(fresh[0].data);
  });
});
