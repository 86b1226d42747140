import { describe, expect, it } from 'vitest';
import { generate } from '../../tools/codegen.ts';
import { breaking, openapi, sdl, type Tree } from './contracts.ts';

type Change = (api: Tree) => void;
const none: Change = () => undefined;
/** Sets the value at a path below the schemas, such as `Thing properties name`. */
const schema =
  (path: string, value: unknown): Change =>
  (api) => {
    const parts = path.split(' ');
    const last = parts.pop() ?? '';
    const owner = parts.reduce((node, part) => node[part] as Tree, api['components']?.['schemas'] as Tree);
    (owner as Record<string, unknown>)[last] = value;
  };
const operation =
  (path: string, method: string, name: string, value: unknown): Change =>
  (api) => {
    Object.assign(api['paths']?.[path]?.[method] ?? {}, { [name]: value });
  };
const misnamed: Change = (api) =>
  Object.assign(api['paths']?.['/api/v1/things']?.['get']?.['parameters']?.['1']?.['x-graphql-enum'] ?? {}, {
    size: 'SIZE',
  });
const dear: Change = (api) =>
  Object.assign(api['paths']?.['/api/v1/things']?.['get']?.['parameters']?.['1'] ?? {}, { 'x-cost': 5 });
const AT = String.raw`at schema\.graphql:\d+:\d+`;

