import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse as parseSdl } from 'graphql';
import { parse } from 'yaml';
import { applied, type Candidates } from '../../prove/mutants/edit.js';
import { equivalenceOf } from '../../prove/mutants/equivalence.js';
import {
  candidatesOf,
  mutantsOf,
  titleOf,
  type Contracts,
  type Mutant,
} from '../../prove/mutants/mutants.js';
import { openapiCandidates } from '../../prove/mutants/openapi.js';
import { lineOf, listOf, tableOf, type Judged } from '../../prove/mutants/report.js';
import { sdlCandidates } from '../../prove/mutants/sdl.js';
import { onlyLong } from '../support/sampled.js';

const OPENAPI = `openapi: 3.1.0
paths:
  /teas:
    get:
      operationId: listTeas
      x-cost: 10
      description: Teas.
      security: [{ apiKey: [admin] }, { jwt: [admin] }]
      x-owner: path.id
      parameters:
        - $ref: '#/components/parameters/Page'
      responses:
        '200':
          description: The teas.
          headers:
            ETag: { $ref: '#/components/headers/ETag' }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Tea' }
        '404': { $ref: '#/components/responses/NotFound' }
        default: { $ref: '#/components/responses/Error' }
components:
  securitySchemes:
    apiKey: { type: apiKey, x-scopes: [admin, teas] }
  parameters:
    Page:
      name: page
      in: query
      schema: { type: integer, format: int32, minimum: 1, maximum: 2147483647, default: 1 }
    Sort: { name: sort, in: query, explode: true, schema: { type: string, enum: [id, name] } }
  headers:
    ETag: { schema: { type: string } }
    Link: { schema: { type: string } }
  schemas:
    Tea:
      type: object
      x-entity: Tea
      x-graphql: Tea
      required: [id, name]
      properties:
        id: { type: integer }
        name:
          type: string
          minLength: 1
          maxLength: 20
          pattern: '^[a-z]+$'
          description: The name.
        note: { type: [string, 'null'], uniqueItems: false }
    Cup: { type: boolean }
`;

const SDL = `"Reads."
type Query {
  "Teas."
  teas("The number." limit: Int! = 20 @constraint(minimum: 1, maximum: 100), "Text." q: String @cost(weight: 5)): [Tea!]
    @auth(scopes: ["teas"], owner: "row.id")
    @listSize(slicingArguments: ["limit"], assumedSize: 20)
}
"A tea."
type Tea {
  "The id."
  id: ID!
  "The kind."
  kind: Kind
}
"A kind."
enum Kind {
  "It is green."
  GREEN
  "It is black."
  BLACK
}
`;

/** Contracts with an argument of a directive that is an enum value, null, a boolean, a list or an object. */
const directed = (type: string, value: string): Contracts => ({
  openapi: OPENAPI,
  sdl: `enum M { A B } input I { a: Int, b: Int } directive @x(v: ${type}) on FIELD_DEFINITION
    type Query { a: Int @x(v: ${value}) }`,
});

const SMALL = { openapi: OPENAPI, sdl: SDL };
const REAL = {
  openapi: readFileSync('openapi.yaml', 'utf8'),
  sdl: readFileSync('schema.graphql', 'utf8'),
};

const titles = (seed: number) => mutantsOf(SMALL, seed, 30).map(titleOf);
const openapi = (before: string, now: string) => ({ sdl: SDL, openapi: OPENAPI.replace(before, () => now) });
const sdl = (before: string, now: string) => ({ openapi: OPENAPI, sdl: SDL.replace(before, () => now) });

/** The text after the change with this operator, place and description. */
function mutated(
  text: string,
  candidates: Candidates,
  operator: string,
  place: string,
  what: string,
): string {
  const own = candidates[operator]?.find((each) => each.place === place && each.what === what);
  const known = candidates[operator]?.map((each) => `${each.place}: ${each.what}`).join('\n');
  if (!own) throw new Error(`There is no such change. There are:\n${known}`);
  return applied(text, own.edit);
}

