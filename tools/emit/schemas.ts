import { isObject, items, member, members, nameOf, textOf, texts, type Node } from '../json.ts';
import { byName, className } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import { comment, HEADER, key, literal } from './text.ts';

/** A type for every component schema. */
export function emitSchemas(document: Document): string {
  const schemas = members(member(member(document.root, 'components'), 'schemas'));
  const types = schemas
    .map(([name, node]): [string, Node] => [className(name), node])
    .toSorted(([a], [b]) => byName(a, b))
    .map(
      ([name, node]) =>
        `${comment(textOf(member(node, 'description')))}export type ${name} = ${schemaType(node)};\n`,
    );
  return HEADER + types.join('\n');
}

/** The TypeScript type of an answer. `prefix` is put before the names of components. */
export function schemaType(node: Node, prefix = ''): string {
  const type = (inner: Node): string => schemaType(inner, prefix);
  const value = isObject(node.value) ? node.value : {};
  const both: string[] = [];
  const reference = textOf(member(node, '$ref'));
  if (reference !== undefined) both.push(prefix + className(nameOf({ value: null, at: reference })));
  both.push(...items(member(node, 'allOf')).map(type));
  const choice = [...items(member(node, 'anyOf')), ...items(member(node, 'oneOf'))];
  if (choice.length > 0) both.push(union(choice.map(type)));
  const values = 'const' in value ? [value['const']] : items(member(node, 'enum')).map((each) => each.value);
  const stated = textOf(member(node, 'type'));
  const types = stated === undefined ? texts(member(node, 'type')) : [stated];
  if (values.length > 0) both.push(union(values.map(literal)));
  else if (types.length > 0) both.push(union(types.map((name) => simple(node, name, type))));
  else if ('properties' in value) both.push(objectType(node, type));
  const [only, ...others] = both;
  if (only === undefined) return 'unknown';
  return others.length === 0 ? only : both.map((part) => `(${part})`).join(' & ');
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ');
}

function simple(node: Node, name: string, type: (inner: Node) => string): string {
  if (name === 'integer' || name === 'number') return 'number';
  if (name === 'array') {
    const inner = member(node, 'items');
    return `readonly (${inner === undefined ? 'unknown' : type(inner)})[]`;
  }
  return name === 'object' ? objectType(node, type) : name;
}

function objectType(node: Node, type: (inner: Node) => string): string {
  const properties = members(member(node, 'properties'));
  const required = new Set(texts(member(node, 'required')));
  const lines = properties.map(([name, inner]) => {
    const words = comment(textOf(member(inner, 'description')));
    return `${words}readonly ${key(name)}${required.has(name) ? '' : '?'}: ${type(inner)};`;
  });
  for (const [name] of properties) required.delete(name);
  lines.push(...[...required].map((name) => `readonly ${key(name)}: unknown;`));
  const further = member(node, 'additionalProperties');
  if (further?.value === true || (further === undefined && lines.length === 0))
    lines.push('readonly [member: string]: unknown;');
  if (isObject(further?.value) && further !== undefined) {
    const map = `{ readonly [member: string]: ${type(further)} }`;
    return lines.length === 0 ? map : `{ ${lines.join('\n')} } & ${map}`;
  }
  return lines.length === 0 ? '{ readonly [member: string]: never }' : `{\n${lines.join('\n')}\n}`;
}
