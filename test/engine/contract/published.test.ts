import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import { OPERATIONS, type Operation } from '../../../src/generated/operations.js';
import type { NormalForm } from '../../../testkit/contract/normal-form.js';
import {
  costBreaks,
  costsOf,
  linkBreaks,
  linksOf,
  publishedBreaks,
  publishedForm,
  restBreaks,
  restForm,
  type Published,
} from '../../../testkit/contract/recorded.js';
import { sdlBreaks, sdlForm } from '../../../testkit/contract/sdl-form.js';
import { OPENAPI } from '../../support/fixtures/openapi.js';

/**
 * Only version 1 of the contracts is frozen. All other parts may change, but not by mistake. If a part of
 * `published.json` changes, clients may fail. New parts break no client, but they must be recorded too: otherwise later
 * changes of them are not noticed. `npm run record:published` writes the present contracts into the file.
 */
const FILE = new URL('published.json', import.meta.url);

type Node = Record<string, unknown>;

const ROWS: readonly Operation[] = Object.values(OPERATIONS);

/** The contract with this value at this place. The value `undefined` removes the place. */
function changed(place: readonly string[], value: unknown): NormalForm {
  const document = structuredClone(OPENAPI);
  const parent = place.slice(0, -1).reduce<Node>((at, name) => at[name] as Node, document);
  if (value === undefined) delete parent[place.at(-1) as string];
  else parent[place.at(-1) as string] = value;
  return restForm(document);
}

const schema = (...rest: string[]) => ['components', 'schemas', ...rest];
const required = (...rest: string[]) => {
  const { components } = OPENAPI as { components: { schemas: Record<string, { required: string[] }> } };
  return [...(components.schemas[rest[0] as string]?.required ?? []), ...rest.slice(1)];
};

describe('the published contract', () => {
  // The parts have the same form as if they were read from the file.
  const now = JSON.parse(JSON.stringify(publishedForm(OPENAPI, SCHEMA_GRAPHQL))) as Published;

  it('has no unrecorded change that could break a client', async () => {
    if (process.env['RECORD_PUBLISHED'] === '1') {
      const options = { parser: 'json', ...(await resolveConfig(FILE)) };
      writeFileSync(FILE, await format(JSON.stringify(now), options));
    }
    const before = JSON.parse(readFileSync(FILE, 'utf8')) as Published;
    expect(
      publishedBreaks(before, now),
      'A client may fail. If the change is intended, describe it in CHANGELOG.md and run npm run record:published',
    ).toEqual([]);
  });

  it('is recorded with all its parts', () => {
    const before = JSON.parse(readFileSync(FILE, 'utf8')) as Published;
    expect(before, 'The record lacks new parts. Run npm run record:published').toEqual(now);
  });
});

describe('a change of openapi.yaml', () => {
  const now = restForm(OPENAPI);

  it.each<[string, string[], unknown]>([
    ['another bound', ['components', 'parameters', 'PageCursor', 'schema', 'maxLength'], 5],
    ['a member that may be absent', schema('ProductV2', 'required'), ['id']],
    ['another value of an enum', schema('EventEntity', 'enum'), ['product']],
    [
      'a member that must be given',
      schema('ProductCreateV2', 'required'),
      required('ProductCreateV2', 'description'),
    ],
    ['a member of Health that may be absent', schema('Health', 'required'), []],
    ['a removed operation', ['paths', '/api/v2/products', 'post'], undefined],
  ])('is found: %s', (_what, place, value) => {
    expect(restBreaks(now, changed(place, value))).not.toEqual([]);
  });

  it.each<[string, string[], unknown]>([
    ['a new member of an answer', schema('ProductV2', 'properties', 'colour'), { type: 'string' }],
    ['a new path', ['paths', '/api/v2/teas'], { get: { responses: {}, security: [] } }],
  ])('breaks no client: %s', (_what, place, value) => {
    expect(restBreaks(now, changed(place, value))).toEqual([]);
  });
});

