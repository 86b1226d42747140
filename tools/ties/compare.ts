import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLType,
} from 'graphql';
import { weightOf } from '../graphql/fields.ts';
import type { EnumValues } from '../graphql/inputs.ts';
import { inputShape } from '../graphql/inputs.ts';
import { directive, placeOf, type Sdl } from '../graphql/schema.ts';
import { withoutVersion } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import { INT32, type Bounds, type Member, type Shape } from '../shape.ts';
import type { Pair } from './collect.ts';
import type { Exceptions } from './exceptions.ts';
import { lookUp } from './look-up.ts';
import { connectionOf } from './names.ts';

/** Adds a fault, with both places and both values, for each disagreement of a pair, unless `exceptions` allows it. */
export function compare(
  document: Document,
  sdl: Sdl,
  { member, coordinate, target, operation }: Pair,
  enums: EnumValues,
  exceptions: Exceptions,
): void {
  const there = placeOf(target.node.astNode, coordinate);
  const fault = (what: string, here: string, other: string): void => {
    const exception = `${member.name}.${EXCEPTIONS[what] ?? what.replace('the ', '')}`;
    if (operation !== null && exceptions.allows(operation, exception)) return;
    const hint = operation === null ? '' : exceptions.hint(operation, exception);
    const text = `${member.name}: ${what} is ${here} here, but ${other} at ${there}${hint}`;
    document.faultAt(member.shape.place, text);
  };
  const { type } = target.node;
  const wrong = typeFault(member.shape, type);
  if (wrong !== null) return fault('the type', wrong, String(type));
  const required = member.required && !member.shape.nullable;
  if (target.kind === 'field') {
    if (required !== isNonNullType(type)) fault('it', presence(member), String(type));
    return;
  }
  const input = inputShape(sdl, target.node, coordinate, enums);
  const sdlRequired = isNonNullType(type) && target.node.defaultValue === undefined;
  if (required !== sdlRequired) fault('it', presence(member), sdlRequired ? 'required' : 'optional');
  if (member.shape.nullable && isNonNullType(type)) fault('it', 'nullable', String(type));
  const [own, other] = [member.shape.default, input.default ?? sizeWithout(sdl, coordinate)].map(
    (value) => JSON.stringify(value) ?? 'nothing',
  );
  if (own !== other) fault('the default', own ?? '', other ?? '');
  const [price, otherPrice] = [member.cost ?? 0, weightOf(target.node)];
  if (price !== otherPrice) fault('the cost', String(price), String(otherPrice));
  compareBounds(member.shape, input, fault);
}

const EXCEPTIONS: Readonly<Record<string, string>> = { it: 'required' };

/**
 * The default of an argument with the number of items of a connection (`first`, `last`). Undefined for any other
 * argument.
 */
function sizeWithout(sdl: Sdl, coordinate: string): number | undefined {
  const [type, field, argument = ''] = coordinate.split('.');
  const owner = lookUp(sdl, `${type}.${field}`);
  if (owner?.kind !== 'field' || connectionOf(owner.node)?.sizes.includes(argument) !== true)
    return undefined;
  const size = directive(owner.node, 'listSize')?.['assumedSize'];
  return size === undefined ? undefined : Number(size);
}

function presence({ required, shape }: Member): string {
  return `${required ? 'required' : 'optional'}${shape.nullable ? ' and nullable' : ' and never null'}`;
}

type Fault = (what: string, here: string, other: string) => void;

function compareBounds(rest: Shape, input: Shape, fault: Fault): void {
  // A moment is not a text in GraphQL, so the bounds of the text have no counterpart.
  if (input.kind === 'date') return;
  const names = new Set([...Object.keys(rest.bounds), ...Object.keys(input.bounds)]) as Set<keyof Bounds>;
  for (const name of [...names].toSorted()) {
    const [own, other] = [rest.bounds[name], input.bounds[name]].map(
      (value) => JSON.stringify(value) ?? 'nothing',
    );
    if (own !== other) fault(name === 'patterns' ? 'pattern' : name, own ?? '', other ?? '');
  }
  if (rest.kind === 'string' && input.kind === 'string' && rest.format !== input.format) {
    fault('the format', rest.format ?? 'nothing', input.format ?? 'nothing');
  }
  if (rest.items !== null && input.items !== null && rest.items.kind !== 'object') {
    compareBounds(rest.items, input.items, (what, here, other) => fault(`${what} of its items`, here, other));
  }
}

/** The name of the REST type when the SDL type does not fit it; null when it fits. */
function typeFault(shape: Shape, type: GraphQLType): string | null {
  const inner = getNullableType(type);
  const is = (holds: boolean): string | null => (holds ? null : describe(shape));
  if (isListType(inner)) {
    if (shape.kind !== 'array' || shape.items === null) return describe(shape);
    const item: GraphQLType = inner.ofType;
    if (shape.items.nullable === isNonNullType(item)) return describe(shape);
    return typeFault(shape.items, item) === null ? null : describe(shape);
  }
  if (isEnumType(inner)) return is(shape.kind === 'string' && shape.values !== null);
  if (isObjectType(inner) || isInputObjectType(inner))
    return is(shape.kind === 'object' && (shape.tie ?? withoutVersion(shape.dto ?? '')) === inner.name);
  const { minimum = -Infinity, maximum = Infinity } = shape.bounds;
  switch (getNamedType(inner).name) {
    case 'ID':
      return is(shape.kind === 'integer' && minimum >= 1);
    case 'Int':
      return is(shape.kind === 'integer' && minimum >= INT32.minimum && maximum <= INT32.maximum);
    case 'SafeInt':
      return is(shape.kind === 'integer');
    case 'Float':
      return is(shape.kind === 'number');
    case 'Boolean':
      return is(shape.kind === 'boolean');
    case 'DateTime':
      return is(shape.kind === 'string' && shape.format === 'date-time');
    default:
      return is(shape.kind === 'string');
  }
}

function describe(shape: Shape): string {
  const format = shape.format === null ? '' : ` (${shape.format})`;
  const name = shape.dto ?? shape.kind;
  if (shape.items === null) return `${name}${format}`;
  return `${name} of ${describe(shape.items)}${shape.items.nullable ? ' or null' : ''}`;
}
