import { readFile } from 'node:fs/promises';
import { parse as parseSdl } from 'graphql';
import { describe, expect, it } from 'vitest';
import { agrees, describedIn, partsOf, ruleOf, statementsIn } from '../../testkit/contract/prose.ts';
import { describedInSdl } from '../../testkit/contract/sdl-prose.ts';
import { OPENAPI as PARSED } from '../support/fixtures/openapi.js';

const file = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
const OPENAPI: Document = PARSED;
const SDL = await file('schema.graphql');

// oxlint-disable-next-line typescript/no-explicit-any
type Document = any;

/**
 * Numbers in a description that are not a bound of the described value. `because` says what they are. `boundOf` names
 * the schema whose bound they state.
 */
type Elsewhere = {
  readonly places: RegExp;
  readonly says: readonly string[];
} & ({ readonly because: string } | { readonly boundOf: string });

/** Splits a list of statements at its semicolons. */
const split = (list: string): readonly string[] => list.split('; ');

const ELSEWHERE: readonly Elsewhere[] = [
  {
    places: /^info$/,
    says: split(
      'at most 16,384 bytes; at most 20,000 values; at most 32 levels; more than 200 characters; ' +
        'more than 1,500; 10 seconds; 1 KiB; 24; may have 8,192 characters; 5 seconds; 1,200; 120; 64; 20; 6; 3; 21; 40; ' +
        'more than 5 seconds; 2,000; 20,000; more than 1,000',
    ),
    because: 'Limits of the service, which hold for all operations.',
  },
  {
    places: /^(Query|Subscription|cost)$/,
    says: split(
      'may have 65,536 characters; 4,000 lines; 2,000; 128 levels; 20; 30; 50; may have 2,000; ' +
        '8 levels; 5,000; 500,000; may have 2,000 values; 65,536 characters; 32 levels; 200 lines; ' +
        '1; at most 5,000; 800; may have 262,144 bytes; may have 50; 5 seconds; 10 seconds; 40; 20,000; ' +
        '100 characters; 5; 1013; 500 messages; 250; 65,536 bytes; 1008; may have 16,384 bytes',
    ),
    because: 'Limits of all operations and subscriptions, and codes that close a socket.',
  },
  {
    places: /^(paths\/.*\/get|\w+Connection\.totalCount)$/,
    says: ['up to 10,000', 'more than 10,000'],
    because: 'The number of rows up to which the service counts.',
  },
  {
    places: /^paths\/.*\/events\/get$/,
    says: ['more than five minutes'],
    because: 'A period of the log of events.',
  },
  {
    places: /^components\/responses\/(Error|ContentTooLarge)$/,
    says: split(
      '15 seconds; 30 seconds; longer than 8 KiB; larger than 16 KiB; more than 8,192 characters; ' +
        'larger than 16,384 bytes',
    ),
    because: 'Limits of all requests.',
  },
  {
    places: /^components\/schemas\/JsonPatch$/,
    says: ['32 levels', '1,048,576 characters'],
    because: 'Bounds of the patched resource, and of the work of the patch.',
  },
  {
    places: /^components\/schemas\/ProductBatchUpdate(V2)?$/,
    says: ['at least one'],
    because: 'The members `op`, `id` and `if_match` do not count. A schema cannot say this.',
  },
  {
    places: /^components\/schemas\/RedirectUris$/,
    says: ['At least one'],
    because: 'The number depends on grant_types.',
  },
  {
    places: /^paths\/\/api\/v2\/events\/get$/,
    says: ['at most 10,000'],
    because: 'The number of events that a page passes over.',
  },
  {
    places: /^components\/schemas\/Cursor$/,
    says: ['0'],
    because: 'A cursor is a text, and 0 is the first cursor.',
  },
  { places: /^SafeInt$/, says: ['up to 9,007,199,254,740,991'], boundOf: 'Id' },
  {
    places: /^paths\/.*\/stock\/put$|[./]in_?stock$/i,
    says: ['0'],
    boundOf: 'StockQuantity',
  },
  {
    places: /\/v1\/products\/batch\/post$/,
    says: ['up to 1,000 products'],
    boundOf: 'ProductBatch/properties/items',
  },
  {
    places: /\/v2\/products\/batch\/post$/,
    says: ['up to 1,000 products'],
    boundOf: 'ProductBatchV2/properties/items',
  },
];

/**
 * The wrong statements in the descriptions of both contracts, and the statements of `ELSEWHERE` that no description
 * has.
 */
function faultsOf(openapi: Document, sdl: string): string[] {
  const listed = new Set(
    ELSEWHERE.flatMap((entry) => entry.says.map((says) => `${String(entry.places)} ${says}`)),
  );
  const faults = [...describedIn(openapi), ...describedInSdl(parseSdl(sdl), openapi)].flatMap(
    ({ place, description, rule }) =>
      statementsIn(description).flatMap((statement) => {
        if (agrees(statement, rule)) return [];
        const entry = ELSEWHERE.find(
          ({ places, says }) => places.test(place) && says.includes(statement.says),
        );
        if (entry) listed.delete(`${String(entry.places)} ${statement.says}`);
        if (entry && (!('boundOf' in entry) || agrees(statement, boundOf(openapi, entry.boundOf)))) return [];
        return [`${place}: ${statement.says}`];
      }),
  );
  return [...faults, ...[...listed].map((each) => `nothing says ${each}`)];
}

function boundOf(openapi: Document, path: string) {
  return ruleOf(partsOf(openapi, { $ref: `#/components/schemas/${path}` }));
}

/** The faults of openapi.yaml after a change. */
function afterChange(change: (document: Document) => void): string[] {
  const document = structuredClone(OPENAPI);
  change(document);
  return faultsOf(document, SDL);
}

