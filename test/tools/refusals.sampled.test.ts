import { describe, expect, it } from 'vitest';
import { breaking, faultsOf, openapi, sdl, type Tree } from './contracts.ts';
import { sampled } from '../support/sampled.js';

/** Replaces the schema of the member `size` of a request body. */
const size =
  (schema: unknown) =>
  (api: Tree): void => {
    const create = api['components']?.['schemas']?.['ThingCreate'];
    const properties = create?.['properties'] as Record<string, unknown> | undefined;
    if (properties !== undefined)
      properties['size'] = { 'x-untied': 'Only REST has it.', ...(schema as object) };
  };
/** Sets a value at a path such as `paths /api/v1/things get security`; undefined removes it. */
const put =
  (path: string, value?: unknown) =>
  (api: Tree): void => {
    const parts = path.split(' ');
    const last = parts.pop() ?? '';
    const owner = parts.reduce((node, part) => node[part] as Tree, api) as Record<string, unknown>;
    if (value === undefined) Reflect.deleteProperty(owner, last);
    else owner[last] = value;
  };
const NUMBER = { type: 'integer', format: 'int64', minimum: 1 };
const LIST = 'paths /api/v1/things get';
const SCHEMAS = 'components schemas';

/** Adds a link from a thing to an operation. */
const link = (operationId: unknown, parameters: object): ((api: Tree) => void) =>
  put(`${SCHEMAS} Thing x-links`, { other: { operationId, parameters } });

/** Says that a member of a body holds the id of a row. */
const refers = (reference: object): ((api: Tree) => void) => size({ ...NUMBER, 'x-refers': reference });

