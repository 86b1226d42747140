import { describe, expect, it } from 'vitest';
import { breaking, faultsOf, openapi, sdl, type Tree } from './contracts.ts';

/** A second version of a thing, served by the handler of the first. */
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

const member = (name: string, schema: object) => (api: Tree) =>
  void Object.assign(api['components']?.['schemas']?.[name]?.['properties'] ?? {}, {
    extra: { 'x-untied': 'Nobody asks.', ...schema },
  });
/** The faults of the second version, after a change. */
const textsOf = async (change: (twin: Tree) => void) =>
  (await faultsOf(withTwin(change), sdl())).map((fault) => fault.text);
const text = (pattern: string, message: string) => ({ type: 'string', pattern, 'x-message': message });

describe('a part of the contract that nothing checks', () => {
  it.each<[string, (api: Tree) => void, RegExp]>([
    [
      'a header that refers to another one',
      headers({ 'X-One': reference('X-Two') }),
      /the header X-One refers to X-Two; write \$ref: '#\/components\/headers\/X-One'/,
    ],
    [
      'a default in an answer',
      member('Thing', { type: 'boolean', default: true }),
      /Thing\/properties\/extra\/default: a default in an answer says nothing/,
    ],
    [
      'a default in an item of an answer',
      member('Thing', { type: 'array', items: { type: 'integer', default: 1 } }),
      /extra\/items\/default: a default in an answer says nothing/,
    ],
    [
      'a message of another pattern',
      (api) => {
        member('Thing', text('^a$', 'must be a'))(api);
        member('ThingCreate', text('^b$', 'must be a'))(api);
      },
      /ThingCreate\/properties\/extra: x-message is that of another pattern at openapi.yaml:\d+/,
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
      'a reason for an operation that is named like no field',
      (api) => {
        const get = structuredClone(api['paths']?.['/api/v1/things/{id}']?.['get'] as Tree);
        const tea = { ...get, operationId: 'getTea', 'x-untied': 'Nobody asks.' };
        Reflect.deleteProperty(tea, 'x-graphql');
        Object.assign(api['paths'] as Tree, { '/api/v1/tea': { 'x-alias': '/api/tea', get: tea } });
      },
      /x-untied is not needed, because nothing in schema.graphql is named like getTea; remove it/,
    ],
    [
      'a reason for a schema that is named like no type',
      (api) =>
        void Object.assign(api['components']?.['schemas'] ?? {}, {
          Tea: { type: 'object', 'x-untied': 'Nobody asks.', properties: { id: { type: 'integer' } } },
        }),
      /x-untied is not needed, because nothing in schema.graphql is named like Tea; remove it/,
    ],
    [
      'a reason for a member of a schema that is tied to nothing',
      (api) =>
        void Object.assign(api['components']?.['schemas'] ?? {}, {
          Tea: { type: 'object', properties: { id: { type: 'integer', 'x-untied': 'Nobody asks.' } } },
        }),
      /x-untied is not needed, because nothing in schema.graphql is named like Tea.id; remove it/,
    ],
  ])('is refused: %s', async (_what, change, expected) => {
    await expect(breaking(change)).resolves.toMatch(expected);
  });

  it.each<[string, (api: Tree) => void]>([
    ['a header by its own name', headers({ 'X-One': reference('X-One') })],
    ['a header with a schema of its own', headers({ 'X-Three': { schema: { type: 'string' } } })],
    [
      'one message of one pattern, twice',
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

  it('is refused: another cost than that of the operation with the same handler', async () => {
    expect(await textsOf(() => undefined)).toEqual([]);
    const dear = await textsOf((twin) => Object.assign(twin, { 'x-cost': 100 }));
    expect(dear).toEqual(['x-cost must be the same as in getThing']);
  });
});
