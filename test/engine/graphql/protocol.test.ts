import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getIntrospectionQuery } from 'graphql';
import { ProductsRepository } from '../../../src/store/products/products.repository.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { speak } from '../../support/clients/socket.js';
import { ask, resultOf, type GraphqlCall, type Operation } from '../../support/clients/graphql.js';

const many = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');

const LARGE: Record<string, string> = {
  '10,000 directives': `{ __typename ${many(10_000, () => '@include(if: true)')} }`,
  '300 directives': `{ ${many(300, () => '__typename @include(if: true)')} }`,
  '1,000 aliases': `{ ${many(1000, (n) => `a${n}: __typename`)} }`,
  '600 aliases': `{ ${many(600, (n) => `a${n}: __typename`)} }`,
  'fragments that double thirty times': `{ ...F0 } ${many(30, (n) => `fragment F${n} on Query { ...F${n + 1} a${n}: __typename ...F${n + 1} }`)} fragment F30 on Query { __typename }`,
  'fragments that double a hundred times': `{ ...F0 } ${many(100, (n) => `fragment F${n} on Query { ...F${n + 1} a${n}: __typename ...F${n + 1} }`)} fragment F100 on Query { __typename }`,
  'the same fields 200 times': `{ ${many(200, () => 'products { id priceMoney { amount } }')} }`,
  'the same field 1,990 times': `{ ${many(1990, () => '__typename')} }`,
  'fragments inside of a field that is selected many times': `{ ${many(60, () => 'products { ...F0 ...F1 }')} } ${many(60, (n) => `fragment F${n} on Product { id priceMoney { amount } ...F${n + 1} }`)} fragment F60 on Product { id }`,
  'nested selections, two at each level': `{ ${nested(6)} }`,
  '50,000 tokens': `{ ${many(50_000, () => '__typename')} }`,
};

function nested(depth: number): string {
  return depth === 0
    ? 'products { priceMoney { amount } }'
    : `... { ${nested(depth - 1)} } ... { ${nested(depth - 1)} }`;
}

/** A query with a list of fragments. Each fragment spreads the next fragment twice. */
const doubling = (levels: number) =>
  `{ products(limit: 1) { ...F0 } } ${Array.from({ length: levels }, (_, n) => `fragment F${n} on Product { ...F${n + 1} ...F${n + 1} }`).join(' ')} fragment F${levels} on Product { id }`;

