import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromAST,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import type { Json } from '../json.ts';
import { faultOfPattern } from '../patterns.ts';
import {
  INT32,
  narrow,
  SHAPE_DEFAULTS,
  SAFE,
  type Bounds,
  type Dto,
  type Member,
  type Shape,
} from '../shape.ts';
import { SCALARS } from './scalars.ts';
import { directive, placeOf, type Sdl } from './schema.ts';

/** The REST values of an enum, by enum and GraphQL name. If a name is missing here, its value is the name itself. */
export type EnumValues = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Input = GraphQLArgument | GraphQLInputField;

const FITTING: Readonly<Record<string, RegExp>> = {
  string: /^(minLength|maxLength|pattern|format)$/,
  integer: /^(minimum|maximum|multipleOf)$/,
  number: /^(minimum|maximum|multipleOf)$/,
  array: /^(minItems|maxItems|uniqueItems)$/,
};
const FORMATS = new Set(['date', 'email', 'uri', 'uri-reference', 'uuid', 'date-time']);

/** The shape of an argument, or of a field of an input type. Null is accepted where the type is nullable. */
export function inputShape(sdl: Sdl, input: Input, name: string, enums: EnumValues): Shape {
  const shape = typeShape(input.type, placeOf(input.astNode, name), enums);
  const bounds = boundsOf(sdl, input, name, shape);
  const ast = input.astNode?.defaultValue;
  const value = ast == null ? undefined : (valueFromAST(ast, input.type) as Json);
  const format = directive(input, 'constraint')?.['format'];
  return {
    ...shape,
    bounds,
    default: withValues(value, input.type, enums),
    format: typeof format === 'string' ? format : null,
    description: input.description ?? undefined,
  };
}

function typeShape(type: GraphQLInputType, place: string, enums: EnumValues): Shape {
  if (isNonNullType(type)) return { ...typeShape(type.ofType, place, enums), nullable: false };
  const base = { ...SHAPE_DEFAULTS, place, nullable: true };
  if (isListType(type)) return { ...base, kind: 'array', items: typeShape(type.ofType, place, enums) };
  if (isInputObjectType(type)) return { ...base, kind: 'object', dto: type.name };
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => enums.get(type.name)?.get(name) ?? name);
    return { ...base, kind: 'string', values };
  }
  const kind = SCALARS[type.name]?.kind ?? 'string';
  const id = type.name === 'ID';
  const range = { Int: INT32, SafeInt: SAFE, ID: { minimum: 1, maximum: Number.MAX_SAFE_INTEGER } }[
    type.name
  ];
  return { ...base, kind, id, bounds: range ?? {} };
}

function boundsOf(sdl: Sdl, input: Input, name: string, shape: Shape): Bounds {
  const constraint = directive(input, 'constraint') ?? {};
  const fault = (text: string): void => sdl.fault(input.astNode, name, text);
  for (const [key, value] of Object.entries(constraint)) {
    const kind = shape.values === null && !shape.id ? shape.kind : 'enum';
    // A cursor is an `ID` too, but it may be 0. All other ids begin at 1.
    if (shape.id && key === 'minimum' && Number(value) === 0) continue;
    if (FITTING[kind]?.test(key) !== true)
      fault(`@constraint(${key}:) does not apply to ${String(input.type)}`);
    const wrong = key === 'pattern' ? faultOfPattern(value) : null;
    if (wrong !== null) fault(`the pattern ${String(value)} ${wrong}`);
    if (key === 'format' && !FORMATS.has(stringOf(value))) fault(`the format ${String(value)} is not known`);
  }
  const { pattern, multipleOf, format: _, uniqueItems, ...rest } = constraint;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, Number(value)]));
  return narrow(shape.id && own['minimum'] === 0 ? { ...shape.bounds, minimum: 0 } : shape.bounds, {
    ...own,
    ...(pattern === undefined ? {} : { patterns: [stringOf(pattern)] }),
    ...(multipleOf === undefined ? {} : { multipleOf: [Number(multipleOf)] }),
    ...(uniqueItems === true ? { uniqueItems } : {}),
  });
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Replaces the enum values of a default by their REST values, because resolvers get the REST values. */
function withValues(value: Json | undefined, type: GraphQLInputType, enums: EnumValues): Json | undefined {
  const names = enums.get(getNamedType(type).name);
  if (names === undefined || value === undefined) return value;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => withValues(item, type, enums) ?? null);
  return typeof value === 'string' ? (names.get(value) ?? value) : value;
}

/**
 * The class of the arguments of a field, or of an input type. `of` is the name of the field or the input type in the
 * SDL.
 */
export function inputDto(
  sdl: Sdl,
  owner: {
    readonly name: string;
    readonly of: string;
    readonly description: string;
    readonly inputs: readonly Input[];
  },
  enums: EnumValues,
): Dto {
  const members = owner.inputs.map((input): Member => {
    const name = `${owner.of}.${input.name}`;
    return {
      name: input.name,
      required: isNonNullType(input.type) && input.defaultValue === undefined,
      shape: inputShape(sdl, input, name, enums),
      tie: undefined,
    };
  });
  return {
    name: owner.name,
    place: owner.of,
    description: owner.description,
    members,
    open: false,
    minProperties: undefined,
    maxProperties: undefined,
  };
}
