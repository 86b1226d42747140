import { getIntrospectionQuery } from 'graphql';
import type { compileQuery } from 'graphql-jit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ProductsRepository } from '../../../src/store/products/products.repository.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create } from '../../support/fixtures/fixtures.js';
import { ask, type Operation } from '../../support/clients/graphql.js';

const compiledRuns = vi.hoisted(() => ({ count: 0 }));

// The real compiler. The test only counts the compiled queries that run.
vi.mock('graphql-jit', async (load) => {
  const original = await load<typeof import('graphql-jit')>();
  return {
    ...original,
    compileQuery: (...args: Parameters<typeof compileQuery>) => {
      const compiled = original.compileQuery(...args);
      if (!('query' in compiled)) return compiled;
      const query: typeof compiled.query = (...input) => {
        compiledRuns.count += 1;
        return compiled.query(...input);
      };
      return { ...compiled, query };
    },
  };
});

const byId = 'query ($id: ID!) { product(id: $id) { id name } }';
const page = (definition: string) =>
  `query (${definition}) { products(limit: $n, sort: NAME_ASC) { name stock } }`;
const sorted = 'query ($s: [ProductSort!]) { products(sort: $s) { name } }';
const priced = 'query ($p: Float, $in: Boolean) { products(minPrice: $p, inStock: $in) { name price } }';
const shown = `query ($yes: Boolean!, $no: Boolean = false) {
  product(id: 1) { id name @include(if: $yes) stock @skip(if: $no) ... @include(if: $no) { price } ...F @skip(if: $yes) }
} fragment F on Product { name description }`;
const two = 'query A { product(id: 1) { name } } query B($id: ID = 2) { product(id: $id) { id } }';

