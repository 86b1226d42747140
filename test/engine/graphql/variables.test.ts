import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { resultOf } from '../../support/clients/graphql.js';
import { TRANSPORTS } from '../../support/clients/transports.js';
import { withProcessorMs } from '../../support/fixtures/processor-time.js';

const ORDER = 'mutation ($items: [OrderItemInput!]!) { createOrder(items: $items) { id } }';
/**
 * This limit is far above the normal time, and far below the time of a check whose time grows with the square of its
 * input.
 */
const MOST_MS = 1_000;

/** An object with 1,900 unknown members, which have long names. Variables may have 2,000 values. */
const hostile = (): object =>
  Object.fromEntries(Array.from({ length: 1_900 }, (_, n) => [`member${'x'.repeat(20)}${n}`, 'y']));

let store: TestApp;
beforeAll(async () => {
  store = await startApp('sqlite');
});
afterAll(() => store.close());

describe('wrong variables', () => {
  it.each(Object.keys(TRANSPORTS).filter((way) => way !== 'GET'))(
    'take less than a second of computing, by %s, even with an idempotency key, and even when the text is known',
    async (way) => {
      const send = TRANSPORTS[way] as (typeof TRANSPORTS)[string];
      for (const extensions of [{ idempotencyKey: 'a' }, {}, {}, {}, {}, {}, {}]) {
        const [{ body }, ms] = await withProcessorMs(() =>
          send(store, { query: ORDER, variables: { items: [hostile()] }, extensions }),
        );
        expect(ms).toBeLessThan(MOST_MS);
        expect(JSON.stringify(body).length).toBeLessThan(60_000);
        expect(body.errors).toHaveLength(1);
        expect(body.errors[0].extensions.errors).toHaveLength(100);
      }
    },
  );

  it('are all reported at once, each with its place', async () => {
    const query = `query ($page: Int!, $sort: [ProductSort!], $limit: Int!) {
      products(page: $page, sort: $sort, limit: $limit) { id }
    }`;
    const { errors } = await resultOf(store, query, { page: 'secret', sort: ['NAME_ASC', 'secret', 7] });
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', pointer: '#/variables/page' });
    expect(errors[0].extensions.errors).toEqual([
      {
        pointer: '#/variables/page',
        code: 'WRONG_TYPE',
        detail: 'Variable "$page" is wrong: Int cannot represent non-integer value',
      },
      {
        pointer: '#/variables/sort/1',
        code: 'WRONG_TYPE',
        detail: 'Variable "$sort" has a value that is not in the enum "ProductSort"',
      },
      {
        pointer: '#/variables/sort/2',
        code: 'WRONG_TYPE',
        detail:
          'Variable "$sort" is wrong at "sort[2]": Enum "ProductSort" cannot represent non-string value',
      },
      {
        pointer: '#/variables/limit',
        code: 'REQUIRED',
        detail: 'Variable "$limit" of required type "Int!" was not provided',
      },
    ]);
  });

  it.each([
    ['null', { page: null }, 'Variable "$page" of non-null type "Int!" must not be null'],
    ['a long text', { page: 'x'.repeat(60_000) }, 'Variable "$page" is wrong: Int cannot represent'],
    ['an object', { page: hostile() }, 'Variable "$page" is wrong: Int cannot represent'],
  ])('are reported in a short message: %s', async (_what, variables, said) => {
    const query = 'query ($page: Int!) { products(page: $page) { id } }';
    const { errors } = await resultOf(store, query, variables);
    expect(errors[0].message).toContain(said);
    expect(errors[0].message.length).toBeLessThan(500);
  });
});

describe('an error in a text', () => {
  it.each([
    ['a field', (name: string) => `{ ${name} }`],
    ['an argument', (name: string) => `{ products(${name}: 1) { id } }`],
    ['a number', () => `{ products(limit: ${'9'.repeat(60_000)}) { id } }`],
    ['a text', (name: string) => `{ products(limit: "${name}") { id } }`],
    ['a variable', (name: string) => `{ products(limit: $${name}) { id } }`],
    ['an invalid character', (name: string) => `{ products } ? ${name}`],
  ])('does not repeat the whole text: %s', async (_what, text) => {
    const { errors } = await resultOf(store, text('x'.repeat(60_000)));
    expect(JSON.stringify(errors).length).toBeLessThan(3_000);
  });

  it('is reported if it is one of the first twenty; one more error says that there are too many', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `field${n}`);
    const { errors } = await resultOf(store, `{ ${names.join(' ')} }`);
    expect(errors).toHaveLength(21);
    expect(errors[20].message).toMatch(/^Too many validation errors/);
  });
});
