import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { emit, generate } from '../../tools/codegen.ts';
import { faultsOf, openapi, sdl, type Tree } from './contracts.ts';
import { onlyLong } from '../support/sampled.js';
import { execute } from './generated.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): Promise<string> => readFile(new URL(name, ROOT), 'utf8');

const answer = (schema: object): object => ({
  200: { description: 'x', content: { 'application/json': { schema, example: {} } } },
});

describe('npm run codegen', () => {
  it('generates the committed text', onlyLong, async () => {
    const files = await generate(await read('openapi.yaml'), await read('schema.graphql'));
    expect([...files.keys()].toSorted()).toEqual((await readdir(new URL('src/generated', ROOT))).toSorted());
    for (const [name, text] of files) expect(await read(`src/generated/${name}`)).toBe(text);
  });

  it('does not depend on the order of the paths in the contract', async () => {
    const shuffled = openapi();
    shuffled['paths'] = Object.fromEntries(Object.entries(shuffled['paths'] ?? {}).toReversed());
    const [one, other] = [
      await emit(JSON.stringify(openapi()), sdl()),
      await emit(JSON.stringify(shuffled), sdl()),
    ];
    for (const name of ['dto.ts', 'contract.ts', 'graphql.ts', 'fields.ts'])
      expect(other.get(name)).toBe(one.get(name));
  });

  it('never writes the type any', async () => {
    for (const text of (await generate(JSON.stringify(openapi()), sdl())).values()) {
      expect(text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')).not.toMatch(/(?<=[<,:] ?)any\b/);
    }
  });
});

describe('the generated code', () => {
  it('has a table of routes with every path, the version, the link and the kinds of parameters', async () => {
    const { operations, dtos } = await execute(openapi(), sdl());
    expect(operations['createThing']).toMatchObject({
      method: 'POST',
      paths: ['/api/v1/things', '/api/things'],
      version: 'v1',
      security: [[{ scheme: 'key', scopes: ['things:write'] }]],
      answer: { status: 201, shape: 'entity', entity: 'Thing', key: null, locationOf: 'getThing' },
    });
    expect(operations['listThings']).toMatchObject({
      security: [],
      answer: { shape: 'page', entity: 'Thing' },
      query: {
        dto: dtos['ListThingsQuery'],
        kinds: { limit: { type: 'integer' }, sort: { type: 'array', items: 'string' } },
      },
      statuses: [200, 400],
    });
    expect(operations['getThing']?.['paths']).toEqual(['/api/v1/things/:id', '/api/things/:id']);
  });

  it('has the header parameters, which are not arguments of the handler', async () => {
    const api = openapi();
    Object.assign(api['paths']?.['/api/v1/things/{id}']?.['get'] ?? {}, {
      parameters: [{ name: 'If-Match', in: 'header', description: 'x', schema: { type: 'string' } }],
    });
    const { operations, dtos, files } = await execute(api, sdl());
    expect(operations['getThing']?.['headers']).toEqual({
      dto: dtos['GetThingHeaders'],
      kinds: { 'If-Match': { type: 'string' } },
      costs: {},
      isHanded: true,
    });
    expect(operations['listThings']?.['headers']).toBeNull();
    expect(files.get('contract.ts')).toContain('getThing(path: GetThingPath, context: C)');
  });

  it('gives the handler no parameters that only affect the form of the answer', async () => {
    const api = openapi();
    Object.assign(api['paths']?.['/api/v1/things/{id}']?.['get'] ?? {}, {
      parameters: [
        {
          name: 'format',
          in: 'query',
          description: 'x',
          'x-untied': 'Only REST has it.',
          'x-answer': true,
          schema: { type: 'string' },
        },
      ],
    });
    const { operations, files } = await execute(api, sdl());
    expect(operations['getThing']?.['query']).toMatchObject({ isHanded: false });
    expect(files.get('contract.ts')).toContain('getThing(path: GetThingPath, context: C)');
  });

  it('describes bodies that have formats besides JSON', async () => {
    const api = openapi();
    const listed = api['paths']?.['/api/v1/things']?.['get']?.['responses']?.['200'] as {
      content: Record<string, { schema: object }>;
    };
    const { content } = listed;
    content['application/xml'] = { schema: content['application/json']?.schema as object };
    const { files } = await execute(api, sdl());
    expect(files.get('bodies.ts')).toContain('listThings: ');
    expect(files.get('bodies.ts')).toContain("items: {\n      name: 'thing',\n      members: { id: ");
    expect(files.get('bodies.ts')).not.toContain('getThing: ');
  });

  it('describes the data for pages in a browser', async () => {
    const api = openapi();
    const listed = api['paths']?.['/api/v1/things']?.['get']?.['responses']?.['200'] as {
      content: Record<string, { schema: object }>;
    };
    const schema = listed.content['application/json']?.schema as object;
    Object.assign(listed.content, { 'application/xml': { schema }, 'text/html': { schema } });
    Object.assign(api['components']?.['schemas']?.['Thing'] ?? {}, {
      'x-links': { self: { operationId: 'getThing', parameters: { id: 'id' } } },
    });
    const { files } = await execute(api, sdl());
    expect(files.get('bodies.ts')).toContain("made_at: { name: 'item', kind: 'time' }");
    expect(files.get('bodies.ts')).toContain(
      "links: { self: { operation: 'getThing', parameters: { id: 'id' } } }",
    );
    const views = files.get('views.ts') ?? '';
    expect(views).not.toContain('getThing');
    for (const text of [
      "kind: 'integer'",
      'maximum: 100',
      "initial: '20'",
      "kind: 'choices'",
      "values: ['id', '-id']",
    ])
      expect(views).toContain(text);
  });

  it('gives a form a field for each parameter that the address of its page does not have', async () => {
    const api = openapi();
    const page = api['paths']?.['/api/v1/things/{id}'] as Record<string, unknown>;
    const shown = (page['get'] as { responses: Record<string, { content: Record<string, object> }> })
      .responses;
    const { content } = shown['200'] as { content: Record<string, object> };
    Object.assign(content, { 'text/html': content['application/json'] });
    const other = {
      ...(page['parameters'] as object[])[0],
      name: 'thing_id',
      description: 'The other thing.',
    };
    const responses = { 204: { description: 'Joined.' } };
    Object.assign(api['paths'] as object, {
      '/api/v1/things/{id}/others/{thing_id}': {
        parameters: [...(page['parameters'] as object[]), other],
        put: { description: 'Joins.', tags: ['things'], operationId: 'addOther', security: [], responses },
      },
    });
    const forms = (await execute(api, sdl())).files.get('forms.ts') ?? '';
    const [, form = ''] = /getThing: \[([\s\S]*?)\n  \],/.exec(forms) ?? [];
    expect(form).toMatch(
      /operation: 'addOther'[\s\S]*path: \[\s*\{\s*name: 'thing_id',\s*label: 'Thing',\s*control: 'reference'/,
    );
    expect(form).toContain("refers: { list: 'listThings', item: 'getThing', search: null }");
    expect(form).toContain('fields: null');
  });

  it('has envelopes, wrapped entities, paths without a version, owners and optional credentials', async () => {
    const api = openapi();
    const thing = { $ref: '#/components/schemas/Thing' };
    const words = { description: 'x', tags: ['x'], security: [{}, { key: ['admin'] }] };
    const parameters = [
      { name: 'id', in: 'path', required: true, description: 'x', schema: { type: 'integer' } },
    ];
    Object.assign(api['paths'] ?? {}, {
      '/wrapped/{id}': {
        'x-version': 'v1',
        parameters,
        get: {
          ...words,
          operationId: 'wrapped',
          'x-owner': 'path.id',
          responses: answer({
            type: 'object',
            required: ['thing'],
            properties: { thing: { allOf: [thing] } },
          }),
        },
      },
      '/api/v1/some': {
        get: {
          ...words,
          operationId: 'some',
          responses: answer({ type: 'array', items: { anyOf: [{ type: 'string' }, thing] } }),
        },
      },
      '/plain': {
        get: {
          ...words,
          operationId: 'plain',
          responses: answer({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
        },
      },
    });
    const { operations, files } = await execute(api, sdl());
    expect(operations['wrapped']).toMatchObject({
      paths: ['/wrapped/:id'],
      version: 'v1',
      owner: 'path.id',
      security: [[], [{ scheme: 'key', scopes: ['admin'] }]],
      answer: { shape: 'entity', entity: 'Thing', key: 'thing' },
    });
    expect(operations['some']).toMatchObject({ answer: { shape: 'page', entity: 'Thing', key: null } });
    expect(operations['plain']).toMatchObject({ answer: { shape: 'plain', entity: null } });
    expect(files.get('contract.ts')).toContain('plain(context: C): Soon<string | null>;');
    expect(files.get('contract.ts')).toContain("some(context: C): Soon<Page<Entity<'Thing'>>>;");
    expect(files.get('contract.ts')).toContain('readonly v1: { readonly Thing: schemas.Thing };');
  });
});

/** The small service, with some operations in a second version. */
function withSecondVersion() {
  const api = openapi();
  const { get, parameters } = structuredClone(api['paths']?.['/api/v1/things/{id}'] ?? {}) as Record<
    string,
    object
  >;
  const thing = { $ref: '#/components/schemas/Thing' };
  const words = { description: 'x', tags: ['x'], security: [] };
  const slice = {
    type: 'object',
    required: ['data', 'page'],
    properties: { data: { type: 'array', items: thing }, page: { type: 'object' } },
  };
  Object.assign(api['paths'] ?? {}, {
    '/api/v2/things/{id}': {
      parameters,
      get: { ...get, operationId: 'getThingV2', 'x-same-as': 'getThing' },
    },
    '/api/v2/things': {
      get: { ...words, operationId: 'listThingsV2', responses: answer(slice) },
    },
  });
  return api;
}

const FREE = { type: 'string', minLength: 1, maxLength: 200 };
const MOMENT = { type: 'string', format: 'date-time', readOnly: true };

/** A contract with a PUT in both versions. `first` has the members of the body in version 1, `other` in version 2. */
function withPut(first: object, other: object) {
  const api = withSecondVersion();
  const thing = { $ref: '#/components/schemas/Thing' };
  const put = (id: string, properties: object) => ({
    description: 'x',
    tags: ['x'],
    security: [{ key: ['things:write'] }],
    operationId: id,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', additionalProperties: false, properties },
          example: {},
        },
      },
    },
    responses: answer(thing),
  });
  Object.assign(api['paths']?.['/api/v1/things/{id}'] ?? {}, { put: put('putThing', first) });
  const same = { ...put('putThingV2', other), 'x-same-as': 'putThing' };
  Object.assign(api['paths']?.['/api/v2/things/{id}'] ?? {}, { put: same });
  return api;
}

describe('a second version', () => {
  it('is named by the path, has lists with cursors, and shares handlers', async () => {
    const { operations, files } = await execute(withSecondVersion(), sdl());
    expect(operations['getThingV2']).toMatchObject({
      paths: ['/api/v2/things/:id'],
      version: 'v2',
      sameAs: 'getThing',
    });
    expect(operations['listThingsV2']).toMatchObject({
      version: 'v2',
      sameAs: null,
      answer: { shape: 'slice', entity: 'Thing' },
    });
    const contract = files.get('contract.ts');
    expect(contract).toContain("listThingsV2(context: C): Soon<Slice<Entity<'Thing'>>>;");
    expect(contract).not.toContain('getThingV2');
  });

  describe('with an operation that changes a row', () => {
    it('may differ in the read-only members of a body', async () => {
      const { operations } = await execute(withPut({ name: FREE }, { name: FREE, made_at: MOMENT }), sdl());
      expect(operations['putThing']?.['body']).toMatchObject({ readOnly: [] });
      expect(operations['putThingV2']).toMatchObject({ sameAs: 'putThing', body: { readOnly: ['made_at'] } });
    });

    it.each([
      ['has one more member to write', { name: FREE, size: { type: 'number' } }],
      ['has other bounds', { name: { ...FREE, maxLength: 100 } }],
    ])('is refused if the body %s', async (_what, other) => {
      const faults = (await faultsOf(withPut({ name: FREE }, other))).map(({ text }) => text).join('\n');
      expect(faults).toMatch(/the body must be the same as in putThing/);
    });

    it('is refused if the body may be left out', async () => {
      const api = withPut({ name: FREE }, { name: FREE });
      const put = api['paths']?.['/api/v2/things/{id}']?.['put'] as Tree;
      Object.assign(put['requestBody'] as Tree, { required: false });
      const faults = (await faultsOf(api)).map(({ text }) => text).join('\n');
      expect(faults).toMatch(/whether the body is required must be the same as in putThing/);
    });
  });

  it.each([
    ['x-same-as', 'nothing', /x-same-as must name an operation with a handler, not nothing/],
    ['x-same-as', 'getThingV2', /x-same-as must name an operation with a handler, not getThingV2/],
    ['security', [{ key: ['admin'] }], /the security must be the same as in getThing/],
    ['x-same-as', 'listThingsV2', /the path must be the same as in listThingsV2[^]*the entity must be/],
  ])('is refused if %s is %j', async (name, value, expected) => {
    const api = withSecondVersion();
    Object.assign(api['paths']?.['/api/v2/things/{id}']?.['get'] ?? {}, { [name]: value });
    const faults = (await faultsOf(api)).map(({ text }) => text).join('\n');
    expect(faults).toMatch(expected);
  });
});

describe('the field table', () => {
  it('has subscriptions like other root fields, and the access to fields below the root', async () => {
    const graphql = sdl().replace('madeAt: DateTime', 'madeAt: DateTime @auth(scopes: ["things:write"])')
      .concat(`"Hearing." type Subscription {
        "New ones." newThing("From." after: ID): Thing @auth(scopes: ["admin"]) @cost(weight: 3)
          @untied(reason: "REST has one stream of all events.")
      }`);
    const { fields, dtos, files } = await execute(openapi(), graphql);
    expect(fields['Subscription.newThing']).toEqual({
      type: 'Subscription',
      field: 'newThing',
      access: { scopes: ['admin'], owner: null },
      cost: 3,
      costs: {},
      list: null,
      args: dtos['SubscriptionNewThingArgs'],
    });
    expect(fields['Thing.madeAt']).toMatchObject({ access: { scopes: ['things:write'], owner: null } });
    expect(fields['Thing.name']).toMatchObject({ access: null });
    const [, names] = /export type RootField =([^;]*);/.exec(files.get('fields.ts') ?? '') ?? [];
    expect(names?.match(/'[\w.]+'/g)).toEqual([
      "'Mutation.createThing'",
      "'Query.thing'",
      "'Query.things'",
      "'Subscription.newThing'",
    ]);
  });
});