const TABLE: [what: string, change: Change, from: string, to: string, expected: string][] = [
  ['another cost', dear, '', '', 'the cost is 5 here, but 0 at'],
  ['a type that is missing', schema('Thing x-graphql', 'Thong'), '', '', 'there is no type Thong'],
  [
    'a field that is missing',
    schema('Thing x-graphql', 'Query.thong'),
    '',
    '',
    'there is no type Query.thong',
  ],
  [
    'an operation field that is missing',
    operation('/api/v1/things', 'get', 'x-graphql', 'Query.no'),
    '',
    '',
    'there is no field Query.no',
  ],
  [
    'a member that is missing',
    none,
    '"When." madeAt: DateTime',
    '',
    'made_at is tied to Thing.madeAt, which is not in',
  ],
  [
    'an argument that is missing',
    none,
    '"Use." inUse: Boolean',
    '',
    'in_use is tied to Mutation.createThing.inUse',
  ],
  [
    'a parameter that is missing',
    none,
    '"Order." sort: [ThingSort!] @constraint(maxItems: 2, uniqueItems: true)',
    '',
    'sort is tied to Query.things.sort',
  ],
  [
    'a path parameter that is missing',
    none,
    'thing("Its id." id: ID!)',
    'thing',
    'id is tied to Query.thing.id',
  ],
  [
    'an x-graphql that names a missing field',
    schema('Thing properties name x-graphql', 'Thing.title'),
    '',
    '',
    'name is tied to Thing.title',
  ],
  [
    'the type of an output',
    none,
    '"Name." name: String!\n  "When."',
    '"Name." name: Int!\n  "When."',
    `name: the type is string here, but Int! ${AT}`,
  ],
  [
    'the type of an input',
    none,
    'inUse: Boolean',
    'inUse: String',
    `in_use: the type is boolean here, but String ${AT}`,
  ],
  [
    'an id that is not an ID',
    schema('Thing properties id', { type: 'string' }),
    '',
    '',
    `id: the type is string here, but ID! ${AT}`,
  ],
  [
    'an integer beyond Int',
    none,
    '"Id." id: ID!',
    '"Id." id: Int!',
    `id: the type is integer \\(int64\\) here, but Int! ${AT}`,
  ],
  [
    'a list',
    none,
    'sort: [ThingSort!]',
    'sort: ThingSort',
    `the type is array of string here, but ThingSort ${AT}`,
  ],
  [
    'items that may be null',
    none,
    'sort: [ThingSort!]',
    'sort: [ThingSort]',
    `the type is array of string here, but \\[ThingSort\\] ${AT}`,
  ],
  [
    'a moment',
    none,
    'madeAt: DateTime',
    'madeAt: String!',
    `made_at: it is required and nullable here, but String! ${AT}`,
  ],
  [
    'an output that may be null',
    none,
    '"Name." name: String!\n  "When."',
    '"Name." name: String\n  "When."',
    `name: it is required and never null here, but String ${AT}`,
  ],
  [
    'an output that is never null',
    none,
    'madeAt: DateTime',
    'madeAt: DateTime!',
    'made_at: it is required and nullable here, but DateTime!',
  ],
  [
    'an input that is required',
    none,
    'inUse: Boolean',
    'inUse: Boolean!',
    'in_use: it is optional and never null here, but required',
  ],
  [
    'an input that is optional',
    none,
    'name: String! @c',
    'name: String @c',
    'name: it is required and never null here, but optional',
  ],
  [
    'an input that accepts null',
    schema('ThingCreate properties in_use', { type: ['boolean', 'null'] }),
    'inUse: Boolean',
    'inUse: Boolean! = true',
    'in_use: it is nullable here, but Boolean!',
  ],
  ['a default', none, 'Float = 1.5', 'Float = 2', `size: the default is 1.5 here, but 2 ${AT}`],
  ['a default on one side', none, 'Int = 20', 'Int', `limit: the default is 20 here, but nothing ${AT}`],
  [
    'a required argument that REST does not give',
    none,
    '"Use." inUse',
    '"New." new: String! "Use." inUse',
    `no parameter or member here gives new, which is required ${AT}`,
  ],
  [
    'the range of an id',
    operation('/api/v1/things/{id}', 'get', 'parameters', [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'x',
        schema: { type: 'integer', minimum: 1, maximum: 9 },
      },
    ]),
    '',
    '',
    `id: maximum is 9 here, but 9007199254740991 ${AT}`,
  ],
  [
    'a lower bound',
    none,
    'limit: Int = 20 @constraint(minimum: 1',
    'limit: Int = 20 @constraint(minimum: 2',
    `limit: minimum is 1 here, but 2 ${AT}`,
  ],
  ['an upper bound', none, 'maximum: 100', 'maximum: 99', 'limit: maximum is 100 here, but 99'],
  [
    'a step',
    none,
    'multipleOf: 0.5',
    'multipleOf: 0.25',
    String.raw`size: multipleOf is \[0.5\] here, but \[0.25\]`,
  ],
  ['a length', none, 'maxLength: 20', 'maxLength: 21', 'name: maxLength is 20 here, but 21'],
  ['a shortest length', none, 'minLength: 1, ', '', 'name: minLength is 1 here, but nothing'],
  ['a pattern', none, 'S*$', 'S+$', 'name: pattern is .* here, but .*'],
  [
    'a format',
    schema('ThingCreate properties name format', 'email'),
    '',
    '',
    'name: the format is email here, but nothing',
  ],
  ['a number of items', none, 'maxItems: 2', 'maxItems: 3', 'sort: maxItems is 2 here, but 3'],
  ['unique items', none, ', uniqueItems: true', '', 'sort: uniqueItems is true here, but nothing'],
  [
    'an enum value that REST lacks',
    none,
    '"Down." ID_DESC',
    '"Down." ID_DESC "x" NAME',
    'sort, which is tied to schema\\.graphql:.*: no value here stands for NAME',
  ],
  [
    'an enum value that SDL lacks',
    none,
    '"Down." ID_DESC',
    '',
    'sort, which is tied to schema\\.graphql:.*: the value "-id" is ID_DESC in GraphQL, but the enum has no ID_DESC',
  ],
  [
    'a list instead of one value',
    none,
    '): [Thing!] @public @listSize(slicingArguments: ["limit"])',
    '): Thing @public',
    `the answer is a list here, but Thing ${AT}`,
  ],
  [
    'the access of a public field',
    none,
    '@auth(scopes: ["things:write"]) @cost',
    '@public @cost',
    `the access is things:write here, but public ${AT}`,
  ],
  [
    'the access of a public operation',
    none,
    'thing("Its id." id: ID!): Thing @public',
    'thing("Its id." id: ID!): Thing @auth(scopes: ["things:write", "admin"])',
    `the access is public here, but admin or things:write ${AT}`,
  ],
  [
    'scopes',
    operation('/api/v1/things', 'post', 'security', [{ key: ['things:write', 'admin'] }]),
    '',
    '',
    `the access is admin and things:write here, but things:write ${AT}`,
  ],
  [
    'any credential',
    operation('/api/v1/things', 'post', 'security', [{ key: [] }]),
    '',
    '',
    `the access is any credential here, but things:write ${AT}`,
  ],
  [
    'an owner with another name',
    operation('/api/v1/things', 'post', 'x-owner', 'body.size'),
    'scopes: ["things:write"]',
    'scopes: ["things:write"], owner: "row.id"',
    `the access is things:write or the owner by args.size here, but things:write or the owner by row.id ${AT}`,
  ],
  [
    'an owner of the row with another name in SDL',
    operation('/api/v1/things', 'post', 'x-owner', 'row.made_at'),
    'scopes: ["things:write"]',
    'scopes: ["things:write"], owner: "row.id"',
    `the access is things:write or the owner by row.madeAt here, but things:write or the owner by row.id ${AT}`,
  ],
  [
    'an owner in one contract only',
    operation('/api/v1/things', 'post', 'x-owner', 'row.id'),
    '',
    '',
    `the access is things:write or the owner by row.id here, but things:write ${AT}`,
  ],
  [
    'another type for an answer',
    none,
    'id: ID!): Thing @public',
    'id: ID!): Query @public',
    `the answer is Thing here, but Query ${AT}`,
  ],
];