const CORPUS: Record<string, Operation> = {
  'a field': {
    query: '{ product(id: 1) { id name price priceMoney { amount currency } inStock createdAt } }',
  },
  'a variable': { query: byId, variables: { id: '1' } },
  'a number for an id': { query: byId, variables: { id: 1 } },
  'an unused variable': { query: byId, variables: { id: 1, other: 2 } },
  'no variables': { query: byId },
  'variables that are null': { query: byId, variables: null },
  'another variable': { query: byId, variables: { ID: '1' } },
  'null for a required variable': { query: byId, variables: { id: null } },
  'a list for an id': { query: byId, variables: { id: ['1'] } },
  'an object for an id': { query: byId, variables: { id: { id: 1 } } },
  'a fraction for an id': { query: byId, variables: { id: 1.5 } },
  'an invalid id': { query: byId, variables: { id: 'x' } },
  'an unknown id': { query: byId, variables: { id: '999999' } },
  'a default': { query: page('$n: Int = 2') },
  'a default overridden': { query: page('$n: Int = 2'), variables: { n: 1 } },
  'null over a default': { query: page('$n: Int = 2'), variables: { n: null } },
  'a default of a required variable': { query: page('$n: Int! = 2') },
  'null for a required variable with a default': { query: page('$n: Int! = 2'), variables: { n: null } },
  'an optional variable left out': { query: page('$n: Int') },
  'a text for a number': { query: page('$n: Int'), variables: { n: '2' } },
  'a fraction for a number': { query: page('$n: Int'), variables: { n: 2.5 } },
  'a number out of range': { query: page('$n: Int'), variables: { n: 2 ** 31 } },
  'a number out of bounds': { query: page('$n: Int'), variables: { n: 0 } },
  'several faults': {
    query: 'query ($n: Int, $q: String) { products(limit: $n, page: 0, q: $q) { id } }',
    variables: { n: 101, q: '' },
  },
  'several variables wrong': { query: priced, variables: { p: 'x', in: 'y' } },
  'a price': { query: priced, variables: { p: 1, in: true } },
  'a list': { query: sorted, variables: { s: ['NAME_DESC', 'ID_ASC'] } },
  'one value instead of a list': { query: sorted, variables: { s: 'NAME_DESC' } },
  'an empty list': { query: sorted, variables: { s: [] } },
  'null in a list': { query: sorted, variables: { s: ['NAME_DESC', null] } },
  'a value outside of the enum': { query: sorted, variables: { s: ['NAME'] } },
  'null in a list literal': {
    query: 'query ($s: ProductSort = NAME_ASC) { products(sort: [$s, ID_ASC]) { name } }',
    variables: { s: null },
  },
  'a variable in a list': {
    query: 'query ($s: ProductSort!) { products(sort: [$s, ID_ASC]) { name } }',
    variables: { s: 'NAME_DESC' },
  },
  'a number for an enum': { query: sorted, variables: { s: [1] } },
  'the default of an enum': {
    query: 'query ($s: [ProductSort!] = [NAME_DESC]) { products(sort: $s) { name } }',
  },
  'null for a required argument': {
    query: 'query ($id: ID = 1) { product(id: $id) { id } }',
    variables: { id: null },
  },
  'an optional variable for a required argument': {
    query: 'query ($id: ID = 1) { product(id: $id) { id } }',
  },
  aliases: { query: '{ a: product(id: 1) { x: id y: name } b: product(id: 2) { x: id } c: __typename }' },
  'fragments in fragments': {
    query: `{ products { ...A } ...Q } fragment A on Product { id ...B } fragment B on Product { name priceMoney { ... on Money { amount } } }
      fragment Q on Query { product(id: 2) { ...B stock } }`,
  },
  'a repeated field': {
    query: '{ product(id: 1) { id priceMoney { amount } id } product(id: 1) { priceMoney { currency } } }',
  },
  included: { query: shown, variables: { yes: true } },
  'left out': { query: shown, variables: { yes: false, no: true } },
  'a condition missing': { query: shown },
  'a condition that is null': { query: shown, variables: { yes: true, no: null } },
  'a condition that is a text': { query: shown, variables: { yes: 'true' } },
  'included at one of two places': {
    query:
      'query ($a: Boolean!) { product(id: 1) { name @include(if: $a) name @skip(if: $a) stock @include(if: true) @skip(if: $a) } }',
    variables: { a: true },
  },
  'everything left out': {
    query: 'query ($a: Boolean!) { product(id: 1) @include(if: $a) { id } }',
    variables: { a: false },
  },
  'all of an object left out': {
    query: 'query ($a: Boolean!) { product(id: 1) { id @skip(if: $a) } }',
    variables: { a: true },
  },
  'errors in resolvers': {
    query: '{ a: product(id: "x") { id } b: product(id: 1) { id } c: products(limit: 0) { id } }',
  },
  'a bug': { query: '{ good: product(id: 1) { id } bad: product(id: 13) { id } }' },
  'a bug in a field of many': { query: '{ products { name priceMoney { amount } description } }' },
  'a mutation': {
    query:
      'mutation { a: setProductStock(id: 1, quantity: 7) { stock } b: setProductStock(id: 1, quantity: 9) { stock } }',
  },
  'a mutation that fails in the middle': {
    query:
      'mutation ($q: Int) { a: setProductStock(id: 2, quantity: 1) { stock } b: setProductStock(id: 2, quantity: $q) { stock } c: setProductStock(id: 2, quantity: null) { stock inStock } }',
    variables: { q: -1 },
  },
  'a mutation of nothing': {
    query: 'mutation { deleteProduct(id: 424242) { id stock } updateProduct(id: 1, name: null) { id } }',
  },
  introspection: { query: getIntrospectionQuery() },
  'a type and its name': {
    query:
      '{ __typename __type(name: "Product") { name fields(includeDeprecated: true) { name type { name kind ofType { name } } } } product(id: 1) { __typename } }',
  },
  'the first of two operations': { query: two, operationName: 'A' },
  'the second of two operations': { query: two, operationName: 'B' },
  'no name with two operations': { query: two },
  'an unknown operation name': { query: two, operationName: 'C' },
  'an unknown name with one operation': { query: '{ product(id: 1) { id } }', operationName: 'C' },
  'too large': { query: `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: __typename`).join(' ')} }` },
  'not in the schema': { query: '{ nothing }' },
};

/** These operations are refused before they are executed, or compiled code would execute them differently. */
const NEVER_COMPILED = new Set([
  'no variables',
  'variables that are null',
  'another variable',
  'null for a required variable',
  'a list for an id',
  'an object for an id',
  'a fraction for an id',
  'null for a required variable with a default',
  'a text for a number',
  'a fraction for a number',
  'several variables wrong',
  'null in a list',
  'a value outside of the enum',
  'a number for an enum',
  'introspection',
  'a type and its name',
  'a number out of range',
  'null in a list literal',
  'a variable in a list',
  'included',
  'left out',
  'a condition missing',
  'a condition that is null',
  'a condition that is a text',
  'included at one of two places',
  'everything left out',
  'all of an object left out',
  'no name with two operations',
  'an unknown operation name',
  'an unknown name with one operation',
  'too large',
  'not in the schema',
]);

describeOnEachEngine('compiled GraphQL', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine, {}, (app) => {
      const repository = app.get(ProductsRepository, { strict: false });
      const find = repository.find.bind(repository);
      repository.find = (id) => (id === 13 ? Promise.reject(new TypeError('a bug')) : find(id));
    });
    for (const name of ['Chai', 'Alt', 'Öl']) await create(store, { name });
  });
  afterAll(() => store.close());

  it.each(Object.entries(CORPUS))(
    'gives the same answer as interpreted GraphQL: %s',
    async (name, operation) => {
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const before = compiledRuns.count;
        const answers: string[] = [];
        for (let n = 0; n < 8; n++) {
          const { status, text } = await ask(
            store,
            // A text that no other test has sent.
            { ...operation, query: `${operation.query} # ${name}, ${accept}` },
            { headers: { accept, 'x-request-id': 'same' } },
          );
          answers.push(`${status} ${text}`);
        }
        expect([...new Set(answers)]).toEqual([answers[0]]);
        expect(compiledRuns.count - before).toBe(NEVER_COMPILED.has(name) ? 0 : 4);
        expect(answers[0]).not.toContain(name.includes('bug') ? '"a bug"' : '"code":"INTERNAL"');
      }
    },
  );
});
