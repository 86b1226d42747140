import { afterAll, beforeAll, expect, it, vi, type MockInstance } from 'vitest';
import { CompiledQuery } from '../../../src/engine/graphql/compiled-query.js';
import { ProductsRepository } from '../../../src/store/products/products.repository.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { keepNoResults } from '../../support/fixtures/statements.js';
import { CORPUS } from '../../support/fixtures/graphql-corpus.js';
import { sampled } from '../../support/sampled.js';

/**
 * The service never compiles these operations. It refuses some of them before their execution. The others are
 * mutations, introspection or queries with directives, which graphql-js always executes.
 */
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
  'a mutation',
  'a mutation that fails in the middle',
  'a mutation of nothing',
]);

describeOnEachEngine('compiled GraphQL', (engine) => {
  let store: TestApp;
  let runs: MockInstance;
  beforeAll(async () => {
    runs = vi.spyOn(CompiledQuery.prototype, 'run');
    store = await startApp(engine, {}, (app) => {
      keepNoResults(app);
      const repository = app.get(ProductsRepository, { strict: false });
      const find = repository.find.bind(repository);
      repository.find = (id) => (id === 13 ? Promise.reject(new TypeError('a bug')) : find(id));
    });
    for (const name of ['Chai', 'Alt', 'Öl']) await create(store, { name });
  });
  afterAll(() => {
    runs.mockRestore();
    return store.close();
  });

  it.each(sampled(Object.entries(CORPUS), 15))(
    'gives the same answer as interpreted GraphQL: %s',
    async (name, operation) => {
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const before = runs.mock.calls.length;
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
        expect(runs.mock.calls.length - before).toBe(NEVER_COMPILED.has(name) ? 0 : 4);
        expect(answers[0]).not.toContain(name.includes('bug') ? '"a bug"' : '"code":"INTERNAL"');
      }
    },
  );
});