describe('the cost', () => {
  it('of an existing operation or parameter must not change; a new operation or parameter may have any cost', () => {
    const now = costsOf(OPENAPI);
    expect(costBreaks({ listProducts: 1, 'listProducts(q)': 2, listTeas: 3 }, now)).toEqual([
      'listProducts costs 0 instead of 1',
      'listProducts(q) costs 500 instead of 2',
    ]);
    expect(costBreaks({}, now)).toEqual([]);
  });

  it('is the same in the generated rows as in openapi.yaml', () => {
    const rows = ROWS.flatMap(({ id, cost, query }) => [
      [id, cost],
      ...Object.keys(query?.kinds ?? {}).map((name) => [`${id}(${name})`, query?.costs[name] ?? 0]),
    ]);
    expect(Object.fromEntries(rows)).toEqual(costsOf(OPENAPI));
  });
});

describe('the links of a page', () => {
  it('may get additions, but no existing link may change or be removed', () => {
    const self = { operationId: 'getTea' };
    const fault = ['the link self of Tea has changed'];
    expect(linkBreaks({ Tea: { self } }, { Tea: { self, cup: {} }, Cup: {} })).toEqual([]);
    expect(linkBreaks({ Tea: { self } }, { Tea: { self: { operationId: 'getCup' } } })).toEqual(fault);
    expect(linkBreaks({ Tea: { self } }, { Tea: {} })).toEqual(fault);
    expect(linkBreaks({ Tea: { self } }, {})).toEqual(fault);
    expect(Object.keys(linksOf(OPENAPI))).toContain('Product');
  });
});

describe('a change of the SDL', () => {
  const now = sdlForm(SCHEMA_GRAPHQL);

  it.each<[string, string | RegExp, string, RegExp]>([
    ['a removed field', /"The currency[^"]*"\s*currency: String!/, '', /Money.currency is gone/],
    ['another type', 'version: Int!', 'version: Float!', /Product.version: Int! became Float!/],
    ['a field that may be null', 'amount: SafeInt!', 'amount: SafeInt', /SafeInt! became SafeInt/],
    ['a default', 'page: Int = 1 ', 'page: Int = 2 ', /Query.\w+\(page:\): Int = 1 .* became/],
    ['a bound', 'maximum: 10000)', 'maximum: 10001)', /OrderItemInput.quantity: .*10001/],
    ['a cost', '@cost(weight: 500)', '@cost(weight: 501)', /weight: 501/],
    [
      'a size',
      'OrderItem!]! @listSize(assumedSize: 10)',
      'OrderItem!]! @listSize(assumedSize: 11)',
      /Order.items: .*assumedSize: 11/,
    ],
    [
      'a scope',
      'scopes: ["users:read"], owner: "args.id"',
      'scopes: ["admin"], owner: "args.id"',
      /Query.user: /,
    ],
    ['a value of an enum', 'enum OrderSort {', 'enum OrderSort { "New." TOTAL_ASC', /enum .* became .*TOTAL/],
    ['an argument that must be given', 'product(', 'product("New." colour: String! ', /must be given/],
    [
      'a member that must be given',
      'input OrderItemInput {',
      'input OrderItemInput { "New." colour: String!',
      /must/,
    ],
  ])('is found: %s', (_what, before, other, fault) => {
    const text = SCHEMA_GRAPHQL.replace(before, other);
    expect(text).not.toBe(SCHEMA_GRAPHQL);
    expect(sdlBreaks(now, sdlForm(text)).join('\n')).toMatch(fault);
  });

  it.each<[string, string, string]>([
    ['a new field', 'type Money {', 'type Money { "New." text: String!'],
    ['a new argument', 'product(', 'product("New." colour: String '],
    ['a new argument with a default', 'product(', 'product("New." colour: String! = "red" '],
    [
      'a new type with an input',
      'input OrderItemInput {',
      'input Tea { "New." id: ID! } input OrderItemInput {',
    ],
    ['another order', '@constraint(minimum: 1, maximum: 10000)', '@constraint(maximum: 10000, minimum: 1)'],
    ['a reason for a missing tie', 'currency: String!', 'currency: String! @untied(reason: "New.")'],
    ['null as a default', 'status: OrderStatus @cost', 'status: OrderStatus = null @cost'],
  ])('breaks no client: %s', (_what, before, other) => {
    const text = SCHEMA_GRAPHQL.replace(before, other);
    expect(text).not.toBe(SCHEMA_GRAPHQL);
    expect(sdlBreaks(now, sdlForm(text))).toEqual([]);
  });
});