describe('a change of openapi.yaml', () => {
  const candidates = openapiCandidates(OPENAPI);

  it.each<[string, string, string, string[], unknown]>([
    [
      'types',
      'Tea.id',
      'type: integer → number',
      ['components', 'schemas', 'Tea', 'properties', 'id', 'type'],
      'number',
    ],
    [
      'types',
      'listTeas 200 content application/json schema',
      '$ref: Tea → Cup',
      ['paths', '/teas', 'get', 'responses', '200', 'content', 'application/json', 'schema', '$ref'],
      '#/components/schemas/Cup',
    ],
    [
      'bounds',
      'Tea.name',
      'maxLength: 20 → 21',
      ['components', 'schemas', 'Tea', 'properties', 'name', 'maxLength'],
      21,
    ],
    [
      'bounds',
      'Tea.name',
      'maxLength: 20 is gone',
      ['components', 'schemas', 'Tea', 'properties', 'name', 'maxLength'],
      undefined,
    ],
    [
      'bounds',
      'Tea.name',
      'pattern: without $ at its end',
      ['components', 'schemas', 'Tea', 'properties', 'name', 'pattern'],
      '^[a-z]+',
    ],
    ['required', 'Tea', 'required: without id', ['components', 'schemas', 'Tea', 'required'], ['name']],
    [
      'required',
      'Tea',
      'required: with note',
      ['components', 'schemas', 'Tea', 'required'],
      ['note', 'id', 'name'],
    ],
    [
      'required',
      'parameters/Page',
      'required: true is new',
      ['components', 'parameters', 'Page', 'required'],
      true,
    ],
    [
      'nullability',
      'Tea.note',
      "type: [string, 'null'] → string",
      ['components', 'schemas', 'Tea', 'properties', 'note', 'type'],
      'string',
    ],
    [
      'nullability',
      'Tea.id',
      "type: integer → [integer, 'null']",
      ['components', 'schemas', 'Tea', 'properties', 'id', 'type'],
      ['integer', 'null'],
    ],
    ['statuses', 'listTeas', '404 is gone', ['paths', '/teas', 'get', 'responses', '404'], undefined],
    ['statuses', 'listTeas', '200 → 202', ['paths', '/teas', 'get', 'responses', '200'], undefined],
    [
      'headers',
      'listTeas 200',
      'ETag is gone',
      ['paths', '/teas', 'get', 'responses', '200', 'headers'],
      undefined,
    ],
    [
      'headers',
      'listTeas 200',
      'Link is new',
      ['paths', '/teas', 'get', 'responses', '200', 'headers', 'Link', '$ref'],
      '#/components/headers/Link',
    ],
    [
      'scopes',
      'listTeas',
      'security: without jwt',
      ['paths', '/teas', 'get', 'security'],
      [{ apiKey: ['admin'] }],
    ],
    [
      'scopes',
      'listTeas',
      'security: jwt with teas instead of admin',
      ['paths', '/teas', 'get', 'security', '1'],
      { jwt: ['teas'] },
    ],
    ['owners', 'listTeas', 'x-owner: path.id → row.id', ['paths', '/teas', 'get', 'x-owner'], 'row.id'],
    [
      'enums',
      'parameters/Sort.schema',
      'enum: without id',
      ['components', 'parameters', 'Sort', 'schema', 'enum'],
      ['name'],
    ],
    [
      'defaults',
      'parameters/Page.schema',
      'default: 1 → 2',
      ['components', 'parameters', 'Page', 'schema', 'default'],
      2,
    ],
    ['costs', 'listTeas', 'x-cost: 10 → 11', ['paths', '/teas', 'get', 'x-cost'], 11],
    ['ties', 'Tea', 'x-graphql: Tea is gone', ['components', 'schemas', 'Tea', 'x-graphql'], undefined],
    ['members', 'Tea', 'note is gone', ['components', 'schemas', 'Tea', 'properties', 'note'], undefined],
    [
      'members',
      'Tea',
      'id → colour',
      ['components', 'schemas', 'Tea', 'properties', 'colour'],
      { type: 'integer' },
    ],
    ['parameters', 'listTeas', 'Page is gone', ['paths', '/teas', 'get', 'parameters'], undefined],
    [
      'parameters',
      'parameters/Sort',
      'in: query → header',
      ['components', 'parameters', 'Sort', 'in'],
      'header',
    ],
    ['extensions', 'Tea', 'x-entity is gone', ['components', 'schemas', 'Tea', 'x-entity'], undefined],
  ])('of the kind %s is made at %s: %s', (operator, place, what, path, value) => {
    const document = parse(mutated(OPENAPI, candidates, operator, place, what)) as unknown;
    const found = path.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
    expect(found).toEqual(value);
  });
});