/** The faults of schema.graphql with another text in it. */
function withText(text: string, replacement: string): string[] {
  const other = SDL.replaceAll(text, replacement);
  expect(other).not.toBe(SDL);
  return faultsOf(OPENAPI, other);
}

/**
 * The faults of both contracts with a tree of users that has this number of levels. The descriptions state five levels.
 */
function withTree(levels: number): string[] {
  const document = structuredClone(OPENAPI);
  const { UserName, UserCreate } = document.components.schemas;
  UserName['x-refers'] = { entity: 'User', code: 'UNKNOWN', levels };
  UserCreate.description = 'A user. The tree has at most five levels.';
  document.paths['/api/v1/users'].post.description = 'Stores a user. A tree has at most 5 levels.';
  const sdl = SDL.replace('Stores a new user.', 'Stores a new user. A tree has at most five levels.').replace(
    'createUser(\n    "The name.',
    'createUser(\n    "The name. At most 5 levels.',
  );
  return faultsOf(document, sdl);
}

describe('the descriptions of both contracts', () => {
  it('state the bounds that the contracts have', () => {
    expect(faultsOf(OPENAPI, SDL)).toEqual([]);
  });

  it('are more than 700, and state more than 25 bounds', () => {
    const all = [...describedIn(OPENAPI), ...describedInSdl(parseSdl(SDL), OPENAPI)];
    expect(all.length).toBeGreaterThan(700);
    const stated = all.flatMap(({ description, rule }) =>
      statementsIn(description).filter((statement) => agrees(statement, rule)),
    );
    expect(stated.length).toBeGreaterThan(25);
  });

  it.each<[string, (document: Document) => void, string]>([
    [
      'a bound that became wider',
      ({ components: { schemas } }) => (schemas.ProductName.maxLength = 201),
      'components/schemas/ProductName: 1 to 200 characters',
    ],
    [
      'a bound that is gone',
      ({ components: { schemas } }) => delete schemas.KeyName.minLength,
      'components/schemas/KeyName: 1 to 100 characters',
    ],
    [
      'another number in the description',
      ({ components: { schemas } }) => (schemas.UserName.description = 'The name, 1 to 300 characters.'),
      'components/schemas/UserName: 1 to 300 characters',
    ],
    [
      'a changed bound of a parameter',
      ({ components: { parameters } }) => (parameters.Page.schema.minimum = 0),
      'components/parameters/Page: counted from 1',
    ],
    [
      'a changed bound of items',
      ({ components: { schemas } }) => (schemas.Problem.properties.errors.maxItems = 50),
      'components/schemas/Problem/properties/errors: at most the first hundred',
    ],
    [
      'a changed bound in other units',
      ({ components: { schemas } }) => (schemas.ProductPrice.properties.amount.maximum = 10_000_000),
      'components/schemas/ProductPrice/properties/amount: up to 10,000,000 major units',
    ],
    [
      'a changed bound in a pattern',
      ({ components: { parameters } }) => (parameters['Idempotency-Key'].schema.pattern = '^[a-z]{1,64}$'),
      'components/parameters/Idempotency-Key: 1 to 255 printable characters',
    ],
    [
      'a changed reach of the pages of a list',
      ({ paths }) => (paths['/api/v1/orders'].get['x-reach'].filtered = 50_000),
      'Query.orders: at most 100,000',
    ],
    [
      'a changed bound of another part than the described one',
      ({ components: { schemas } }) => (schemas.ProductBatch.properties.items.maxItems = 500),
      'paths//api/v1/products/batch/post: up to 1,000 products',
    ],
    [
      'a number that is not a bound of the value',
      ({ components: { schemas } }) => (schemas.Scope.description += ' No more than 7 are allowed.'),
      'components/schemas/Scope: No more than 7',
    ],
    [
      'a listed statement that is gone',
      ({ components: { schemas } }) => (schemas.JsonPatch.description = 'A patch.'),
      'nothing says /^components\\/schemas\\/JsonPatch$/ 32 levels',
    ],
  ])('are reported for %s in openapi.yaml', (_what, change, fault) => {
    expect(afterChange(change)).toContain(fault);
  });

  it.each([
    [
      'another number in a description',
      '8 to 128 characters',
      '8 to 64 characters',
      'Mutation.createUser.password: 8 to 64 characters',
    ],
    [
      'another default',
      'Without `first` and `last` it is 20.',
      'Without `first` and `last` it is 25.',
      'Query.productsConnection.first: 25',
    ],
    [
      'a number that is not a bound of the value',
      '"The currency (ISO 4217)."',
      '"The currency, 4 letters."',
      'Money.currency: 4',
    ],
  ])('are reported for %s in schema.graphql', (_what, text, replacement, fault) => {
    expect(withText(text, replacement)).toContain(fault);
  });

  it('state the levels of a tree as `x-refers` does, in each interface', () => {
    expect(withTree(5)).toEqual([]);
    expect(withTree(6)).toEqual([
      'paths//api/v1/users/post: at most 5 levels',
      'components/schemas/UserCreate: at most five levels',
      'Mutation.createUser: at most five levels',
      'Mutation.createUser.name: At most 5 levels',
    ]);
  });

  it('are reported for a bound that differs from the bound of the tied member in openapi.yaml', () => {
    const sdl = SDL.replace('"The currency (ISO 4217)."', '"The currency, at most 3 letters."');
    expect(faultsOf(OPENAPI, sdl)).toEqual([]);
    const other = structuredClone(OPENAPI);
    other.components.schemas.Currency.maxLength = 4;
    expect(faultsOf(other, sdl)).toEqual(['Money.currency: at most 3']);
  });
});
