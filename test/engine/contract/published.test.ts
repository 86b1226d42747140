import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPENAPI_YAML, SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import { OPERATIONS, type Operation } from '../../../src/generated/operations.js';
import { differences, normalForm, type NormalForm } from '../../../testkit/contract/normal-form.js';
import { sdlBreaks, sdlForm, type SdlForm } from '../../../testkit/contract/sdl-form.js';

/**
 * Only version 1 of the contracts is frozen. All other parts may change, but not by mistake. If a part of
 * `published.json` changes, clients may fail. New parts break no client. `npm run record:published` writes the present
 * contracts into the file.
 */
const FILE = new URL('published.json', import.meta.url);

type Node = Record<string, unknown>;
type Costs = Readonly<Record<string, number>>;
type Links = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Published {
  /** The parts of version 2, and the parts without a version. */
  readonly rest: NormalForm;
  /** The cost of each operation of any version, and of each of its parameters, such as `listUsers(email)`. */
  readonly costs: Costs;
  readonly graphql: SdlForm;
  /** The links of pages, by schema. */
  readonly links: Links;
}

const DOCUMENT = parse(OPENAPI_YAML) as Node;
const ROWS: readonly Operation[] = Object.values(OPERATIONS);
const NEW_MEMBER = /^components › schemas\/\w+ › properties › \w+ is new$/;
const REQUIRED = /^components › (schemas\/\w+) › required: (\[.*\]) became (\[.*\])$/;

const formOf = (document: Node): NormalForm =>
  normalForm(document, (path, item) => !path.startsWith('/api/v1') && item['x-version'] !== 'v1');

const costsOf = (rows: readonly Operation[]): Costs =>
  Object.fromEntries(
    rows.flatMap(({ id, cost, query }) => [
      [id, cost],
      ...Object.keys(query?.kinds ?? {}).map((name) => [`${id}(${name})`, query?.costs[name] ?? 0]),
    ]),
  ) as Costs;

/** The changes that may break a client, outside of version 1. A new member of an answer breaks no client. */
function breaks(before: NormalForm, now: NormalForm): string[] {
  const asked = askedFor(now);
  const isFree = (text: string): boolean => {
    if (NEW_MEMBER.test(text)) return true;
    const [, owner, ...lists] = REQUIRED.exec(text) ?? [];
    if (owner === undefined || asked.has(owner)) return false;
    const [old = [], own = []] = lists.map((list) => JSON.parse(list) as string[]);
    const { properties } = before.components[owner] as { properties: object };
    const isMore = old.every((name) => own.includes(name));
    return isMore && own.every((name) => old.includes(name) || !(name in properties));
  };
  return differences(before, now).breaking.filter((text) => !isFree(text));
}

/** The schemas that are part of a request. */
function askedFor({ operations, components }: NormalForm): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"(schemas\/\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(components[name]);
    }
  };
  for (const operation of Object.values(operations) as Node[]) follow(operation['body'] ?? null);
  return found;
}

const linksOf = (document: Node): Links => {
  const { schemas } = document['components'] as { schemas: Record<string, Node> };
  const withLinks = Object.entries(schemas).filter(([, each]) => each['x-links'] !== undefined);
  return Object.fromEntries(withLinks.map(([name, each]) => [name, each['x-links'] as Node]));
};

const linkBreaks = (before: Links, now: Links): string[] =>
  Object.entries(before).flatMap(([schema, links]) =>
    Object.entries(links)
      .filter(([name, link]) => !isDeepStrictEqual(now[schema]?.[name], link))
      .map(([name]) => `the link ${name} of ${schema} is another one`),
  );

const costBreaks = (before: Costs, now: Costs): string[] =>
  Object.entries(before)
    .filter(([name, cost]) => now[name] !== undefined && now[name] !== cost)
    .map(([name, cost]) => `${name} costs ${now[name]} instead of ${cost}`);

/** The contract with this value at this place. The value undefined removes the place. */
function changed(place: readonly string[], value: unknown): NormalForm {
  const document = structuredClone(DOCUMENT);
  const parent = place.slice(0, -1).reduce<Node>((at, name) => at[name] as Node, document);
  if (value === undefined) delete parent[place.at(-1) as string];
  else parent[place.at(-1) as string] = value;
  return formOf(document);
}

const schema = (...rest: string[]) => ['components', 'schemas', ...rest];
const required = (...rest: string[]) => {
  const { components } = DOCUMENT as { components: { schemas: Record<string, { required: string[] }> } };
  return [...(components.schemas[rest[0] as string]?.required ?? []), ...rest.slice(1)];
};

describe('the published contract', () => {
  it('changes only on purpose', async () => {
    const now: Published = {
      rest: formOf(DOCUMENT),
      costs: costsOf(ROWS),
      graphql: sdlForm(SCHEMA_GRAPHQL),
      links: linksOf(DOCUMENT),
    };
    if (process.env['RECORD_PUBLISHED'] === '1') {
      const options = { parser: 'json', ...(await resolveConfig(FILE)) };
      writeFileSync(FILE, await format(JSON.stringify(now), options));
    }
    const before = JSON.parse(readFileSync(FILE, 'utf8')) as Published;
    const faults = [
      ...breaks(before.rest, now.rest),
      ...costBreaks(before.costs, now.costs),
      ...sdlBreaks(before.graphql, now.graphql),
      ...linkBreaks(before.links, now.links),
    ];
    expect(
      faults,
      'A client may fail. If you want this, say it in CHANGELOG.md and run npm run record:published',
    ).toEqual([]);
  });
});

describe('a change of openapi.yaml', () => {
  const now = formOf(DOCUMENT);

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
    expect(breaks(now, changed(place, value))).not.toEqual([]);
  });

  it.each<[string, string[], unknown]>([
    ['a new member of an answer', schema('ProductV2', 'properties', 'colour'), { type: 'string' }],
    ['a new path', ['paths', '/api/v2/teas'], { get: { responses: {}, security: [] } }],
  ])('breaks no client: %s', (_what, place, value) => {
    expect(breaks(now, changed(place, value))).toEqual([]);
  });
});

describe('the cost', () => {
  it('of an existing operation or parameter may not change; the cost of a new one may have any value', () => {
    const now = costsOf(ROWS);
    expect(costBreaks({ listProducts: 1, 'listProducts(q)': 2, listTeas: 3 }, now)).toEqual([
      'listProducts costs 0 instead of 1',
      'listProducts(q) costs 500 instead of 2',
    ]);
    expect(costBreaks({}, now)).toEqual([]);
  });
});

describe('the links of a page', () => {
  it('may get additions, but no existing link may change or be removed', () => {
    const self = { operationId: 'getTea' };
    const fault = ['the link self of Tea is another one'];
    expect(linkBreaks({ Tea: { self } }, { Tea: { self, cup: {} }, Cup: {} })).toEqual([]);
    expect(linkBreaks({ Tea: { self } }, { Tea: { self: { operationId: 'getCup' } } })).toEqual(fault);
    expect(linkBreaks({ Tea: { self } }, { Tea: {} })).toEqual(fault);
    expect(linkBreaks({ Tea: { self } }, {})).toEqual(fault);
    expect(Object.keys(linksOf(DOCUMENT))).toContain('Product');
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
    ['a size', 'assumedSize: 10)', 'assumedSize: 11)', /Order.items: .*assumedSize: 11/],
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