describe('a change of schema.graphql', () => {
  const candidates = sdlCandidates(SDL);

  it.each<[string, string, string, string]>([
    ['types', 'Tea.id', 'type: ID → String', 'id: String!'],
    ['nullability', 'Tea.id', 'ID! → ID', 'id: ID\n'],
    ['nullability', 'Query.teas', 'Tea! → Tea', '[Tea]'],
    ['required', 'Query.teas(limit:)', 'Int! → Int', 'limit: Int ='],
    ['bounds', 'Query.teas(limit:)', 'maximum: 100 → 99', 'maximum: 99)'],
    ['costs', 'Query.teas(q:)', '@cost weight: 5 → 6', 'weight: 6)'],
    ['costs', 'Tea.kind', '@cost(weight: 7) is new', 'kind: Kind @cost(weight: 7)'],
    ['scopes', 'Query.teas', '@auth → @public', ']\n    @public'],
    ['owners', 'Query.teas', 'owner: row.id → args.id', 'owner: "args.id"'],
    ['list sizes', 'Query.teas', '@listSize assumedSize: 20 → 21', 'assumedSize: 21'],
    ['defaults', 'Query.teas(limit:)', 'default: 20 → 21', 'Int! = 21'],
    ['defaults', 'Query.teas(limit:)', 'default: 20 is gone', 'Int! @constraint'],
    ['arguments', 'Query.teas(q:)', 'q → colour', 'colour: String'],
    ['arguments', 'Query.teas', 'the argument colour is new', 'teas("The colour." colour: String'],
    ['ties', 'Tea.id', '@untied is new', 'id: ID! @untied(reason'],
    ['members', 'Tea.kind', 'is gone', 'id: ID!\n  \n}'],
    ['enums', 'Kind', 'BLACK is gone', 'GREEN\n  \n}'],
  ])('of the kind %s is made at %s: %s', (operator, place, what, text) => {
    expect(mutated(SDL, candidates, operator, place, what)).toContain(text);
  });
});

it('the changes of default values do not include the response `default`', () => {
  const places = openapiCandidates(OPENAPI)['defaults']?.map(({ place }) => place);
  expect(places).toContain('parameters/Page.schema');
  expect(places).not.toContain('listTeas');
});

describe('the mutants', () => {
  it('are the same for the same seed, and differ for another seed', () => {
    expect(titles(1)).toEqual(titles(1));
    expect(titles(1)).not.toEqual(titles(2));
    expect(new Set(titles(1)).size).toBe(30);
  });

  it('are of every kind, and of both contracts', () => {
    const found = mutantsOf(REAL, 1, 300);
    const kinds = new Set(candidatesOf(REAL).flatMap(([, candidates]) => Object.keys(candidates)));
    expect(new Set(found.map(({ operator }) => operator))).toEqual(kinds);
    expect(kinds.size).toBeGreaterThanOrEqual(17);
    expect(new Set(found.map(({ file }) => file)).size).toBe(2);
  });

  it('differ from the contracts, and can be parsed', onlyLong, () => {
    for (const { contracts } of mutantsOf(REAL, 2, 5)) {
      expect(contracts).not.toEqual(REAL);
      expect(parse(contracts.openapi)).toHaveProperty('paths');
      expect(() => parseSdl(contracts.sdl)).not.toThrow();
    }
  });

  it('report a line above which nothing is changed', () => {
    for (const { file, line, contracts } of mutantsOf(SMALL, 3, 40)) {
      const [before, now] = file === 'openapi.yaml' ? [OPENAPI, contracts.openapi] : [SDL, contracts.sdl];
      expect(before.split('\n').slice(0, line - 1)).toEqual(now.split('\n').slice(0, line - 1));
    }
  });
});

