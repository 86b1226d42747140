import {
  buildSchema,
  getIntrospectionQuery,
  Kind,
  parse,
  visit,
  type ObjectTypeDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import { limitsOf } from '../../../src/engine/graphql/limits.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { TRANSPORTS } from '../../support/clients/transports.js';

const many = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');
const nested = (levels: number): unknown => JSON.parse(deep(levels)) as unknown;
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** A list of fragments. Each fragment spreads the next fragment twice. */
const doubling = (levels: number, type: string, leaf: string): string =>
  `${many(levels, (n) => `fragment F${n} on ${type} { ...F${n + 1} ...F${n + 1} }`)} fragment F${levels} on ${type} { ${leaf} }`;

const SORTED = 'query ($sort: [ProductSort!]) { products(sort: $sort) { id } }';
const URL_TOO_LONG = /^The request target has \d+ bytes; it may have at most 8192\.$/;
const HEADERS_TOO_LARGE = /^The header section has more than 16384 bytes; it may have at most 16384\.$/;
const BODY_TOO_LARGE = /^The body has 5\d{6} bytes; it may have at most 262144\.$/;
const TOO_MANY_VALUES = /# must have at most 20000 values, including all nested values/;
const MESSAGE_TOO_LARGE = /^1009 The message has more than 262144 bytes; it may have at most 262144$/;

type Way = keyof typeof TRANSPORTS;

/** The sent operation, the expected answer, and other answers of transports that refuse the operation earlier. */
type Case = readonly [
  operation: object | string,
  said: RegExp,
  otherwise?: Readonly<Partial<Record<Way, RegExp>>>,
];

const exceeded = (what: string, value: number, bound: number): RegExp =>
  new RegExp(`^The ${what} of this operation is ${value}; it may be at most ${bound}\\.`);
const asked = (query: string): object => ({ query });

const REFUSED: Readonly<Record<string, Case>> = {
  'thirty fragments that double': [
    asked(`{ ...F0 } ${doubling(30, 'Query', '__typename')}`),
    exceeded('number of root fields', 2 ** 30, 20),
  ],
  'thirty fragments that double, deeper inside': [
    asked(`{ products(limit: 1) { ...F0 } } ${doubling(30, 'Product', 'id')}`),
    exceeded('number of selections', 3 * 2 ** 30, 2000),
  ],
  '1,000 aliases': [
    asked(`{ ${many(1_000, (n) => `a${n}: __typename`)} }`),
    exceeded('number of tokens', 3_002, 2_000),
    { GET: HEADERS_TOO_LARGE },
  ],
  'ten searches': [
    asked(`{ ${many(10, (n) => `a${n}: products(limit: 1, q: "zz0") { id }`)} }`),
    exceeded('cost', 5_010, 5_000),
  ],
  'ten searches for the default of a variable': [
    asked(`query ($q: String = "zz0") { ${many(10, (n) => `a${n}: products(limit: 1, q: $q) { id }`)} }`),
    exceeded('cost', 5_010, 5_000),
  ],
  '31 aliases': [
    asked(`{ products { ${many(31, (n) => `a${n}: id`)} } }`),
    exceeded('number of aliases', 31, 30),
  ],
  '10,000 directives': [
    asked(`{ __typename ${many(10_000, () => '@include(if: true)')} }`),
    exceeded('length', 190_014, 65_536),
    { GET: HEADERS_TOO_LARGE },
  ],
  '51 directives': [
    asked(`{ products { ${many(51, () => 'id @include(if: true)')} } }`),
    exceeded('number of directives', 51, 50),
  ],
  'a text of 5 MB': [
    asked(`{ __typename } # ${'x'.repeat(5_000_000)}`),
    BODY_TOO_LARGE,
    { GET: HEADERS_TOO_LARGE, WebSocket: MESSAGE_TOO_LARGE },
  ],
  'a text of 9 KB with too many selections at its end': [
    asked(`# ${'x'.repeat(9_000)}\n{ ${many(22, () => '__typename')} }`),
    exceeded('number of root fields', 22, 20),
    { GET: URL_TOO_LONG },
  ],
  '21 root fields': [
    asked(`{ ${many(21, () => 'products { id }')} }`),
    exceeded('number of root fields', 21, 20),
  ],
  'a depth of 42': [
    asked(`{ user(id: 1) { ${'orders { user { '.repeat(20)} id ${'} }'.repeat(20)} } }`),
    exceeded('depth', 42, 8),
  ],
  'selections 402 levels deep': [
    asked(`{ user(id: 1) { ${'orders { user { '.repeat(200)} id ${'} }'.repeat(200)} } }`),
    exceeded('nesting', 402, 128),
  ],
  'a selection that can return more than 10,000 items': [
    asked('{ orders(limit: 100) { user { orders(limit: 100) { id } } } }'),
    exceeded('cost', 10_200, 5_000),
  ],
  'lists 120 levels deep': [
    asked(`{ products(sort: ${deep(120)}) { id } }`),
    /cannot represent non-enum value/,
  ],
  'lists 800 levels deep': [asked(`{ products(sort: ${deep(800)}) { id } }`), exceeded('nesting', 802, 128)],
  '5,000 lines': [
    asked(`{ products { id } }${'\n'.repeat(5_000)}`),
    exceeded('number of lines', 5_001, 4_000),
    { GET: URL_TOO_LONG },
  ],
  'lists 3,000 levels deep, which have too many tokens': [
    asked(`{ products(sort: ${deep(3_000)}) { id } }`),
    exceeded('number of tokens', 6_010, 2_000),
    { GET: HEADERS_TOO_LARGE },
  ],
  'fragments that spread each other in a circle': [
    asked('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
    /^Cannot spread fragment "A" within itself via "B"\.$/,
  ],
  'fields that have to be compared too often': [
    asked(`{ ${many(19, () => `products { ${many(90, () => 'id')} }`)} }`),
    /^The fields of this operation need more than 500000 comparisons, which is the limit\.$/,
  ],
  'introspection under many names': [
    asked(`{ __schema { types { ${many(28, (n) => `a${n}: fields { name type { fields { name } } }`)} } } }`),
    /^The cost of introspection of this operation is \d+; it may be at most 5000\.$/,
  ],
  'introspection in circles': [
    asked(`{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} }'.repeat(4)} } } }`),
    /^Maximum introspection depth exceeded/,
  ],
  'variables 100,000 levels deep': [
    `{"query":${JSON.stringify(SORTED)},"variables":{"sort":${deep(100_000)}}}`,
    /must not be nested deeper than 32 levels; it is 100002 levels deep/,
    { GET: HEADERS_TOO_LARGE, WebSocket: /^4400 Invalid message received$/ },
  ],
  'variables 33 levels deep': [
    { query: SORTED, variables: { sort: [nested(32)] } },
    exceeded('depth of the variables', 34, 32),
    {
      POST: /must not be nested deeper than 32 levels; it is 35 levels deep/,
      SSE: /must not be nested deeper than 32 levels; it is 35 levels deep/,
      WebSocket: /^4400 Invalid message received$/,
    },
  ],
  '25,000 items in a variable': [
    { query: SORTED, variables: { sort: Array.from({ length: 25_000 }, () => 'ID') } },
    TOO_MANY_VALUES,
    { GET: HEADERS_TOO_LARGE, WebSocket: /^4400 Invalid message received$/ },
  ],
  'ten thousand items in a variable': [
    { query: SORTED, variables: { sort: Array.from({ length: 10_000 }, () => 'NAME_ASC') } },
    exceeded('number of values in the variables', 10_001, 2_000),
    { GET: HEADERS_TOO_LARGE },
  ],
  '2,001 values in a variable': [
    { query: SORTED, variables: { sort: Array.from({ length: 2_000 }, () => 1) } },
    exceeded('number of values in the variables', 2_001, 2_000),
  ],
  'a long text in a variable': [
    { query: SORTED, variables: { sort: 'x'.repeat(66_000) } },
    exceeded('number of characters in the variables', 66_004, 65_536),
    { GET: HEADERS_TOO_LARGE },
  ],
  'many values in the extensions': [
    { query: SORTED, extensions: { more: Array.from({ length: 2_000 }, () => 1) } },
    exceeded('number of values in the extensions', 2_001, 2_000),
  ],
};

/** A document that counts how often its selections are read. */
function counted(text: string) {
  const count = { reads: 0, sets: 0 };
  const document = visit(parse(text), {
    SelectionSet: {
      leave: ({ kind, selections }) => {
        count.sets += 1;
        return {
          kind,
          get selections() {
            count.reads += 1;
            return selections;
          },
        };
      },
    },
  });
  count.reads = 0;
  return { count, document };
}

function twice(password: string): string {
  const one = `createUser(name: "Ann", email: "a@b.example", password: ${password}) { id }`;
  return `{ ...F b: ${one} } fragment F on Mutation { a: ${one} }`;
}

describe('the size limits', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  const cases = Object.entries(REFUSED).flatMap(([what, [operation, said, otherwise = {}]]) =>
    Object.keys(TRANSPORTS).map((way) => [what, way, operation, otherwise[way] ?? said] as const),
  );

  // If the time of the check grew faster than its input, the test would exceed its time limit.
  it.each(cases)('refuse an operation: %s by %s', async (_what, way, operation, said) => {
    const { body, closing } = await (TRANSPORTS[way] as (typeof TRANSPORTS)[string])(store, operation);
    expect(body?.data?.products ?? null).toBeNull();
    expect(body?.data?.__typename ?? null).toBeNull();
    expect(closing ?? body.errors?.[0].message ?? body.detail).toMatch(said);
    expect((await store.call('GET', '/health/live')).status).toBe(200);
  });

  it.each([
    ['by variables', `mutation ($password: String) ${twice('$password')}`],
    ['in the text', `mutation ${twice('"quite a password"')}`],
  ])('refuse more than one password, %s', async (_how, query) => {
    for (const way of ['POST', 'WebSocket', 'SSE']) {
      const transport = TRANSPORTS[way] as (typeof TRANSPORTS)[string];
      const { body } = await transport(store, { query, variables: { password: 'quite a password' } });
      expect(body.errors?.[0].message ?? body.detail).toMatch(exceeded('number of passwords', 2, 1));
    }
  });

  it('do not count a password that is null', async () => {
    const operation = {
      query: `mutation ($password: String) ${twice('$password')}`,
      variables: { password: null },
    };
    const { body } = await (TRANSPORTS['POST'] as (typeof TRANSPORTS)[string])(store, operation);
    expect(JSON.stringify(body)).not.toContain('number of passwords');
  });

  it('are the same numbers as in the text of the contract', () => {
    const bounds = Object.values(REFUSED).flatMap(
      ([, { source }]) => /it may be at most (\d+)/.exec(source)?.[1] ?? [],
    );
    expect(new Set(bounds).size).toBeGreaterThan(5);
    const { description } = parse(SCHEMA_GRAPHQL).definitions.find(
      (node) => node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === 'Query',
    ) as ObjectTypeDefinitionNode;
    for (const bound of bounds)
      expect(description?.value).toMatch(new RegExp(`\\b${Number(bound).toLocaleString('en')}\\b`));
  });

  it.each(Object.keys(TRANSPORTS))('allow twenty fields without cost, by %s', async (way) => {
    const query = `{ ${many(20, (n) => `a${n}: __typename`)} }`;
    const { body } = await (TRANSPORTS[way] as (typeof TRANSPORTS)[string])(store, { query });
    expect(body).toMatchObject({
      data: { a19: 'Query' },
      extensions: { cost: { requested: 0, limit: 5_000 } },
    });
  });
});

describe('the cost of an operation', () => {
  const schema = buildSchema(SCHEMA_GRAPHQL);

  it('is multiplied only by fields with a size; a fragment counts with the size of each field that spreads it', () => {
    const document = parse(`{
      a: productsConnection(first: 10) { ...F pageInfo { hasNextPage } }
      b: productsConnection(last: 3, first: 2) { ...F }
      productsConnection { ...F }
    } fragment F on ProductConnection { totalCount edges { ...E } } fragment E on ProductEdge { node { id stock } }`);
    const [operation] = document.definitions as [OperationDefinitionNode];
    const { cost } = limitsOf(schema, { depth: 8, cost: 5_000 })(document, operation, {});
    expect(cost).toBe(3 * (1 + 5) + (10 + 3 + 20) * 3);
  });

  it('depends on the sizes in the variables of each request, where null counts as not given', () => {
    const document = parse(
      'query ($n: Int, $m: Int) { usersConnection(first: $n, last: $m) { nodes { id } } }',
    );
    const [operation] = document.definitions as [OperationDefinitionNode];
    const check = limitsOf(schema, { depth: 8, cost: 5_000 });
    const costs = [{ n: 5 }, { n: null, m: 7 }, {}, { n: -4 }].map(
      (values) => check(document, operation, values).cost,
    );
    expect(costs).toEqual([6, 8, 21, 2]);
    expect(() => check(document, operation, { m: 5_000 })).toThrow(/cost of this operation is 5001/);
  });

  it.each([10, 20, 40, 80])(
    'is computed by reading each fragment once, even if it is spread many times: %i levels of fragments',
    (levels) => {
      const { count, document } = counted(`{ products { ...F0 } } ${doubling(levels, 'Product', 'id')}`);
      const operation = document.definitions.find(
        ({ kind }) => kind === Kind.OPERATION_DEFINITION,
      ) as OperationDefinitionNode;
      const check = limitsOf(schema, { depth: 8, cost: 5_000 });
      expect(() => check(document, operation, {})).toThrow(/number of selections/);
      expect(count).toEqual({ reads: count.sets, sets: levels + 3 });
    },
  );
});

describe('introspection', () => {
  it('is allowed at any limit of the cost, and counts for the rate limit by its number of fields', async () => {
    const poor = await startApp('sqlite', {
      STORE_GRAPHQL_MAX_COST: '1',
      STORE_RATE_LIMIT: 'anonymous=30/h,caller=30/h',
    });
    try {
      const query = getIntrospectionQuery();
      const send = () =>
        fetch(`${poor.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        });
      const statuses: number[] = [];
      for (let n = 0; n < 6; n++) statuses.push((await send()).status);
      // An operation counts as one unit, and each hundred of its fields counts as one unit more. So each of these
      // operations takes about nine of the thirty units.
      expect(statuses.slice(0, 2)).toEqual([200, 200]);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await poor.close();
    }
  });

  it.each([
    ['the introspection query of tools', getIntrospectionQuery(), 600, 1_500],
    ['one type', '{ __type(name: "Product") { name fields { name type { name } } } }', 10, 200],
    ['a name', '{ __typename a: __typename }', 0, 0],
    ['the same twice', '{ a: __schema { types { name } } b: __schema { types { name } } }', 50, 200],
  ])('has a separate cost for the fields that it can return: %s', (_what, query, least, most) => {
    const document = parse(query);
    const operation = document.definitions.find(
      ({ kind }) => kind === Kind.OPERATION_DEFINITION,
    ) as OperationDefinitionNode;
    const schema = buildSchema(SCHEMA_GRAPHQL);
    const { cost, introspection } = limitsOf(schema, { depth: 8, cost: 5_000 })(document, operation, {});
    expect(cost).toBe(0);
    expect(introspection).toBeGreaterThanOrEqual(least);
    expect(introspection).toBeLessThanOrEqual(most);
  });
});
