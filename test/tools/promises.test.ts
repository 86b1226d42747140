import { describe, expect, it } from 'vitest';
import { breaking, faultsOf, openapi, sdl, type Tree } from './contracts.ts';

/** The contract with a second version of a thing. The handler of the first version serves both. */
function withTwin(change: (twin: Tree) => void): Tree {
  const api = openapi();
  const paths = api['paths'] as Tree;
  const { parameters, get } = structuredClone(paths['/api/v1/things/{id}'] as Tree);
  const twin = { ...get, operationId: 'getThingV2', 'x-same-as': 'getThing' } as unknown as Tree;
  change(twin);
  Object.assign(paths, { '/api/v2/things/{id}': { parameters, get: twin } });
  return api;
}

/** Adds these headers to the answer of `getThing`, beside two headers in `components`. */
const headers = (own: object) => (api: Tree) => {
  const shared = { 'X-One': { schema: { type: 'string' } }, 'X-Two': { schema: { type: 'string' } } };
  Object.assign(api['components'] ?? {}, { headers: shared });
  Object.assign(api['paths']?.['/api/v1/things/{id}']?.['get']?.['responses']?.[200] ?? {}, { headers: own });
};
const reference = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** A body with a member of this schema. */
const bodyWith = (own: object) => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { name: { type: 'string' }, size: own },
      },
    },
  },
});

/** Adds these members to the answer of the creation. */
const issued = (own: object) => (api: Tree) => {
  const created = api['paths']?.['/api/v1/things']?.['post']?.['responses']?.[201] as Tree;
  const thing = api['components']?.['schemas']?.['Thing'];
  const schema = { ...thing, properties: { ...thing?.['properties'], ...own } };
  Object.assign(created, {
    content: { 'application/json': { schema } },
  });
};

/** Adds CSV to the answer of the GET at this path. */
const table = (path: string) => (api: Tree) => {
  const content = api['paths']?.[path]?.['get']?.['responses']?.[200]?.['content'] ?? {};
  Object.assign(content, { 'text/csv': content['application/json'] });
};

/** Adds a member to a schema. If the schema is an entity, the member is required. */
const member = (name: string, schema: object) => (api: Tree) => {
  const owner = api['components']?.['schemas']?.[name] ?? {};
  Object.assign(owner['properties'] ?? {}, { extra: { 'x-untied': 'Nobody asks.', ...schema } });
  if (owner['x-entity'] !== undefined) (owner['required'] as unknown as string[]).push('extra');
};
/** The faults of the second version, after a change. */
const textsOf = async (change: (twin: Tree) => void) =>
  (await faultsOf(withTwin(change), sdl())).map((fault) => fault.text);
const text = (pattern: string, message: string) => ({ type: 'string', pattern, 'x-message': message });

