import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getIntrospectionQuery } from 'graphql';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { startApp, type TestApp } from '../support/app.js';

describe('the GraphQL access point', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_GRAPHQL_MAX_COST: '1000' });
  });
  afterAll(() => store.close());

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${store.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('takes queries by GET, and nothing that changes', async () => {
    const query = await fetch(`${store.url}/graphql?query=${encodeURIComponent('{ products { id } }')}`);
    expect(await query.json()).toMatchObject({ data: { products: [] } });
    const mutation = await fetch(
      `${store.url}/graphql?query=${encodeURIComponent('mutation { deleteProduct(id: 1) { id } }')}`,
    );
    expect(mutation.status).toBe(405);
  });

  it('takes POST as JSON only, so that a browser has to ask first', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect((await post('query=%7Bproducts%7Bid%7D%7D', { 'content-type': type })).status).toBe(415);
    }
    const { status } = await post({ query: '{ products { id } }' }, { 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(403);
  });

  it('needs a text', async () => {
    expect((await fetch(`${store.url}/graphql`)).status).toBe(400);
    expect((await post({ query: '' })).status).toBe(400);
    expect((await post({ query: '{ products { id } }' }, { accept: 'text/csv' })).status).toBe(406);
  });

  it('refuses batches', async () => {
    expect((await post([{ query: '{ products { id } }' }])).status).toBe(400);
  });

  it('reads JSON as strictly as REST does', async () => {
    expect((await post('{"query":"{ products { id } }","query":"{ a }"}')).status).toBe(400);
    expect((await post('{"query"')).status).toBe(400);
  });

  it('answers in both media types, with their statuses', async () => {
    const bad = { query: '{ nothing }' };
    const old = await post(bad, { accept: 'application/json' });
    expect([old.status, old.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const current = await post(bad, { accept: 'application/graphql-response+json' });
    expect([current.status, current.headers.get('content-type')]).toEqual([
      400,
      'application/graphql-response+json; charset=utf-8',
    ]);
  });

  it.each([
    ['{', 'GRAPHQL_PARSE_FAILED'],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query A { products { id } } query B { products { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($id: ID!) { product(id: $id) { id } }', 'VALIDATION_FAILED'],
    [`{ products { id } ${'# x\n,'.repeat(1)} ${'a: __typename '.repeat(31)} }`, 'GRAPHQL_LIMIT_EXCEEDED'],
    [`{ ${'__typename '.repeat(2001)} }`, 'GRAPHQL_LIMIT_EXCEEDED'],
    [`{ ${Array.from({ length: 21 }, () => 'products { id }').join(' ')} }`, 'GRAPHQL_LIMIT_EXCEEDED'],
    [
      `{ products(limit: 100) { priceMoney { amount } stock } p: products(limit: 100) { priceMoney { amount } stock } a: products(limit: 100) { stock priceMoney { amount } } }`,
      'GRAPHQL_LIMIT_EXCEEDED',
    ],
    [
      `{ __typename ${'@include(if: true) @skip(if: false) '.repeat(1)} ${Array.from({ length: 51 }, () => '__typename @include(if: true)').join(' ')} }`,
      'GRAPHQL_LIMIT_EXCEEDED',
    ],
  ])('says what is wrong with %.60s', async (query, code) => {
    const { errors, data } = await store.graphql(query);
    expect(data ?? null).toBeNull();
    expect(errors[0].extensions.code).toBe(code);
    expect(errors[0].extensions.type).toMatch(/^\/problems\//);
    expect((await store.call('GET', errors[0].extensions.type)).status).toBe(200);
  });

  it('counts a variable that says how much is wanted', async () => {
    const query =
      'query ($n: Int = 100) { a: products(limit: $n) { stock priceMoney { amount } } b: products(limit: $n) { stock priceMoney { amount } } c: products(limit: $n) { stock priceMoney { amount } } }';
    expect((await store.graphql(query, { n: 1 })).errors).toBeUndefined();
    expect((await store.graphql(query, { n: 100 })).errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    expect((await store.graphql(query)).errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    // What is refused anyway must not make room for more.
    const { errors } = await store.graphql(
      '{ a: products(limit: 100) { stock priceMoney { amount } } b: products(limit: 100) { stock priceMoney { amount } } c: products(limit: 100) { stock priceMoney { amount } } d: products(limit: -100000) { stock } }',
    );
    expect(errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
  });

  it('measures fragments that double thirty times at once', async () => {
    const fragments = Array.from(
      { length: 30 },
      (_, n) => `fragment F${n} on Query { ...F${n + 1} a${n}: __typename ...F${n + 1} }`,
    );
    const query = `{ ...F0 } ${fragments.join(' ')} fragment F30 on Query { __typename }`;
    const { errors } = await store.graphql(query);
    expect(errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
  });

  it('can be introspected, with its descriptions, unless that is switched off', async () => {
    const { data, errors } = await store.graphql(getIntrospectionQuery());
    expect(errors).toBeUndefined();
    expect(
      data.__schema.types.find(({ name }: { name: string }) => name === 'Product').description,
    ).toContain('sells');
    const closed = await startApp('sqlite', { STORE_INTROSPECTION: 'false' });
    try {
      const refused = await closed.graphql('{ __schema { types { name } } }');
      expect(refused.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    } finally {
      await closed.close();
    }
  });

  it('carries the request id in errors', async () => {
    const { errors } = await store.graphql('{ nothing }', undefined, {
      headers: { 'x-request-id': 'trace-7' },
    });
    expect(errors[0].extensions.request_id).toBe('trace-7');
  });

  it('says nothing of a bug but the request id', async () => {
    const broken = await startApp('sqlite', {}, (app) => {
      const repository = app.get(ProductsRepository, { strict: false });
      repository.find = () => Promise.reject(new TypeError('secret detail of a bug'));
    });
    try {
      for (let n = 0; n < 8; n++) {
        const text = JSON.stringify(await broken.graphql('{ product(id: 1) { id } }'));
        expect(text).not.toContain('secret');
        expect(text).toContain('"code":"INTERNAL"');
      }
    } finally {
      await broken.close();
    }
  });
});