const UNTIED: [what: string, from: string, to: string, expected: string][] = [
  ['a root field', 'things(', 'thong: Thing @public "Many." things(', 'Query\\.thong'],
  ['a field', '"When." madeAt', '"Its weight." weight: Int "When." madeAt', 'Thing\\.weight'],
  ['an argument', ' @untied(reason: "REST has no moods.")', '', 'Query\\.things\\.mood'],
  ['an enum', '"Orders." enum', '"Colours." enum Colour { "Red." RED } "Orders." enum', 'Colour'],
  [
    'the field of an input',
    '"Orders." enum',
    '"Part." input Part { "Its size." size: Int } "Orders." enum',
    'Part\\.size',
  ],
];

/** Adds the list with cursors to which `CONNECTED` is tied. */
const withSlices: Change = (api) => {
  const list = structuredClone(api['paths']?.['/api/v1/things']?.['get']) as Tree;
  const [limit, sort] = list['parameters'] as unknown as [object, object];
  const cursor = {
    name: 'cursor',
    in: 'query',
    description: 'Where.',
    schema: { type: 'string', minLength: 1, maxLength: 50 },
  };
  const thing = { $ref: '#/components/schemas/Thing' };
  const page = {
    type: 'object',
    required: ['data', 'page'],
    properties: { data: { type: 'array', items: thing }, page: { type: 'string' } },
  };
  const responses = {
    200: { description: 'Things.', content: { 'application/json': { schema: page, example: {} } } },
  };
  const get = { ...list, operationId: 'listThingsV2', parameters: [limit, sort, cursor], responses };
  Object.assign(api['paths'] ?? {}, { '/api/v2/things': { get } });
};
const LAST = '"Orders." enum';
const CONNECTED = `extend type Query { "Slices." thingsConnection(
    "From the beginning." first: Int @constraint(minimum: 1, maximum: 100)
    "Behind." after: String @constraint(minLength: 1, maxLength: 50)
    "From the end." last: Int @constraint(minimum: 1, maximum: 100)
    "Ahead." before: String @constraint(minLength: 1, maxLength: 50)
    "Order." sort: [ThingSort!] @constraint(maxItems: 2, uniqueItems: true)
  ): ThingConnection @public @listSize(slicingArguments: ["first", "last"], sizedFields: ["edges"], assumedSize: 20) }
"Slice." type ThingConnection { "Edges." edges: [ThingEdge!]! @cost(weight: 0) "Info." pageInfo: PageInfo! }
"Edge." type ThingEdge { "Where." cursor: String! "Which." node: Thing! }
"Info." type PageInfo { "More." hasNextPage: Boolean! }
`;
const listV2 = (name: string, value: unknown): Change => operation('/api/v2/things', 'get', name, value);