describe('a part of the contract', () => {
  it.each<[string, (api: Tree) => void, RegExp]>([
    [
      'a header that refers to another header',
      headers({ 'X-One': reference('X-Two') }),
      /the header X-One refers to X-Two; write \$ref: '#\/components\/headers\/X-One'/,
    ],
    [
      'a default in an answer',
      member('Thing', { type: 'boolean', default: true }),
      /Thing\/properties\/extra\/default: a default in an answer has no meaning/,
    ],
    [
      'a default in an item of an answer',
      member('Thing', { type: 'array', items: { type: 'integer', default: 1 } }),
      /extra\/items\/default: a default in an answer has no meaning/,
    ],
    [
      'a message of another pattern',
      (api) => {
        member('Thing', text('^a$', 'must be a'))(api);
        member('ThingCreate', text('^b$', 'must be a'))(api);
      },
      /ThingCreate\/properties\/extra: x-message belongs to another pattern at openapi.yaml:\d+/,
    ],
    [
      'two messages of one pattern',
      (api) => {
        member('Thing', text('^a$', 'must be a'))(api);
        member('ThingCreate', text('^a$', 'must be the letter a'))(api);
      },
      /the same pattern has another x-message at openapi.yaml:\d+/,
    ],
    [
      'an amount of money without x-money',
      (api) =>
        void Object.assign(api['components']?.['schemas'] ?? {}, {
          Price: { type: 'number', multipleOf: 0.01 },
        }),
      /schemas\/Price: this is money, but does not say so; write x-money: true/,
    ],
    [
      'an amount with its currency, without x-money',
      (api) =>
        void Object.assign(api['components']?.['schemas'] ?? {}, {
          Money: {
            type: 'object',
            properties: { amount: { type: 'integer' }, currency: { type: 'string' } },
          },
        }),
      /schemas\/Money: this is money, but does not say so; write x-money: true/,
    ],
    [
      'x-untied for an operation whose name no field has',
      (api) => {
        const get = structuredClone(api['paths']?.['/api/v1/things/{id}']?.['get'] as Tree);
        const tea = { ...get, operationId: 'getTea', 'x-untied': 'Nobody asks.' };
        Reflect.deleteProperty(tea, 'x-graphql');
        Object.assign(api['paths'] as Tree, { '/api/v1/tea': { 'x-alias': '/api/tea', get: tea } });
      },
      /x-untied is not needed, because nothing in schema.graphql is named like getTea; remove it/,
    ],
    [
      'x-untied for a schema whose name no type has',
      (api) =>
        void Object.assign(api['components']?.['schemas'] ?? {}, {
          Tea: { type: 'object', 'x-untied': 'Nobody asks.', properties: { id: { type: 'integer' } } },
        }),
      /x-untied is not needed, because nothing in schema.graphql is named like Tea; remove it/,
    ],
    [
      'x-untied for a member of a schema that is tied to nothing',
      (api) =>
        void Object.assign(api['components']?.['schemas'] ?? {}, {
          Tea: { type: 'object', properties: { id: { type: 'integer', 'x-untied': 'Nobody asks.' } } },
        }),
      /x-untied is not needed, because nothing in schema.graphql is named like Tea.id; remove it/,
    ],
    [
      'x-untied for a member of the items of a schema that is tied to nothing',
      (api) => {
        const items = { type: 'object', properties: { id: { type: 'integer', 'x-untied': 'Nobody asks.' } } };
        Object.assign(api['components']?.['schemas'] ?? {}, {
          Tea: { type: 'object', properties: { leaves: { type: 'array', maxItems: 9, items } } },
        });
      },
      /x-untied is not needed, because nothing in schema.graphql is named like Tea.leaves.id; remove it/,
    ],
    [
      'x-untied for an operation beside its tie',
      (api) =>
        void Object.assign(api['paths']?.['/api/v1/things/{id}']?.['get'] ?? {}, {
          'x-graphql': 'Query.thing',
          'x-untied': 'Nobody asks.',
        }),
      /get\/x-untied: x-untied contradicts x-graphql: Query.thing beside it; remove one of them/,
    ],
    [
      'a second x-untied in a schema that is untied as a whole',
      (api) => {
        const id = { type: 'integer', 'x-untied': 'Nobody asks.' };
        const other = { type: 'object', 'x-untied': 'Nobody asks.', properties: { id } };
        Object.assign(api['components']?.['schemas'] ?? {}, { ThingV2: other });
      },
      /ThingV2\/properties\/id\/x-untied: x-untied is not needed, because all of ThingV2 is untied; remove it/,
    ],
    [
      'x-untied for a member that is tied in another version',
      (api) => {
        const { Thing } = api['components']?.['schemas'] ?? {};
        const made = {
          ...Thing?.['properties']?.['made_at'],
          description: 'Then.',
          'x-untied': 'Nobody asks.',
        };
        const other = { ...Thing, properties: { ...Thing?.['properties'], made_at: made } };
        Object.assign(api['components']?.['schemas'] ?? {}, { ThingV2: other });
      },
      /ThingV2\/properties\/made_at\/x-untied: x-untied is not needed, because Thing.made_at has the same rules and is tied; remove it/,
    ],
    [
      'the format CSV of an answer that is not a list',
      table('/api/v1/things/{id}'),
      /text~1csv: only a list has the format text\/csv, and this answer is not a list; remove text\/csv/,
    ],
    [
      'a secret of a new row without x-shown-once',
      issued({ secret: { type: 'string' } }),
      /createThing shows secret, and getThing does not; write x-shown-once: true/,
    ],
    [
      'x-shown-once of a member that is shown again',
      issued({ name: { type: 'string', 'x-shown-once': true } }),
      /getThing shows name too, so remove x-shown-once/,
    ],
  ])('is refused: %s', async (_what, change, expected) => {
    await expect(breaking(change)).resolves.toMatch(expected);
  });

  it.each<[string, (api: Tree) => void]>([
    ['a list in CSV', table('/api/v1/things')],
    [
      'x-untied for a member with other rules than in another version',
      (api) => {
        const { Thing } = api['components']?.['schemas'] ?? {};
        const made = { type: 'integer', 'x-untied': 'GraphQL has moments as text.' };
        const other = { ...Thing, properties: { ...Thing?.['properties'], made_at: made } };
        Object.assign(api['components']?.['schemas'] ?? {}, { ThingV2: other });
      },
    ],
    ['a header by its own name', headers({ 'X-One': reference('X-One') })],
    ['a header with a schema of its own', headers({ 'X-Three': { schema: { type: 'string' } } })],
    [
      'the same message for the same pattern, twice',
      (api) => {
        member('Thing', text('^a$', 'must be a'))(api);
        member('ThingCreate', text('^a$', 'must be a'))(api);
      },
    ],
  ])('is accepted if it is %s', async (_what, change) => {
    const api = openapi();
    change(api);
    expect(await faultsOf(api, sdl())).toEqual([]);
  });

  it('is refused: a size that is not the default of the argument', async () => {
    const size = '@listSize(slicingArguments: ["limit"])';
    const other = (assumed: number) =>
      faultsOf(
        openapi(),
        sdl().replace(size, `@listSize(slicingArguments: ["limit"], assumedSize: ${assumed})`),
      );
    expect((await other(20)).map((fault) => fault.text)).toEqual([]);
    expect((await other(21)).map((fault) => fault.text)).toEqual([
      'assumedSize must be 20, the default of limit',
    ]);
  });

  it('is refused: a cost that differs from the cost of the operation with the same handler', async () => {
    expect(await textsOf(() => undefined)).toEqual([]);
    const dear = await textsOf((twin) => Object.assign(twin, { 'x-cost': 100 }));
    expect(dear).toEqual(['x-cost must be the same as in getThing']);
  });

  it('is refused: an operation whose tie or conflicts differ from those of the operation with the same handler', async () => {
    const untied = await textsOf((twin) => Object.assign(twin, { 'x-untied': 'Nobody asks.' }));
    expect(untied).toEqual([
      'x-untied is not needed, because getThing has the same handler and is tied to Query.thing; remove it',
    ]);
    const both = withTwin((twin) => Object.assign(twin, { 'x-untied': 'Nobody asks.' }));
    Object.assign(both['paths']?.['/api/v1/things/{id}']?.['get'] ?? {}, { 'x-untied': 'Nobody asks.' });
    const alone = sdl().replace('Thing @public', 'Thing @public @untied(reason: "Only GraphQL has it.")');
    const found = (await faultsOf(both, alone)).map((fault) => fault.text);
    expect(found.filter((each) => each.includes('same handler'))).toEqual([]);
    const conflicts = await textsOf((twin) => Object.assign(twin, { 'x-conflicts': ['OUT_OF_STOCK'] }));
    expect(conflicts).toContain('x-conflicts must be the same as in getThing');
  });

  it('is refused: a member of a body that has x-untied in only one of the versions', async () => {
    const size = { type: 'number', 'x-untied': 'Nobody asks.' };
    const faults = async (own: object) => {
      const api = withTwin((twin) => Object.assign(twin, { requestBody: bodyWith(own) }));
      Object.assign(api['paths']?.['/api/v1/things/{id}']?.['get'] ?? {}, { requestBody: bodyWith(size) });
      return (await faultsOf(api, sdl())).map((fault) => fault.text);
    };
    const expected = 'the body must be the same as in getThing';
    expect(await faults(size)).not.toContain(expected);
    expect(await faults({ type: 'number' })).toContain(expected);
  });
});
