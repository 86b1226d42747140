import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import type { Schema } from '../../testkit/contract/document.ts';

export interface Argument {
  readonly name: string;
  /** The type as it is written: `[ProductSort!]`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The useful values, without null. */
  readonly schema: Schema;
  /** All values that GraphQL accepts. */
  readonly taken: Schema;
}

export interface RootField {
  /** For example `Query.product`. */
  readonly id: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string;
  readonly description: string;
  readonly type: GraphQLOutputType;
  readonly args: readonly Argument[];
  /** One of these scopes is enough; null when no credential is needed. */
  readonly scopes: readonly string[] | null;
  readonly owner: string | null;
}

type Directed = {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined;
};

/** The root fields of schema.graphql. */
export function readSdl(text: string): readonly RootField[] {
  const schema = buildSchema(text);
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) =>
      rootField(kind, `${type?.name}.${field.name}`, field),
    ),
  );
}

function rootField(kind: RootField['kind'], id: string, field: GraphQLField<unknown, unknown>): RootField {
  const auth = directive(field, 'auth');
  if (!auth && !directive(field, 'public')) throw new Error(`${id} states neither @auth nor @public.`);
  return {
    id,
    kind,
    name: field.name,
    description: field.description ?? '',
    type: field.type,
    args: field.args.map((arg) => {
      const isRequired = isNonNullType(arg.type) && arg.defaultValue === undefined;
      const bounds = directive(arg, 'constraint') ?? {};
      return {
        name: arg.name,
        type: String(arg.type),
        isRequired,
        schema: schemaOf(arg.type, bounds),
        taken: takenOf(arg.type, bounds),
      };
    }),
    scopes: auth ? (auth['scopes'] as readonly string[]) : null,
    owner: (auth?.['owner'] as string | undefined) ?? null,
  };
}

export function directive({ astNode }: Directed, name: string): Record<string, unknown> | null {
  const node = astNode?.directives?.find((each) => each.name.value === name);
  if (!node) return null;
  return Object.fromEntries(
    (node.arguments ?? []).map((arg) => [arg.name.value, valueFromASTUntyped(arg.value)]),
  );
}

const SCALARS: Readonly<Record<string, Schema>> = {
  Int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  SafeInt: { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  DateTime: { type: 'string', format: 'date-time', maxLength: 40 },
};

function schemaOf(type: GraphQLInputType, bounds: Schema): Schema {
  if (isNonNullType(type)) return schemaOf(type.ofType, bounds);
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType, {}), maxItems: 5, ...bounds };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return {
      type: 'object',
      additionalProperties: false,
      required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name),
      properties: Object.fromEntries(
        fields.map((field) => [field.name, schemaOf(field.type, directive(field, 'constraint') ?? {})]),
      ),
    };
  }
  if (type.name === 'ID') return idFrom(bounds);
  const scalar = SCALARS[type.name];
  if (!scalar) throw new Error(`The proof knows no values of the type ${type.name}.`);
  return { ...scalar, ...bounds };
}

/** An id is an integer from 1, as text. With `minimum: 0` it is the cursor of an event, and may be 0. */
function idFrom({ minimum = 1 }: Schema): Schema {
  return {
    type: 'string',
    pattern: minimum === 0 ? `^(0|${ID_PATTERN})$` : `^(${ID_PATTERN})$`,
    examples: ['1'],
  };
}

/** A pattern for the digits of an integer from 1 to 9,007,199,254,740,991. */
const ID_PATTERN = [
  String.raw`[1-9]\d{0,14}`,
  ...String(Number.MAX_SAFE_INTEGER)
    .split('')
    .flatMap((digit, index, digits) => {
      const before = digits.slice(0, index).join('');
      const least = index === 0 ? 1 : 0;
      const rest = digits.length - index - 1;
      return Number(digit) > least ? [String.raw`${before}[${least}-${Number(digit) - 1}]\d{${rest}}`] : [];
    }),
  String(Number.MAX_SAFE_INTEGER),
].join('|');

/** GraphQL accepts a single value instead of a list, an integer as an id, and null instead of an absent value. */
function takenOf(type: GraphQLInputType, bounds: Schema): Schema {
  if (!isNonNullType(type)) return { anyOf: [{ type: 'null' }, wide(type, bounds)] };
  return wide(type.ofType, bounds);
}

function wide(type: GraphQLInputType, bounds: Schema): Schema {
  const schema = schemaOf(type, bounds);
  if (isListType(type)) return { anyOf: [schema, schema.items ?? {}] };
  if (getNamedType(type).name === 'ID') {
    const { minimum = 1 } = bounds;
    return { anyOf: [{ type: 'integer', minimum, maximum: Number.MAX_SAFE_INTEGER }, schema] };
  }
  return schema;
}