const CONNECTION: [what: string, change: Change, from: string, to: string, expected: string][] = [
  ['no difference', none, '', '', '^$'],
  [
    'a bound of one direction',
    none,
    'last: Int @constraint(minimum: 1, maximum: 100)',
    'last: Int @constraint(minimum: 1, maximum: 50)',
    `openapi\\.yaml:\\d+ #.*limit: maximum is 100 here, but 50 ${AT}.*last; if both are right, write x-differs: \\{ limit\\.maximum: .* into listThingsV2`,
  ],
  ['the default', none, 'assumedSize: 20', 'assumedSize: 10', `limit: the default is 20 here, but 10 ${AT}`],
  ['a cursor', none, 'maxLength: 50)', 'maxLength: 60)', `cursor: maxLength is 50 here, but 60 ${AT}`],
  ['a sort', none, 'maxItems: 2', 'maxItems: 1', `sort: maxItems is 2 here, but 1 ${AT}`],
  [
    'a filter that is missing',
    none,
    '"Order." sort: [ThingSort!] @constraint(maxItems: 2, uniqueItems: true)',
    '',
    'sort is tied to Query.thingsConnection.sort, which is not in',
  ],
  [
    'a filter that is missing in REST',
    none,
    '"Order." sort',
    '"Colour." colour: String "Order." sort',
    'Query\\.thingsConnection\\.colour: is tied to nothing',
  ],
  [
    'an argument of one of its fields',
    none,
    'cursor: String!',
    'cursor("How." as: String): String!',
    `schema\\.graphql:\\d+:\\d+ ThingEdge\\.cursor\\.as: a field of a connection has no arguments; remove it`,
  ],
  [
    'an exception for one of its fields',
    none,
    'cursor: String!',
    'cursor: String! @untied(reason: "REST has pages.")',
    'ThingEdge\\.cursor: @untied is not needed, because every connection has this field; remove it',
  ],
  [
    'the access',
    none,
    '@public',
    '@auth(scopes: ["things:write"])',
    `the access is public here, but things:write ${AT}`,
  ],
  [
    'the items',
    none,
    'node: Thing!',
    'node: PageInfo!',
    `the answer is Thing here, but ThingConnection ${AT}`,
  ],
  [
    'a written exception',
    listV2('x-differs', { 'limit.maximum': 'The end is read slowly.' }),
    'last: Int @constraint(minimum: 1, maximum: 100)',
    'last: Int @constraint(minimum: 1, maximum: 50)',
    '^$',
  ],
  [
    'an exception without a difference',
    listV2('x-differs', { 'limit.maximum': 'The end is read slowly.' }),
    '',
    '',
    'x-differs names limit\\.maximum, which does not differ',
  ],
  [
    'an exception without a reason',
    listV2('x-differs', { 'limit.maximum': 'slow' }),
    'last: Int @constraint(minimum: 1, maximum: 100)',
    'last: Int @constraint(minimum: 1, maximum: 50)',
    'x-differs must give the reason for limit\\.maximum as a sentence',
  ],
];

const ALONE = '@untied(reason: "REST has no thongs.")';

