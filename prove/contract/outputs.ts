import {
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
} from 'graphql';
import { requireThat } from '../options.ts';
import { directive } from './sdl.ts';

/** A selection of everything below a type, to this depth. A list with the argument `limit` has two items at most. */
export function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const selected = Object.values(named.getFields()).filter(isSelected(depth));
  const fields = selected.map((field) => {
    if (!isObjectType(getNamedType(field.type))) return field.name;
    const limit = field.args.some(({ name }) => name === 'limit') ? '(limit: 2)' : '';
    return `${field.name}${limit} ${selectionOf(field.type, depth - 1)}`;
  });
  return `{ __typename ${fields.join(' ')} }`;
}

const isSelected =
  (depth: number) =>
  ({ type }: GraphQLField<unknown, unknown>): boolean =>
    depth > 0 || !isObjectType(getNamedType(type));

/** Whether the field at this path below a root field has an `@auth` of its own, and so can be refused alone. */
export function isGuarded(type: GraphQLOutputType, path: readonly (string | number)[]): boolean {
  const [name, ...rest] = path.filter((step) => typeof step === 'string');
  const named = getNamedType(type);
  const field = isObjectType(named) && name !== undefined ? named.getFields()[name] : undefined;
  if (!field) return false;
  return rest.length === 0 ? directive(field, 'auth') !== null : isGuarded(field.type, rest);
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const OUTPUTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string' && /^\d+$/.test(value),
  SafeInt: (value) => Number.isSafeInteger(value),
  DateTime: (value) => typeof value === 'string' && MOMENT.test(value),
};

/**
 * @param depth the depth of the selection of the operation
 * @throws Broken when a value does not have its type in the schema, or lacks a selected field
 */
export function requireType(place: string, type: GraphQLOutputType, value: unknown, depth: number): void {
  if (isNonNullType(type)) {
    requireThat(value !== null, () => `${place} is null, and must not be.`);
    return requireType(place, type.ofType, value, depth);
  }
  if (value === null) return;
  if (isListType(type)) {
    requireThat(Array.isArray(value), () => `${place} is not a list.`);
    return value.forEach((item, index) => requireType(`${place}/${index}`, type.ofType, item, depth));
  }
  const named = type as GraphQLNamedOutputType;
  if (isObjectType(named)) return requireObject(place, named, value, depth);
  const isRight = isEnumType(named)
    ? typeof value === 'string' && named.getValue(value) !== undefined
    : OUTPUTS[named.name]?.(value);
  requireThat(isRight === true, () => `${place} is ${JSON.stringify(value)}, which is no ${named.name}.`);
}

function requireObject(place: string, named: GraphQLObjectType, value: unknown, depth: number): void {
  const { name } = named;
  const fields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = named.getFields();
  requireThat(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    () => `${place} is not an object.`,
  );
  for (const [member, inner] of Object.entries(value)) {
    if (member === '__typename') {
      requireThat(inner === name, () => `${place} has the __typename ${String(inner)}, but is a ${name}.`);
      continue;
    }
    const field = fields[member];
    requireThat(field !== undefined, () => `${place} has ${member}, which ${name} does not have.`);
    requireType(`${place}/${member}`, field.type, inner, depth - 1);
  }
  const selected = [
    '__typename',
    ...Object.values(fields)
      .filter(isSelected(depth))
      .map((field) => field.name),
  ];
  const missing = selected.filter((member) => !(member in value));
  requireThat(missing.length === 0, () => `${place} lacks ${missing.join(', ')}, which was selected.`);
}