describe('two texts of the contracts', () => {
  it.each([
    ['another description', openapi('The teas.', 'All teas.'), /words/],
    [
      'the words of an error',
      openapi(
        "          pattern: '^[a-z]+$'\n",
        "          pattern: '^[a-z]+$'\n          x-message: must be small\n",
      ),
      /words/,
    ],
    [
      'the words of a form',
      openapi(
        "          pattern: '^[a-z]+$'\n",
        "          pattern: '^[a-z]+$'\n          x-hint: in small letters\n",
      ),
      /words/,
    ],
    ['another order of a list', openapi('required: [id, name]', 'required: [name, id]'), /order/],
    ['another order of the scopes', openapi('x-scopes: [admin, teas]', 'x-scopes: [teas, admin]'), /order/],
    ['the removal of uniqueItems: false', openapi(', uniqueItems: false', ''), /has by default/],
    ['the removal of explode: true', openapi(' explode: true,', ''), /has by default/],
    ['the removal of a bound that the format has too', openapi(' maximum: 2147483647,', ''), /follows/],
    ['the removal of a length that the pattern has too', openapi('          minLength: 1\n', ''), /follows/],
    ['another description in the SDL', sdl('A tea.', 'Tea.'), /words/],
    ['null as a new default', sdl('q: String', 'q: String = null'), /words|without/],
  ])('are equivalent if they differ only by %s', (_what, other, reason) => {
    expect(other).not.toEqual(SMALL);
    expect(equivalenceOf(SMALL, other)).toMatch(reason);
  });

  it.each<[string, Contracts, Contracts?]>([
    ['another bound', openapi('maxLength: 20', 'maxLength: 21')],
    ['a bound within the format', openapi('maximum: 2147483647', 'maximum: 2147483646')],
    ['a pattern that accepts the empty text', openapi("pattern: '^[a-z]+$'\n", "pattern: '^[a-z]*$'\n")],
    ['the removal of one required member', openapi('required: [id, name]', 'required: [name]')],
    ['another name of a parameter', openapi('page\n', 'pages\n')],
    [
      'the removal of explode: true from a header, where it is not the default',
      openapi('in: query, explode: true,', 'in: header,'),
      openapi('in: query,', 'in: header,'),
    ],
    ['another enum value of a directive', directed('M', 'B'), directed('M', 'A')],
    ['null for an enum value of a directive', directed('M', 'null'), directed('M', 'A')],
    ['another boolean of a directive', directed('Boolean', 'false'), directed('Boolean', 'true')],
    ['a number for a boolean of a directive', directed('Int', '1'), directed('Int', 'true')],
    ['an enum value in a list of a directive', directed('[M]', '[B]'), directed('[M]', '[A]')],
    ['a member of an object of a directive', directed('I', '{ b: 1 }'), directed('I', '{ a: 1 }')],
    ['another cost', sdl('weight: 5', 'weight: 6')],
    ['another default', sdl('= 20', '= 21')],
    ['another type', sdl('id: ID!', 'id: ID')],
    ['a fault by which the OpenAPI text cannot be read', openapi('paths:', 'paths: [')],
    ['a fault by which the SDL cannot be read', sdl('type Tea', 'typ Tea')],
  ])('are not equivalent if they differ by %s', (_what, other, before = SMALL) => {
    expect(other).not.toEqual(before);
    expect(equivalenceOf(before, other)).toBeNull();
  });

  it('that differ by a mutant are equivalent only for a few known kinds of mutants', () => {
    const same = mutantsOf(SMALL, 4, 400).filter(({ contracts }) => equivalenceOf(SMALL, contracts) !== null);
    for (const mutant of same) expect(titleOf(mutant)).toMatch(/minLength|maximum|uniqueItems|explode/);
    expect(same.length).toBeGreaterThan(0);
  });
});

describe('the report', () => {
  const [first, second, third] = mutantsOf(SMALL, 1, 3) as [Mutant, Mutant, Mutant];
  const all: Judged[] = [
    {
      mutant: { ...first, operator: 'bounds' },
      verdict: { kind: 'noticed', by: 'codegen', line: 'It says no.' },
    },
    { mutant: { ...second, operator: 'bounds' }, verdict: { kind: 'hole' } },
    { mutant: { ...third, operator: 'ties' }, verdict: { kind: 'equivalent', reason: 'it says the same' } },
  ];

  it('counts each kind of change by the stage that noticed it', () => {
    expect(tableOf(all, ['codegen', 'suite'])).toBe(
      [
        '        codegen  suite  equivalent  hole  all',
        'bounds        1                        1    2',
        'ties                             1          1',
        'all           1                  1     1    3',
      ].join('\n'),
    );
  });

  it('lists the holes', () => {
    expect(listOf(all, 'hole', 'Holes')).toBe(`\nHoles:\n  2. ${titleOf(second)}: HOLE\n`);
    expect(listOf([], 'hole', 'Holes')).toBe('');
  });

  it('names the stage that noticed a change, and the reason why another change is equivalent', () => {
    expect(all.map(lineOf)).toEqual([
      `1. ${titleOf(first)}: noticed by codegen: It says no.`,
      `2. ${titleOf(second)}: HOLE`,
      `3. ${titleOf(third)}: equivalent, because it says the same`,
    ]);
  });
});
