import { ContractError, type ContractFault } from '../../tools/faults.ts';
import { emit } from '../../tools/codegen.ts';

/** A contract. A test may change each part of it. */
export interface Tree {
  [name: string]: Tree;
}
const tree = (value: unknown): Tree => value as Tree;

const ID = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const NAME = { type: 'string', minLength: 1, maxLength: 20, pattern: '^\\S*$' };
const SORT = {
  name: 'sort',
  in: 'query',
  description: 'The order.',
  'x-graphql-enum': { id: 'ID_ASC', '-id': 'ID_DESC' },
  schema: { type: 'array', maxItems: 2, uniqueItems: true, items: { type: 'string', enum: ['id', '-id'] } },
};

const LIMIT = {
  name: 'limit',
  in: 'query',
  description: 'How many.',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 },
};

/** Parts that are used twice are copied, so that a test changes only one of them. */
const separate = (value: object): unknown => JSON.parse(JSON.stringify(value));

const json = (schema: object, example: unknown): object => ({ 'application/json': { schema, example } });

/** A small valid service in OpenAPI, which agrees with `sdl()`. */
export function openapi(): Tree {
  const thing = { $ref: '#/components/schemas/Thing' };
  const id = { name: 'id', in: 'path', required: true, description: 'The id.', schema: { ...ID } };
  const words = { description: 'Words.', tags: ['things'] };
  return tree(
    separate({
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      servers: [{ url: '/' }],
      paths: {
        '/api/v1/things': {
          'x-alias': '/api/things',
          get: {
            ...words,
            operationId: 'listThings',
            security: [],
            parameters: [LIMIT, SORT],
            responses: {
              200: { description: 'Things.', content: json({ type: 'array', items: thing }, []) },
              400: { description: 'Bad.' },
            },
          },
          post: {
            ...words,
            operationId: 'createThing',
            security: [{ key: ['things:write'] }],
            requestBody: {
              required: true,
              content: json({ $ref: '#/components/schemas/ThingCreate' }, { name: 'x' }),
            },
            responses: {
              201: {
                description: 'Made.',
                links: { self: { operationId: 'getThing', parameters: { id: '$response.body#/id' } } },
                content: json(thing, { id: 1, name: 'x' }),
              },
            },
          },
        },
        '/api/v1/things/{id}': {
          'x-alias': '/api/things/{id}',
          parameters: [id],
          get: {
            ...words,
            operationId: 'getThing',
            security: [],
            responses: { 200: { description: 'One.', content: json(thing, { id: 1, name: 'x' }) } },
          },
        },
      },
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Key', 'x-scopes': ['things:write', 'admin'] },
        },
        schemas: {
          Thing: {
            type: 'object',
            'x-entity': 'Thing',
            required: ['id', 'name', 'made_at'],
            properties: {
              id: { ...ID },
              name: { ...NAME },
              made_at: { type: ['string', 'null'], format: 'date-time' },
            },
          },
          Size: { type: 'number', minimum: 0, multipleOf: 0.5, default: 1.5 },
          ThingCreate: {
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: {
              name: { ...NAME },
              size: { $ref: '#/components/schemas/Size' },
              in_use: { type: 'boolean' },
            },
          },
        },
      },
    }),
  );
}

/** The same service in SDL. */
export function sdl(): string {
  return `
"Who." directive @auth("One of." scopes: [String!]! "Whose." owner: String) on FIELD_DEFINITION
"All." directive @public on FIELD_DEFINITION
"Cost." directive @cost("Weight." weight: Int!) on FIELD_DEFINITION
"Size." directive @listSize("Most." assumedSize: Int "Which." slicingArguments: [String!]
  "Where." sizedFields: [String!]) on FIELD_DEFINITION
"Bounds." directive @constraint("a" minimum: Float "b" maximum: Float "c" multipleOf: Float "d" minLength: Int
  "e" maxLength: Int "f" pattern: String "g" minItems: Int "h" maxItems: Int "i" uniqueItems: Boolean
  "j" format: String) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
"Alone." directive @untied("Why." reason: String!) on OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_OBJECT
  | INPUT_FIELD_DEFINITION | ENUM
"A moment." scalar DateTime
"Reading." type Query {
  "One." thing("Its id." id: ID!): Thing @public
  "Many." things(
    "How many." limit: Int = 20 @constraint(minimum: 1, maximum: 100)
    "Order." sort: [ThingSort!] @constraint(maxItems: 2, uniqueItems: true)
    "Only here." mood: String @untied(reason: "REST has no moods.")
  ): [Thing!] @public @listSize(slicingArguments: ["limit"])
}
"Changing." type Mutation {
  "Makes one." createThing(
    "Name." name: String! @constraint(minLength: 1, maxLength: 20, pattern: "^\\\\S*$")
    "Size." size: Float = 1.5 @constraint(minimum: 0, multipleOf: 0.5)
    "Use." inUse: Boolean
  ): Thing @auth(scopes: ["things:write"]) @cost(weight: 10)
}
"A thing." type Thing {
  "Id." id: ID!
  "Name." name: String!
  "When." madeAt: DateTime
}
"Orders." enum ThingSort { "Up." ID_ASC "Down." ID_DESC }
`;
}

/** The faults of a pair of contracts; empty if they are valid. */
export async function faultsOf(api: Tree | string, graphql = sdl()): Promise<readonly ContractFault[]> {
  try {
    await emit(typeof api === 'string' ? api : JSON.stringify(api, null, 2), graphql);
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.faults;
    throw error;
  }
}

/** Changes the two valid contracts, and returns the faults as lines. */
export async function breaking(change: (api: Tree) => void, from = '', to = ''): Promise<string> {
  const api = openapi();
  change(api);
  const graphql = sdl();
  if (!graphql.includes(from)) throw new Error(`the SDL has no ${from}`);
  const faults = await faultsOf(
    api,
    graphql.replace(from, () => to),
  );
  return faults.map(({ place, text }) => `${place}: ${text}`).join('\n');
}