const REST: [what: string, change: (api: Tree) => void, expected: RegExp][] = [
  [
    'an unknown keyword',
    size({ type: 'number', contentEncoding: 'x' }),
    /#\/components.*size\/contentEncoding: the keyword contentEncoding is not supported/,
  ],
  ['a keyword of the wrong type', size({ type: 'string', minLength: '3' }), /minLength can't be string "3"/],
  ['a keyword for another type', size({ type: 'string', minimum: 3 }), /minimum does not apply to a string/],
  [
    'a broken pattern',
    size({ type: 'string', pattern: '(' }),
    /the pattern "\(" is not a regular expression/,
  ],
  [
    'a slow pattern',
    size({ type: 'string', pattern: '^ *\\s*$' }),
    /« \*» and «\\s\*» can share the same text/,
  ],
  [
    'a pattern with nested repetitions',
    size({ type: 'string', pattern: '(?:a+)+$' }),
    /takes more than linear time: «a\+» can/,
  ],
  ['an unknown format', size({ type: 'string', format: 'ipv9' }), /format can't be string "ipv9"/],
  [
    'a format for another type',
    size({ type: 'string', format: 'int32' }),
    /the format int32 does not apply to a string/,
  ],
  [
    'a link to an unknown operation',
    link('getNothing', {}),
    /the link other of Thing must name the operationId of a GET/,
  ],
  ['a link to a change', link('createThing', {}), /must name the operationId of a GET, not createThing/],
  ['a link without a value', link('getThing', {}), /must give the path parameter id of getThing/],
  ['an unknown link parameter', link('listThings', { x: 'id' }), /gives x, which listThings does not take/],
  ['an unknown link member', link('getThing', { id: 'x' }), /names the member x, which does not exist/],
  ['a link with a number as operationId', link(7, {}), /x-links can't be object/],
  [
    'a unique value in a schema that is no entity',
    put(`${SCHEMAS} ThingCreate x-unique`, { EMAIL_TAKEN: ['name'] }),
    /ThingCreate\/x-unique: x-unique needs x-entity beside it.*: x-unique: \{ EMAIL_TAKEN: \[email\] \}/,
  ],
  [
    'a unique member that does not exist',
    put(`${SCHEMAS} Thing x-unique`, { EMAIL_TAKEN: ['nmae'] }),
    /x-unique names nmae, which is not a member; the members are id, name, made_at/,
  ],
  [
    'a unique value with the code of another status',
    put(`${SCHEMAS} Thing x-unique`, { NOT_FOUND: ['name'] }),
    /names NOT_FOUND, which is no code with the status 409; it can be PATCH_CONFLICT, EMAIL_TAKEN/,
  ],
  [
    'a unique value with a new code: the fault says where to add the code, and what to write there',
    put(`${SCHEMAS} Thing x-unique`, { THING_NAME_TAKEN: ['name'] }),
    /add it at src\/engine\/errors\/problem-kinds\.ts:1\d\d, as THING_NAME_TAKEN: conflict\('Thing name taken'/,
  ],
  [
    'a unique value without a documented 409',
    put(`${SCHEMAS} Thing x-unique`, { EMAIL_TAKEN: ['name'] }),
    /createThing can answer 409 with EMAIL_TAKEN, but does not document it: '409': \{ \$ref/,
  ],
  [
    'a unique value without members',
    put(`${SCHEMAS} Thing x-unique`, { EMAIL_TAKEN: [] }),
    /x-unique can't be/,
  ],
  [
    'a reference to an unknown entity',
    refers({ entity: 'Thnig', code: 'UNKNOWN' }),
    /x-refers names the entity Thnig, which no operation makes; it can be Thing: x-refers: \{ entity: Product/,
  ],
  [
    'a reference with an unknown code',
    refers({ entity: 'Thing', code: 'GONE' }),
    /names GONE, which is no code with the status 404 or 409; it can be UNKNOWN, NOT_FOUND, /,
  ],
  [
    'a reference whose 404 is not documented',
    refers({ entity: 'Thing', code: 'NOT_FOUND' }),
    /createThing answers 404 when there is no Thing, but does not document it/,
  ],
  [
    'a body of a media type that the service does not read',
    put('paths /api/v1/things post requestBody content text/csv', {
      schema: { $ref: '#/components/schemas/ThingCreate' },
    }),
    /text\/csv: the service reads no body of this media type; it can be application\/json, /,
  ],
  [
    'an id of a row without x-refers',
    put(`${SCHEMAS} ThingCreate properties thing_id`, { ...NUMBER, 'x-untied': 'Only REST has it.' }),
    /thing_id holds the id of Thing, so it needs x-refers: x-refers: \{ entity: Thing, code: UNKNOWN \}/,
  ],
  [
    'ids of rows without x-refers',
    put(`${SCHEMAS} ThingCreate properties thing_ids`, {
      type: 'array',
      maxItems: 3,
      items: NUMBER,
      'x-untied': 'Only REST has it.',
    }),
    /thing_ids holds the id of Thing, so it needs x-refers/,
  ],
  [
    'a tree of rows of two kinds',
    refers({ entity: 'Part', code: 'UNKNOWN', levels: 3 }),
    /x-refers has levels, but createThing makes a row of Thing, not of Part/,
  ],
  [
    'a tree of one level',
    refers({ entity: 'Thing', code: 'UNKNOWN', levels: 1 }),
    /x-refers can't be object/,
  ],
  [
    'an example of a new row that needs another row of its kind',
    (api) => {
      refers({ entity: 'Thing', code: 'UNKNOWN' })(api);
      put(`${SCHEMAS} ThingCreate examples`, [{ name: 'x', size: 1 }])(api);
    },
    /examples\/0\/size: in the example of createThing, size refers to another Thing, so no test could make the first row; write null/,
  ],
  [
    'references to one entity with two codes for a row that may not be deleted',
    (api) => {
      refers({ entity: 'Thing', code: 'UNKNOWN', keeps: 'USER_HAS_ORDERS' })(api);
      put(`${SCHEMAS} ThingCreate properties other`, {
        ...NUMBER,
        'x-refers': { entity: 'Thing', code: 'UNKNOWN', keeps: 'OUT_OF_STOCK' },
      })(api);
    },
    /x-refers has keeps: OUT_OF_STOCK, but the reference to Thing at openapi\.yaml:\d+ \S+size\S* has keeps: USER_HAS_ORDERS/,
  ],
  ['a reference without a code', refers({ entity: 'Thing' }), /x-refers can't be object/],
  [
    'a row that a reference protects from deletion, if its DELETE does not document the 409',
    (api) => {
      refers({ entity: 'Thing', code: 'UNKNOWN', keeps: 'USER_HAS_ORDERS' })(api);
      put('paths /api/v1/things/{id} delete', {
        operationId: 'deleteThing',
        description: 'Words.',
        tags: ['things'],
        security: [],
        responses: { 204: { description: 'Gone.' } },
      })(api);
    },
    /deleteThing can answer 409 with USER_HAS_ORDERS, but does not document it/,
  ],
  [
    'a documented 409 without a code',
    put('paths /api/v1/things post responses 409', { description: 'No.' }),
    /createThing documents 409, but names no code that causes it: x-conflicts: \[OUT_OF_STOCK\]/,
  ],
  [
    'a conflict of another status',
    put('paths /api/v1/things post x-conflicts', ['NOT_FOUND']),
    /x-conflicts names NOT_FOUND, which is no code with the status 409/,
  ],
  [
    'an x-reach that is not a number of rows',
    put('paths /api/v1/things get x-reach', { all: 0 }),
    /x-reach must be \{ all: 100000 \}, or \{ filtered: 100000 \}/,
  ],
  [
    'an x-reach of a list without pages',
    put('paths /api/v1/things get x-reach', { all: 100_000 }),
    /x-reach is only for a list that is read by `page`/,
  ],
  ['two types', size({ type: ['string', 'number'] }), /only one type/],
  ['no type', size({ description: 'x' }), /the type is not stated/],
  [
    'two types that only null satisfies',
    size({ allOf: [{ type: 'string' }, { type: 'number' }] }),
    /only null satisfies/,
  ],
  [
    'an enum of the wrong type',
    size({ type: 'string', enum: ['a', 1] }),
    /values that are not of the type string/,
  ],
  ['a cost of 0', put(`${LIST} x-cost`, 0), /x-cost must be a whole number above 0/],
  ['crossed bounds', size({ type: 'number', minimum: 3, maximum: 2 }), /allow no value: 3 to 2/],
  ['anyOf in a request', size({ anyOf: [{ type: 'string' }] }), /anyOf is supported in answers only/],
  [
    'oneOf without a discriminator',
    size({ oneOf: [{ type: 'string' }, { type: 'number' }] }),
    /needs a discriminator/,
  ],
  [
    'a discriminator without a constant',
    size({
      oneOf: [{ $ref: '#/components/schemas/Thing' }, { $ref: '#/components/schemas/ThingCreate' }],
      discriminator: { propertyName: 'name' },
    }),
    /name must be a required member whose const is a text/,
  ],
  ['a list without a schema of its items', size({ type: 'array' }), /must say what its items are/],
  [
    'an object without additionalProperties',
    size({ type: 'object', properties: {} }),
    /additionalProperties must be stated/,
  ],
  [
    'a map with named members',
    size({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
    /a map with named members/,
  ],
  [
    'a closed part of allOf',
    size({
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    }),
    /forbids members of another part of allOf \(b\)/,
  ],
  [
    'contradicting defaults',
    size({ allOf: [{ type: 'number', default: 1 }, { default: 2 }] }),
    /the default 1 contradicts 2/,
  ],
  [
    'contradicting formats',
    size({ allOf: [{ type: 'string', format: 'date' }, { format: 'email' }] }),
    /two formats contradict each other: email, date|date, email/,
  ],
  [
    'a required member that does not exist',
    size({ type: 'object', additionalProperties: false, required: ['a'] }),
    /required names a/,
  ],
  [
    'an inherited name',
    size({ type: 'object', additionalProperties: false, properties: { constructor: { type: 'string' } } }),
    /can't be called constructor/,
  ],
  [
    'a required read-only member',
    size({
      type: 'object',
      additionalProperties: false,
      required: ['a'],
      properties: { a: { type: 'string', readOnly: true } },
    }),
    /read-only and can't be required/,
  ],
  [
    'a read-only member of a body whose path names no row with this member',
    put(`${SCHEMAS} ThingCreate properties in_use`, { type: 'boolean', readOnly: true }),
    /the member in_use is read-only, but the path names no row that shows it/,
  ],
  [
    'words for null in a schema that does not allow null',
    size({ type: 'string', 'x-null': 'never' }),
    /x-null needs a type that allows null/,
  ],
  ['a mark that is not a boolean', size({ type: 'string', 'x-ended': 'yes' }), /x-ended can't be/],
  ['words for null that are blank', size({ type: ['string', 'null'], 'x-null': ' ' }), /x-null can't be/],
  [
    'a message without a pattern',
    size({ type: 'string', 'x-message': 'must be fine' }),
    /x-message needs a pattern/,
  ],
  [
    'a message that does not begin with must',
    size({ type: 'string', pattern: '^a', 'x-message': 'Wrong!' }),
    /x-message can't be string "Wrong!"/,
  ],
  [
    'an x-since that names no version',
    size({ type: 'string', 'x-since': 'yesterday' }),
    /x-since can't be string "yesterday"/,
  ],
  [
    'a label that is no text',
    size({ type: 'string', 'x-label': ['Size'] }),
    /x-label can't be (?:array|list)/,
  ],
  [
    'a required member that only later versions have',
    size({ type: 'object', required: ['a'], properties: { a: { type: 'string', 'x-since': 'v2' } } }),
    /a member with x-since must not be required, because older versions do not have it/,
  ],
  [
    'a header that must not be a parameter',
    put(`${LIST} parameters`, [
      { name: 'Accept', in: 'header', description: 'x', schema: { type: 'string' } },
    ]),
    /the header Accept can't be a parameter/,
  ],
  [
    'a default of a header',
    put(`${LIST} parameters`, [
      { name: 'X-Mood', in: 'header', description: 'x', schema: { type: 'string', default: 'a' } },
    ]),
    /a header parameter must not have a default/,
  ],
  [
    'a read-only member of an object inside the body',
    size({
      type: 'object',
      additionalProperties: false,
      properties: { a: { type: 'string', readOnly: true } },
    }),
    /not at the top of the body/,
  ],
  [
    'a default out of bounds',
    size({ type: 'number', maximum: 3, default: 4 }),
    /the default 4 must be at most 3/,
  ],
  [
    'a default of an object',
    size({
      type: 'array',
      items: { type: 'object', additionalProperties: false, properties: {} },
      default: [],
    }),
    /a default of an object/,
  ],
  [
    'unique objects',
    size({
      type: 'array',
      uniqueItems: true,
      items: { type: 'object', additionalProperties: false, properties: {} },
    }),
    /uniqueItems of objects/,
  ],
  [
    'an optional member of an entity',
    put(`${SCHEMAS} Thing properties colour`, {
      type: 'string',
      maxLength: 9,
      'x-untied': 'Only REST has it.',
    }),
    /Thing.properties.colour: an entity has all of its members, so colour must be required/,
  ],
  ['an unresolved reference', size({ $ref: '#/components/schemas/Nothing' }), /leads nowhere/],
  ['a reference to another file', size({ $ref: 'other.yaml#/x' }), /leads nowhere/],
  [
    'a circle of references',
    (api) => {
      put(`${SCHEMAS} A`, { $ref: '#/components/schemas/B' })(api);
      put(`${SCHEMAS} B`, { $ref: '#/components/schemas/A' })(api);
    },
    /the reference is circular/,
  ],
  [
    'a schema inside itself',
    (api) => {
      put(`${SCHEMAS} A`, { allOf: [{ $ref: '#/components/schemas/A' }] })(api);
      size({ $ref: '#/components/schemas/A' })(api);
    },
    /the schema contains itself/,
  ],
  [
    'a reserved name',
    (api) => {
      put(`${SCHEMAS} Version`, { type: 'object', additionalProperties: false, properties: {} })(api);
      size({ $ref: '#/components/schemas/Version' })(api);
    },
    /the name Version is reserved/,
  ],
  [
    'a taken class name',
    (api) => {
      for (const name of ['a-b', 'AB'])
        put(`${SCHEMAS} ${name}`, { type: 'object', additionalProperties: false, properties: {} })(api);
      size({ type: 'array', items: { allOf: [{ $ref: '#/components/schemas/AB' }] } })(api);
      put(`${SCHEMAS} ThingCreate properties other`, {
        $ref: '#/components/schemas/a-b',
        'x-untied': 'Only REST has it.',
      })(api);
    },
    /the class name AB is taken/,
  ],
  ['an unknown extension', put(`${LIST} x-grapql`, 'x'), /x-grapql is not supported here/],
  ['no operationId', put(`${LIST} operationId`), /has no operationId/],
  [
    'a second operationId',
    put(`${LIST} operationId`, 'getThing'),
    /the operationId getThing is taken by openapi.yaml:\d+/,
  ],
  ['access that is null', put(`${LIST} security`, null), /get\/security: must be array, not null/],
  ['an alternative that is null', put(`${LIST} security`, [null]), /security\/0: must be object, not null/],
  [
    'scopes that are a text',
    put(`${LIST} security`, [{ key: 'admin' }]),
    /security\/0\/key: must be array, not string/,
  ],
  ['an unknown member of the document', put('webhooks', {}), /webhooks is not supported here/],
  [
    'an address that is taken',
    (api) => put('paths /api/v1/things/{name}', api['paths']?.['/api/v1/things/{id}'])(api),
    /get \/api\/v1\/things\/: is also the address of another/,
  ],
  [
    'no access',
    put(`${LIST} security`),
    /#\/paths\/~1api~1v1~1things\/get: the operation does not state its access/,
  ],
  ['an unknown scheme', put(`${LIST} security`, [{ card: [] }]), /no security scheme card/],
  [
    'an unknown scope',
    put(`${LIST} security`, [{ key: ['things:raed'] }]),
    /"things:raed" is not listed in x-scopes/,
  ],
  ['an owner that is not a member', put(`${LIST} x-owner`, 'path.id'), /x-owner must name a member/],
  [
    'an owner that is not a member of the row',
    put(`${LIST} x-owner`, 'row.owner'),
    /x-owner must name a member/,
  ],
  ['no description', put(`${LIST} description`), /has no description/],
  ['a blank description', put(`${LIST} description`, ' '), /has no description/],
  [
    'an empty summary',
    put(`${LIST} summary`, ''),
    /get\/summary: the summary is empty; write a text, or remove the member/,
  ],
  ['no 2xx status', put(`${LIST} responses 200`), /no 2xx status/],
  ['two 2xx statuses', put(`${LIST} responses 204`, { description: 'x' }), /more than one 2xx/],
  ['a default status', put(`${LIST} responses default`, { description: 'x' }), /the status default/],
  ['no example', put(`${LIST} responses 200 content application/json example`), /has no example/],
  [
    'a problem listed at a status that is not its own',
    put(`${LIST} responses 402`, {
      description: 'Nothing.',
      content: { 'application/problem+json': { example: { status: 404 } } },
    }),
    /listThings lists at 402 a response whose example has the status 404; list it at 404/,
  ],
  [
    'a missing path parameter',
    put('paths /api/v1/things/{id} parameters', []),
    /names \{id\}, but there is no such/,
  ],
  [
    'a superfluous path parameter',
    (api) =>
      put('paths /api/v1/things parameters', api['paths']?.['/api/v1/things/{id}']?.['parameters'])(api),
    /id is not in \/api\/v1\/things/,
  ],
  [
    'a parameter of another style',
    put(`${LIST} parameters 1 style`, 'pipeDelimited'),
    /the style pipeDelimited/,
  ],
  [
    'a list in the query that is not exploded',
    put(`${LIST} parameters 1 explode`, false),
    /write explode: true/,
  ],
  [
    'a nullable parameter',
    put(`${LIST} parameters 0 schema type`, ['integer', 'null']),
    /a parameter cannot be null/,
  ],
  [
    'a segment of a path with a parameter and other text',
    (api) => put('paths /t/{id}.txt', api['paths']?.['/api/v1/things/{id}'])(api),
    /a segment must be plain text or one/,
  ],
  [
    'a default of an optional member of a body',
    put(`${SCHEMAS} ThingCreate properties size`, { type: 'number', default: 1 }),
    /size\/default: the optional member size has a default, .* size: \{ \$ref: '#\/components\/schemas/,
  ],
  [
    'servers of a path',
    put('paths /api/v1/things servers', [{ url: '/api/v1' }]),
    /openapi.yaml:\d+ #\/paths\/~1api~1v1~1things\/servers: .*ignored by generated clients.* write the whole path, such as \/api\/v1\/products/,
  ],
  [
    'servers of an operation',
    put(`${LIST} servers`, [{ url: '/api/v1' }]),
    /things\/get\/servers: .*ignored by generated clients/,
  ],
  ...['/{v}', '/api', 'https://things.example/api', 'things.example'].map((url): (typeof REST)[number] => [
    `the server ${url}`,
    put('servers', [{ url }]),
    /openapi.yaml:\d+ #\/servers: the document must have one server, .*servers: \[\{ url: \/ \}\]/,
  ]),
  ['two servers', put('servers', [{ url: '/' }, { url: 'https://things.example' }]), /must have one server/],
  ['no server', put('servers', []), /must have one server/],
  [
    'a path without its version',
    (api) => put('paths /api/others', api['paths']?.['/api/v1/things'])(api),
    /the path \/api\/others names no version; write the whole path/,
  ],
  [
    'a short form that is taken',
    put('paths /api/v1/things x-alias', '/api/v1/things'),
    /get \/api\/v1\/things is also the address of another/,
  ],
  [
    'a short form with other parameters',
    put('paths /api/v1/things/{id} x-alias', '/api/things/{name}'),
    /the short form \/api\/things\/\{name\} must have the parameters of \/api\/v1\/things\/\{id\}/,
  ],
  [
    'a version beside a path that names one',
    put('paths /api/v1/things x-version', 'v2'),
    /the path names its version, v1/,
  ],
  ['an invalid version', put('paths /things', { 'x-version': '1' }), /x-version must name a version/],
  [
    'an entity outside of every version',
    (api) =>
      put('paths /things', { get: { ...api['paths']?.['/api/v1/things']?.['get'], operationId: 'x' } })(api),
    /x shows Thing, but its version is not stated: add x-version: v1/,
  ],
  [
    'an explicit HEAD',
    put('paths /api/v1/things/{id} head', { responses: {} }),
    /head must not be here: HEAD follows from the GET beside it; remove head/,
  ],
  [
    'an explicit OPTIONS',
    put('paths /api/v1/things options', { responses: {} }),
    /options must not be here: OPTIONS follows/,
  ],
  [
    'a link to nowhere',
    put('paths /api/v1/things post responses 201 links self operationId', 'x'),
    /must name the operationId of a GET/,
  ],
  [
    'a link to a missing member',
    put('paths /api/v1/things post responses 201 links self parameters id', '$response.body#/no'),
    /name a member of the answer/,
  ],
  [
    'a link with other parameters',
    put('paths /api/v1/things post responses 201 links self parameters', {}),
    /exactly the path parameters of getThing: id/,
  ],
  [
    'a body that is a list',
    put('paths /api/v1/things post requestBody content application/json schema', {
      type: 'array',
      items: { type: 'string' },
    }),
    /must be an object with named members, not a list/,
  ],
  [
    'a body with a bound of 0 bytes',
    put('paths /api/v1/things post requestBody x-max-body', 0),
    /x-max-body must be a number of bytes from 1 to 1048576/,
  ],
  [
    'a write-only member in an answer',
    put(`${SCHEMAS} Thing properties name writeOnly`, true),
    /an answer has a write-only member/,
  ],
  [
    'two representations in a version',
    (api) => {
      put(`${SCHEMAS} Thing2`, { type: 'object', 'x-entity': 'Thing', properties: {} })(api);
      put(
        'paths /api/v1/things/{id} get responses 200 content application/json schema $ref',
        '#/components/schemas/Thing2',
      )(api);
    },
    /Thing is Thing\w* here, but Thing\w* elsewhere in v1/,
  ],
  ['another version of OpenAPI', put('openapi', '3.0.3'), /only OpenAPI 3.1/],
];

const GRAPHQL: [what: string, from: string, to: string, expected: RegExp][] = [
  ['a field without a description', '"Id." id', 'id', /schema.graphql:\d+:\d+ Thing.id: has no description/],
  [
    'a description with a status of REST',
    '"Its id." id',
    '"Its id; 404 for another one." id',
    /Query.thing\(id:\): the description names the status 404, .* Name the code, such as `NOT_FOUND`/,
  ],
  ['an argument without a description', '"Its id." id', 'id', /Query.thing\(id:\): has no description/],
  ['a type without a description', '"A thing." type', 'type', /Thing: has no description/],
  ['an enum value without a description', '"Up." ID_ASC', 'ID_ASC', /ThingSort.ID_ASC: has no description/],
  ['a root field without access', 'Thing @public', 'Thing', /Query.thing: a root field needs exactly one/],
  [
    'a root field with two kinds of access',
    'Thing @public',
    'Thing @public @auth(scopes: ["admin"])',
    /exactly one/,
  ],
  [
    '@auth on a non-null field',
    'String!\n  "When."',
    'String! @auth(scopes: ["admin"])\n  "When."',
    /@auth is on a field that is not nullable/,
  ],
  [
    'a subscription without access',
    '"A thing." type',
    '"Hearing." type Subscription { "New." newThing: Thing } "A thing." type',
    /Subscription.newThing: a root field needs exactly one/,
  ],
  [
    'a subscription that is guarded and not nullable',
    '"A thing." type',
    '"Hearing." type Subscription { "New." newThing: Thing! @auth(scopes: ["admin"]) } "A thing." type',
    /Subscription.newThing: @auth is on a field that is not nullable/,
  ],
  ['a mutation that is not nullable', 'Thing @auth', 'Thing! @auth', /a field of Mutation must be nullable/],
  ['an unknown scope', '"things:write"', '"things:wrote"', /the scope things:wrote is not listed/],
  [
    'an owner that does not exist',
    'scopes: ["things:write"]',
    'scopes: ["things:write"], owner: "args.id"',
    /the owner must be/,
  ],
  [
    'an owner that is not a field of the row',
    'scopes: ["things:write"]',
    'scopes: ["things:write"], owner: "row.userId"',
    /the owner must be/,
  ],
  [
    'an owner that is not a field of the object that contains the field',
    '"When." madeAt: DateTime',
    '"When." madeAt: DateTime @auth(scopes: ["things:write"], owner: "parent.userId")',
    /the owner must be/,
  ],
  ['a list without its size', '@listSize(slicingArguments: ["limit"])', '', /a list needs @listSize/],
  [
    'an unknown slicing argument',
    'slicingArguments: ["limit"]',
    'slicingArguments: ["size"]',
    /the slicing argument size is not an argument/,
  ],
  [
    'a list whose @listSize gives no size',
    '@listSize(slicingArguments: ["limit"])',
    '@listSize',
    /@listSize needs slicingArguments or assumedSize/,
  ],
  [
    'a sized field that is not a list',
    '@listSize(slicingArguments: ["limit"])',
    '@listSize(slicingArguments: ["limit"], sizedFields: ["name"])',
    /the sized field name is not a list/,
  ],
  [
    'a list without its size, below a list with a size',
    '"When." madeAt: DateTime',
    '"When." madeAt: DateTime "Parts." parts: [Thing!]',
    /Thing\.parts: a list needs @listSize/,
  ],
  [
    'the size of a field that is not a list',
    '"One." thing("Its id." id: ID!): Thing @public',
    '"One." thing("Its id." id: ID!): Thing @public @listSize(assumedSize: 2)',
    /@listSize is on a field that is not a list and has no sizedFields/,
  ],
  [
    'a slicing argument that is not an Int',
    'slicingArguments: ["limit"]',
    'slicingArguments: ["mood"]',
    /mood is not an Int/,
  ],
  [
    'a constraint that does not fit',
    'mood: String',
    'mood: String @constraint(minimum: 1)',
    /Query.things.mood: @constraint\(minimum:\) does not apply to String/,
  ],
  [
    'a broken pattern',
    'mood: String',
    'mood: String @constraint(pattern: "(")',
    /is not a regular expression/,
  ],
  [
    'a slow pattern',
    'mood: String',
    'mood: String @constraint(pattern: "x+$")',
    /takes more than linear time: «x\+»/,
  ],
  ['an unknown format', 'mood: String', 'mood: String @constraint(format: "x")', /the format x is not known/],
  [
    'a default out of bounds',
    'mood: String',
    'mood: String = "abc" @constraint(maxLength: 2)',
    /the default "abc" must be at most 2 characters/,
  ],
  [
    'an unknown scalar',
    '"A moment." scalar DateTime',
    '"A moment." scalar DateTime "X." scalar Blob',
    /the scalar is not known/,
  ],
  [
    'a reserved name',
    '"A moment." scalar DateTime',
    '"A moment." scalar DateTime "X." enum Maybe { "Yes." YES }',
    /the name Maybe is reserved/,
  ],
  ['an unknown type', 'mood: String', 'mood: Strin', /schema.graphql:\d+:\d+: Unknown type "Strin"/],
  ['a text that is not SDL', 'type Query {', 'type Query', /schema.graphql:\d+:\d+: Syntax Error/],
];

describe('the list of faults of a contract', () => {
  it('is empty for a valid contract', async () => {
    await expect(faultsOf(openapi(), sdl())).resolves.toEqual([]);
  });
  it.each([
    ['with x-refers', { ...NUMBER, 'x-refers': { entity: 'Thing', code: 'UNKNOWN' } }],
    ['that is a text', { type: 'string', maxLength: 9 }],
  ])('is empty for an id of a row %s', async (_, schema) => {
    const api = openapi();
    put(`${SCHEMAS} ThingCreate properties thing_id`, { ...schema, 'x-untied': 'Only REST has it.' })(api);
    await expect(faultsOf(api, sdl())).resolves.toEqual([]);
  });
  it.each(REST)('has the fault of openapi.yaml: %s', async (_, change, expected) => {
    await expect(breaking(change)).resolves.toMatch(expected);
  });
  it.each(GRAPHQL)('has the fault of schema.graphql: %s', async (_, from, to, expected) => {
    await expect(breaking(() => undefined, from, to)).resolves.toMatch(expected);
  });
  it.each([
    ['broken YAML', 'openapi: [', /openapi.yaml:1:/],
    ['a duplicate key', 'a: 1\na: 2\n', /openapi.yaml:2:1/],
    ['an alias', 'a: &x 1\nb: *x\n', /openapi.yaml:2: YAML aliases/],
  ])('has the fault in the text of openapi.yaml: %s', async (_, text, expected) => {
    const [fault] = await faultsOf(text);
    expect(`${fault?.place}: ${fault?.text}`).toMatch(expected);
  });
  it('is empty for an answer with a name that a class of input cannot have', async () => {
    const renamed = JSON.stringify(openapi())
      .replaceAll('schemas/Thing"', 'schemas/Version"')
      .replace('"Thing":{', '"Version":{"x-graphql":"Thing",');
    expect(renamed).toContain('schemas/Version"');
    await expect(faultsOf(JSON.parse(renamed) as Tree, sdl())).resolves.toEqual([]);
  });
  it('has only one fault for a missing bracket', async () => {
    const faults = await faultsOf('paths: {\na: 1\nb: [\nc: }\nd: 2\n');
    expect(faults).toHaveLength(1);
  });
  it('is made without a crash for a wrong value at any place', async () => {
    const places: string[][] = [];
    const walk = (node: unknown, at: string[]): void => {
      if (at.length > 0) places.push(at);
      if (typeof node !== 'object' || node === null) return;
      for (const [name, inner] of Object.entries(node)) walk(inner, [...at, name]);
    };
    walk(openapi(), []);
    const wrong = [null, 'x', [], {}];
    for (const [index, at] of sampled([...places.entries()], 15)) {
      const api = openapi();
      const owner = at.slice(0, -1).reduce((node, part) => node[part] as Tree, api) as Record<
        string,
        unknown
      >;
      owner[at.at(-1) ?? ''] = wrong[index % wrong.length];
      // `faultsOf` throws any error that is not a `ContractError`.
      await faultsOf(api);
    }
    expect(places.length).toBeGreaterThan(150);
  }, 180_000);
  it('has all faults, with their lines', async () => {
    const faults = await breaking(
      (api) => {
        put(`${LIST} description`)(api);
        put(`${LIST} operationId`)(api);
        size({ type: 'nothing' })(api);
      },
      '"Id." id',
      'id',
    );
    expect(faults.split('\n').length).toBeGreaterThanOrEqual(4);
    expect(faults).toMatch(/^openapi\.yaml:\d+ #\//m);
    expect(faults).toMatch(/^schema\.graphql:\d+:\d+ /m);
  });
});
