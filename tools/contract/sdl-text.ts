import { Kind, parse, type TypeNode } from 'graphql';
import { camelCase, withoutVersion } from '../names.ts';
import { ID, INT32, SAFE, type Bounds, type Member, type Shape } from '../shape.ts';
import type { Access } from '../ties/access.ts';
import type { Names } from '../ties/names.ts';

/** The parts of schema.graphql as texts: definitions, types, bounds, directives and descriptions. */

/** The definitions of arguments, by name. */
export function argumentsOf(
  coordinate: string,
  inputs: readonly Member[],
  ties: Names,
): (readonly [string, string])[] {
  return inputs.flatMap((each) => {
    const name = camelCase(each.name);
    const isOther = each.tie !== undefined && each.tie !== `${coordinate}.${name}`;
    const text = isOther ? null : definitionOf(name, each, ties, true);
    return text === null ? [] : [[name, text] as const];
  });
}

/**
 * The definition of a field or an argument. It is null for a member without a description, and for a member whose type
 * does not follow from openapi.yaml (such as an enum), or is not in schema.graphql.
 */
export function definitionOf(
  name: string,
  { shape, required, cost }: Member,
  ties: Names,
  isInput: boolean,
): string | null {
  const type = typeOf(shape, ties);
  if (type === null || shape.description === undefined) return null;
  const fallback = isInput && shape.default !== undefined ? ` = ${JSON.stringify(shape.default)}` : '';
  const mark = required && !shape.nullable && fallback === '' ? '!' : '';
  const bounds = isInput ? constraintOf(shape, type) : '';
  const price = isInput && cost ? ` @cost(weight: ${cost})` : '';
  return `${described(shape.description)}\n${name}: ${type}${mark}${fallback}${bounds}${price}`;
}

/** The type without its `!`. */
function typeOf(shape: Shape, ties: Names): string | null {
  const { minimum = -Infinity, maximum = Infinity } = shape.bounds;
  switch (shape.kind) {
    case 'integer':
      if (minimum === ID.minimum && maximum === ID.maximum) return 'ID';
      return minimum >= INT32.minimum && maximum <= INT32.maximum ? 'Int' : 'SafeInt';
    case 'number':
      return 'Float';
    case 'boolean':
      return 'Boolean';
    case 'string':
      if (shape.values !== null) return null;
      return shape.format === 'date-time' ? 'DateTime' : 'String';
    case 'array': {
      const item = shape.items && typeOf(shape.items, ties);
      return item && `[${item}${shape.items?.nullable ? '' : '!'}]`;
    }
    case 'object': {
      const name = shape.tie ?? withoutVersion(shape.dto ?? '');
      return ties.hasType(name) ? name : null;
    }
    default:
      return null;
  }
}

function constraintOf({ bounds }: Shape, type: string): string {
  if (type === 'ID' || type === 'DateTime') return '';
  const implied: Bounds = { Int: INT32, SafeInt: SAFE }[type] ?? {};
  const { patterns = [], multipleOf = [], ...others } = bounds;
  const stated = { ...others, pattern: patterns[0], multipleOf: multipleOf[0] };
  const parts = Object.entries(stated)
    .filter(([name, value]) => value !== undefined && implied[name as keyof Bounds] !== value)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return parts.length === 0 ? '' : ` @constraint(${parts.join(', ')})`;
}

export function directiveOf({ isPublic, scopes, owner }: Access): string {
  if (isPublic) return '@public';
  const names = [...new Set(scopes.flat())].map((scope) => JSON.stringify(scope)).join(', ');
  return `@auth(scopes: [${names}]${owner === null ? '' : `, owner: "${owner}"`})`;
}

export function described(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= 100 && !/["\\]/.test(line)) return `"${line}"`;
  const words = line.replaceAll('"""', String.raw`\"""`);
  return `"""\n${words.replaceAll(/(.{1,104})(?: |$)/g, '$1\n')}"""`;
}

/** The description in the definition of a field or of an argument. */
export function descriptionIn(definition: string | undefined): string | undefined {
  if (definition === undefined) return undefined;
  const [type] = parse(`input T { ${definition} }`, { noLocation: true }).definitions;
  return type?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? type.fields?.[0]?.description?.value : undefined;
}

export function nameOfType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOfType(type.type);
}