describe('the endpoint /graphql behind a trusted proxy', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_TRUST_PROXY: 'loopback' });
  });
  afterAll(() => store.close());

  it.each([
    ['an empty host', 'HTTP/1.1\r\nHost: '],
    ['no host', 'HTTP/1.0'],
    ['an empty X-Forwarded-Host', 'HTTP/1.1\r\nHost: a\r\nX-Forwarded-Host: b, '],
    ['an X-Forwarded-Proto that is no scheme', 'HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: %'],
  ])('answers a request with %s', async (_what, head) => {
    const answer = await speak(store.port, [
      `GET /graphql?query={__typename} ${head}\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*"__typename":"Query"/);
  });
});

describe('the endpoint /graphql', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_GRAPHQL_MAX_COST: '1000' });
  });
  afterAll(() => store.close());

  const post = (operation: Operation | readonly Operation[] | string, headers: Record<string, string> = {}) =>
    ask(store, operation, { headers });
  const graphql = (query: string, variables?: Record<string, unknown>, call?: GraphqlCall) =>
    resultOf(store, query, variables, call);
  const GRAPHQL_RESPONSE = { accept: 'application/graphql-response+json' };

  it('answers HEAD with 405 and the allowed methods', async () => {
    const { status, headers } = await fetch(`${store.url}/graphql?query={__typename}`, { method: 'HEAD' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('executes queries by GET, but no mutations', async () => {
    const query = await ask(store, { query: '{ products { id } }' }, { method: 'GET' });
    expect(query.body).toMatchObject({ data: { products: [] } });
    for (const headers of [{}, GRAPHQL_RESPONSE]) {
      const mutation = await ask(
        store,
        { query: 'mutation { deleteProduct(id: 1) { id } }' },
        { method: 'GET', headers },
      );
      expect(mutation.status).toBe(405);
      expect(mutation.headers.get('allow')).toBe('POST');
      expect(mutation.body.errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED');
    }
  });

  it('refuses a GET with the Content-Type text/plain', async () => {
    const { status, body } = await ask(
      store,
      { query: '{ products { id } }' },
      { method: 'GET', headers: { 'content-type': 'text/plain' } },
    );
    expect([status, body.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('accepts POST only as JSON, which needs a preflight, and not from another site', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect((await post('query=%7Bproducts%7Bid%7D%7D', { 'content-type': type })).status).toBe(415);
    }
    const { status } = await post({ query: '{ products { id } }' }, { 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(403);
  });

  it('requires a query text, and an Accept header that allows JSON', async () => {
    expect((await ask(store, {}, { method: 'GET' })).status).toBe(400);
    expect((await post({ query: '' })).status).toBe(400);
    expect((await post({ query: '{ products { id } }' }, { accept: 'text/csv' })).status).toBe(406);
  });

  it('answers PERSISTED_QUERY_NOT_SUPPORTED when only the hash of a text is sent', async () => {
    const persistedQuery = { version: 1, sha256Hash: 'ab'.repeat(32) };
    for (const headers of [{}, GRAPHQL_RESPONSE]) {
      const { status, body } = await post({ extensions: { persistedQuery } }, headers);
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'PERSISTED_QUERY_NOT_SUPPORTED']);
      expect(body.errors[0].message).toBe('PersistedQueryNotSupported');
    }
  });

  it('refuses fragments that double the size of the operation 40 times, even if they are sent again', async () => {
    for (let n = 0; n < 8; n++) {
      expect((await resultOf(store, doubling(40))).errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    }
    expect((await resultOf(store, doubling(8))).errors).toBeUndefined();
  });

  it('refuses a text that is too long, even if most of it is a comment', async () => {
    const { status, body } = await post({ query: `{ __typename } # ${'x'.repeat(70_000)}` });
    expect([status, body.errors[0].extensions.code]).toEqual([200, 'GRAPHQL_LIMIT_EXCEEDED']);
  });

  it('refuses an unknown subscription with GRAPHQL_VALIDATION_FAILED', async () => {
    const { errors } = await resultOf(store, 'subscription { noOrder { id } }');
    expect(errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('reports many wrong values of a variable as VALIDATION_FAILED', async () => {
    const { errors } = await resultOf(
      store,
      'query ($sort: [ProductSort!]) { products(sort: $sort) { id } }',
      {
        sort: Array.from({ length: 60 }, () => 'x'),
      },
    );
    for (const { extensions } of errors) expect(extensions.code).toBe('VALIDATION_FAILED');
  });

  it('refuses batches', async () => {
    expect((await post([{ query: '{ products { id } }' }])).status).toBe(400);
  });

  it('reads JSON as strictly as REST', async () => {
    expect((await post('{"query":"{ products { id } }","query":"{ a }"}')).status).toBe(400);
    expect((await post('{"query"')).status).toBe(400);
    expect((await post('{"query":"{ products { id } }","variables":"{}"}')).status).toBe(400);
  });

  it('answers a refused operation with 200 in application/json, and with 400 in graphql-response+json', async () => {
    const refused = [
      { query: '{' },
      { query: '{ nothing }' },
      { query: 'query ($id: ID!) { product(id: $id) { id } }' },
      { query: 'query A { products { id } } query B { products { id } }' },
      { query: `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: __typename`).join(' ')} }` },
    ];
    for (const operation of refused) {
      for (const accept of [
        'application/json',
        'application/json; charset=utf-8',
        'application/json, application/graphql-response+json',
        '*/*',
      ]) {
        const old = await post(operation, { accept });
        expect([old.status, old.headers.get('content-type')]).toEqual([
          200,
          'application/json; charset=utf-8',
        ]);
      }
      const current = await post(operation, GRAPHQL_RESPONSE);
      expect([current.status, current.headers.get('content-type')]).toEqual([
        400,
        'application/graphql-response+json; charset=utf-8',
      ]);
    }
  });

  it.each(
    [
      ['{', 'GRAPHQL_PARSE_FAILED'],
      ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['query A { products { id } } query B { products { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['query ($id: ID!) { product(id: $id) { id } }', 'VALIDATION_FAILED'],
      [`{ products { id } ${'a: __typename '.repeat(31)} }`, 'GRAPHQL_LIMIT_EXCEEDED'],
      [`{ ${'__typename '.repeat(2001)} }`, 'GRAPHQL_LIMIT_EXCEEDED'],
      [`{ ${Array.from({ length: 21 }, () => 'products { id }').join(' ')} }`, 'GRAPHQL_LIMIT_EXCEEDED'],
      [
        `{ products(limit: 100) { priceMoney { amount } stock } p: products(limit: 100) { priceMoney { amount } stock } a: products(limit: 100) { stock priceMoney { amount } } }`,
        'GRAPHQL_LIMIT_EXCEEDED',
      ],
      [
        `{ __typename @include(if: true) @skip(if: false) ${Array.from({ length: 51 }, () => '__typename @include(if: true)').join(' ')} }`,
        'GRAPHQL_LIMIT_EXCEEDED',
      ],
    ].map(([query = '', code]) => [code, query.slice(0, 60), query] as const),
  )('answers %s to %s', async (code, _start, query) => {
    const { errors, data } = await graphql(query);
    expect(data ?? null).toBeNull();
    expect(errors[0].extensions.code).toBe(code);
    expect(errors[0].extensions.type).toMatch(/^\/problems\//);
    expect((await store.call('GET', errors[0].extensions.type)).status).toBe(200);
  });

  it('counts the value of a variable that is the size of a list', async () => {
    const query =
      'query ($n: Int = 100) { a: products(limit: $n) { stock priceMoney { amount } } b: products(limit: $n) { stock priceMoney { amount } } c: products(limit: $n) { stock priceMoney { amount } } }';
    expect((await graphql(query, { n: 1 })).errors).toBeUndefined();
    expect((await graphql(query, { n: 100 })).errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    expect((await graphql(query)).errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    // A negative size must not reduce the cost of the other fields.
    const { errors } = await graphql(
      '{ a: products(limit: 100) { stock priceMoney { amount } } b: products(limit: 100) { stock priceMoney { amount } } c: products(limit: 100) { stock priceMoney { amount } } d: products(limit: -100000) { stock } }',
    );
    expect(errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
  });

  it('counts the cost of each request, even of a text whose cost was measured before', async () => {
    const query =
      'query A { product(id: 1) { id } } query B($n: Int!) { products(limit: $n) { stock } } query C { products { id } }';
    const costs: number[] = [];
    for (const [operationName, n] of [['A'], ['B', 1], ['C'], ['B', 3], ['A'], ['C'], ['B', 1]] as const) {
      const { body } = await post({ query, operationName, variables: n === undefined ? null : { n } });
      costs.push(body.extensions.cost.requested);
    }
    const [a, b1, c, b3] = costs;
    expect(b3).toBe(3 * (b1 as number));
    expect(costs.slice(4)).toEqual([a, c, b1]);
  });

  it('limits the depth of an operation, but not the depth of introspection', async () => {
    const shallow = await startApp('sqlite', { STORE_GRAPHQL_MAX_DEPTH: '2' });
    try {
      const codeOf = async (query: string) =>
        (await resultOf(shallow, query)).errors?.[0].extensions.code as string | undefined;
      expect(await codeOf('{ products { id } }')).toBeUndefined();
      for (const query of [
        '{ products { priceMoney { amount } } }',
        '{ products { ... on Product { ...P } } } fragment P on Product { priceMoney { amount } }',
      ]) {
        expect(await codeOf(query)).toBe('GRAPHQL_LIMIT_EXCEEDED');
      }
      expect(await codeOf(getIntrospectionQuery())).toBeUndefined();
    } finally {
      await shallow.close();
    }
  });

  it.each([
    ['aliases', '{ __schema { %s } }', (n: number) => `a${n}: queryType { name }`],
    [
      'aliases',
      '{ __type(name: "Product") { ...F } } fragment F on __Type { %s }',
      (n: number) => `a${n}: name`,
    ],
    ['directives', '{ __schema { types { %s } } }', () => 'name @include(if: true)'],
  ])('counts the %s inside introspection: %s', async (what, frame, part) => {
    const query = frame.replace('%s', Array.from({ length: 60 }, (_, n) => part(n)).join(' '));
    const { errors } = await graphql(query);
    expect(errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    expect(errors[0].message).toContain(`number of ${what}`);
  });

  // If the time of the check grew faster than the text, the test would exceed its time limit.
  it.each(Object.entries(LARGE))('refuses %s', async (_name, query) => {
    const { body } = await ask(store, { query });
    // The longest texts are refused before they are read.
    const { code } = body.errors?.[0].extensions ?? body;
    expect(code).toBe(query.length > 262_000 ? 'CONTENT_TOO_LARGE' : 'GRAPHQL_LIMIT_EXCEEDED');
  });

  it('answers introspection, with descriptions, unless it is switched off', async () => {
    const { data, errors } = await graphql(getIntrospectionQuery());
    expect(errors).toBeUndefined();
    expect(
      data.__schema.types.find(({ name }: { name: string }) => name === 'Product').description,
    ).toContain('sells');
    const closed = await startApp('sqlite', { STORE_INTROSPECTION: 'false' });
    try {
      const refused = await resultOf(closed, '{ __schema { types { name } } }');
      expect(refused.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
      expect(refused.errors[0].message).toBe(
        'Introspection is switched off. The schema is served at /schema.graphql.',
      );
    } finally {
      await closed.close();
    }
  });

  it('has the request id in errors', async () => {
    const { errors } = await graphql('{ nothing }', undefined, {
      headers: { 'x-request-id': 'trace-7' },
    });
    expect(errors[0].extensions.request_id).toBe('trace-7');
  });

  it.each([
    ['nothing', {}],
    ['a list of variables', { query: '{ __typename }', variables: [] }],
    ['a batch', [{ query: '{ __typename }' }]],
    ['an operationName that is not a text', { query: '{ __typename }', operationName: 1 }],
  ])('has the request id even in errors that Apollo produces itself: %s', async (_what, body) => {
    const { status, text, headers } = await ask(store, JSON.stringify(body), {
      headers: { 'x-request-id': 'trace-8' },
    });
    expect([status, JSON.parse(text).errors[0].extensions]).toMatchObject([
      400,
      { code: 'MALFORMED_REQUEST', request_id: 'trace-8' },
    ]);
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('shows no details of a bug', async () => {
    const broken = await startApp('sqlite', {}, (app) => {
      const repository = app.get(ProductsRepository, { strict: false });
      repository.find = () => Promise.reject(new TypeError('secret detail of a bug'));
    });
    try {
      for (let n = 0; n < 8; n++) {
        const text = JSON.stringify(await resultOf(broken, '{ product(id: 1) { id } }'));
        expect(text).not.toContain('secret');
        expect(text).toContain('"code":"INTERNAL"');
      }
    } finally {
      await broken.close();
    }
  });
});