describe('ties of the two contracts', () => {
  it.each(TABLE)('report a difference: %s', async (_, change, from, to, expected) => {
    await expect(breaking(change, from, to)).resolves.toMatch(
      new RegExp(`openapi\\.yaml:\\d+ #.*${expected}`),
    );
  });

  it('refuse a name in x-graphql-enum that is not a value of the enum', async () => {
    await expect(breaking(misnamed)).resolves.toMatch(
      /x-graphql-enum names "size", which is not one of its values/,
    );
  });

  it.each(UNTIED)('refuse %s that is missing in REST', async (_, from, to, expected) => {
    await expect(breaking(none, from, to)).resolves.toMatch(
      new RegExp(
        `schema\\.graphql:\\d+:\\d+ ${expected}: is tied to nothing in openapi\\.yaml; .*@untied\\(reason: `,
      ),
    );
  });

  it('accept an untied part with its reason', async () => {
    await expect(
      breaking(none, 'things(', `thong("Its id." id: ID!): Thing @public ${ALONE} "Many." things(`),
    ).resolves.toBe('');
    await expect(
      breaking(none, '"Orders." enum', `"Colours." enum Colour ${ALONE} { "Red." RED } "Orders." enum`),
    ).resolves.toBe('');
  });

  it('refuse an exception without a reason, or for a tied part', async () => {
    await expect(breaking(none, '"REST has no moods."', '"Why not"')).resolves.toMatch(
      /Query\.things\.mood: @untied must give its reason as a sentence/,
    );
    await expect(
      breaking(none, 'madeAt: DateTime', 'madeAt: DateTime @untied(reason: "REST has no times.")'),
    ).resolves.toMatch(/Thing\.madeAt: is @untied, but openapi\.yaml is tied to Thing\.madeAt/);
    await expect(breaking(schema('Thing properties made_at x-untied', 'no'))).resolves.toMatch(
      /x-untied can't be string "no"/,
    );
  });

  it.each([
    [
      'an argument of an untied field',
      'things(',
      `thong("Id." id: ID! @untied(reason: "No id is there.")): Thing @public ${ALONE} "Many." things(`,
      'Query.thong.id',
      'Query.thong is @untied',
    ],
    [
      'a field of an untied type',
      '"A thing." type',
      `"A cup." type Cup ${ALONE} { "Id." id: ID! ${ALONE} } "A thing." type`,
      'Cup.id',
      'Cup is @untied',
    ],
    [
      'an argument of a field of an untied type',
      '"A thing." type',
      `"A cup." type Cup ${ALONE} { "Id." id("How." as: String ${ALONE}): ID! } "A thing." type`,
      'Cup.id.as',
      'Cup is @untied',
    ],
  ])('refuse an exception for %s', async (_, from, to, name, reason) => {
    expect(await breaking(none, from, to)).toMatch(
      new RegExp(`schema\\.graphql:\\d+:\\d+ ${name}: @untied is not needed, because ${reason}; remove it`),
    );
  });

  it('refuse @untied on a field if the operation of the same name is not untied', async () => {
    expect(await breaking(none, ': Thing @public', `: Thing @public ${ALONE}`)).toMatch(
      /getThing is named like Query.thing, which is @untied; write x-untied here too, with the reason, or remove @untied there/,
    );
  });

  it('allow a member to be untied, or tied to another name', async () => {
    const untied = schema('Thing properties made_at x-untied', 'GraphQL has no times.');
    await expect(breaking(untied, '"When." madeAt: DateTime', '')).resolves.toBe('');
    const led = schema('Thing properties made_at x-graphql', 'Thing.born');
    await expect(breaking(led, 'madeAt', 'born')).resolves.toBe('');
  });

  it('exist between parts of the same name, even if one name ends with a version', async () => {
    const thing = openapi()['components']?.['schemas']?.['Thing'] ?? {};
    await expect(breaking(schema('ThingV2', thing))).resolves.toBe('');
    await expect(
      breaking(
        schema('ThingV2', { ...thing, properties: { ...thing['properties'], name: { type: 'boolean' } } }),
      ),
    ).resolves.toMatch(/name: the type is boolean here, but String!/);
  });

  it.each(CONNECTION)('compare a connection with its list: %s', async (_, change, from, to, expected) => {
    const all = (api: Tree): void => {
      withSlices(api);
      change(api);
    };
    const found = await breaking(all, LAST, `${CONNECTED.replace(from, () => to)}${LAST}`);
    expect(CONNECTED).toContain(from);
    expect(found).toMatch(new RegExp(expected));
  });

  it('can tie the members of a schema that is not tied itself', async () => {
    const stock = {
      type: 'object',
      required: ['left'],
      properties: { left: { type: 'string', 'x-graphql': 'Thing.name' } },
    };
    await expect(breaking(schema('Stock', stock))).resolves.toBe('');
    const wrong = { ...stock, properties: { left: { type: 'boolean', 'x-graphql': 'Thing.name' } } };
    await expect(breaking(schema('Stock', wrong))).resolves.toMatch(
      /left: the type is boolean here, but String!/,
    );
  });

  it('give the enums of GraphQL the values of REST', async () => {
    const files = await generate(JSON.stringify(openapi()), sdl());
    expect(files.get('graphql.ts')).toMatch(/ThingSort: \{ ID_ASC: 'id', ID_DESC: '-id' \}/);
    expect(files.get('dto.ts')).toMatch(/class QueryThingsArgs[\s\S]*oneOf\('id', '-id'\)/);
  });

  it('take the message of a pattern from REST', async () => {
    const api = openapi();
    Object.assign(api['components']?.['schemas']?.['ThingCreate']?.['properties']?.['name'] ?? {}, {
      'x-message': 'must have no blanks',
    });
    const dto = (await generate(JSON.stringify(api), sdl())).get('dto.ts');
    expect(dto?.match(/pattern\(\/\^\\S\*\$\/u, 'must have no blanks'\)/g)).toHaveLength(2);
  });

  it('leave null out of the types of arguments, because null counts as not given, or is refused', async () => {
    const dto = (await generate(JSON.stringify(openapi()), sdl())).get('dto.ts');
    expect(dto).toMatch(/limit!: number;/);
    expect(dto).toMatch(/inUse\?: boolean;/);
    expect(dto).toMatch(/mood\?: string;/);
  });
});
