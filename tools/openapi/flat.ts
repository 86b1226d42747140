import { isObject, items, member, members, textOf, texts, type Json, type Node } from '../json.ts';
import { narrow, type Bounds, type Messages } from '../shape.ts';
import type { Document } from './document.ts';

/** One level of a schema with its `$ref` and `allOf` merged. The schemas of members and items are not read. */
export interface Flat {
  readonly at: Node;
  /**
   * The component whose class this schema has: the component that the schema refers to, if the schema adds only
   * keywords that match `WORDS`. Otherwise it is the schema itself, if the schema is a component; null for any other
   * schema.
   */
  readonly component: Node | null;
  readonly types: readonly string[] | null;
  readonly values: readonly Json[] | null;
  readonly formats: readonly string[];
  readonly bounds: Bounds;
  readonly messages: Messages;
  readonly items: readonly Node[];
  readonly properties: ReadonlyMap<string, readonly Node[]>;
  readonly required: ReadonlySet<string>;
  /** Each part with a rule about further members, and the members that the part knows. */
  readonly further: readonly { readonly known: ReadonlySet<string>; readonly rule: Node }[];
  readonly isObject: boolean;
  readonly oneOf: readonly Node[];
  readonly default: Node | undefined;
  readonly readOnly: boolean;
  readonly description: string | undefined;
  readonly enumNames: ReadonlyMap<string, string> | null;
}

/** Keywords that do not change which values are valid. */
const WORDS =
  /^(title|description|examples?|deprecated|readOnly|writeOnly|externalDocs|\$comment|default|x-.*)$/;
const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

/**
 * A value must satisfy all of the nodes. `above` has the places on the way to this place. If one of them comes again,
 * the references form a circle.
 */
export function flatten(
  document: Document,
  nodes: readonly Node[],
  above: readonly string[] = [],
): Flat | undefined {
  let merged: Flat | undefined;
  for (const node of nodes) {
    if (above.includes(node.at)) {
      document.fault(
        node,
        `the schema contains itself: ${[...above, node.at].map((at) => `#${at}`).join(' → ')}`,
      );
      return undefined;
    }
    const here = [...above, node.at];
    const parts = items(member(node, 'allOf'));
    const reference = textOf(member(node, '$ref'));
    if (reference !== undefined) {
      const target = document.find(reference);
      if (target === undefined) {
        document.fault(
          node,
          `the reference ${reference} leads nowhere; a reference must be to a place in this file`,
        );
        return undefined;
      }
      parts.unshift(target);
    }
    let flat = own(document, node);
    const { component: itself } = flat;
    const onlyWords = members(node).every(([name]) => ['$ref', 'allOf'].includes(name) || WORDS.test(name));
    for (const part of parts) {
      const inner = flatten(document, [part], here);
      if (inner === undefined) return undefined;
      const component = onlyWords && parts.length === 1 ? inner.component : null;
      flat = { ...merge(document, inner, flat), component: component ?? itself };
    }
    merged = merged === undefined ? flat : { ...merge(document, merged, flat), component: null };
  }
  return merged;
}

function own(document: Document, node: Node): Flat {
  const value = isObject(node.value) ? node.value : {};
  const bounds: Record<string, unknown> = {};
  for (const name of NUMBERS) if (typeof value[name] === 'number') bounds[name] = value[name];
  if (typeof value['multipleOf'] === 'number') bounds['multipleOf'] = [value['multipleOf']];
  if (typeof value['pattern'] === 'string') bounds['patterns'] = [value['pattern']];
  if (value['uniqueItems'] === true) bounds['uniqueItems'] = true;
  const message = textOf(member(node, 'x-message'));
  const properties = members(member(node, 'properties'));
  const known = new Set(properties.map(([name]) => name));
  const further = member(node, 'additionalProperties');
  const unevaluated = member(node, 'unevaluatedProperties');
  const inner = member(node, 'items');
  const enumNames = members(member(node, 'x-graphql-enum'));
  const constant = member(node, 'const');
  return {
    at: node,
    component: /^\/components\/schemas\/[^/]+$/.test(node.at) ? node : null,
    types: typesOf(node),
    values: valuesOf(member(node, 'enum'), constant),
    formats: typeof value['format'] === 'string' ? [value['format']] : [],
    bounds,
    messages: new Map(message === undefined ? [] : [[textOf(member(node, 'pattern')) ?? '', message]]),
    items: inner === undefined ? [] : [inner],
    properties: new Map(properties.map(([name, property]) => [name, [property]])),
    required: new Set(texts(member(node, 'required'))),
    further: [
      ...(further === undefined ? [] : [{ known, rule: further }]),
      // `unevaluatedProperties` knows the members of the parts too (`allOf` and `$ref`).
      ...(unevaluated === undefined ? [] : [{ known: namedIn(document, node), rule: unevaluated }]),
    ],
    isObject: ['properties', 'additionalProperties', 'required'].some((name) => name in value),
    oneOf: member(node, 'oneOf') === undefined ? [] : [node],
    default: member(node, 'default'),
    readOnly: value['readOnly'] === true,
    description: textOf(member(node, 'description')),
    enumNames:
      enumNames.length === 0 ? null : new Map(enumNames.map(([rest, name]) => [rest, textOf(name) ?? ''])),
  };
}

function typesOf(node: Node): readonly string[] | null {
  const type = member(node, 'type');
  const one = textOf(type);
  return type === undefined ? null : one === undefined ? texts(type) : [one];
}

function valuesOf(list: Node | undefined, constant: Node | undefined): readonly Json[] | null {
  const values = list === undefined ? null : items(list).map(({ value }) => value);
  if (constant === undefined) return values;
  return values === null ? [constant.value] : sameValues(values, [constant.value]);
}

function namedIn(document: Document, node: Node, seen = new Set<string>()): Set<string> {
  if (seen.has(node.at)) return new Set();
  seen.add(node.at);
  const target = document.find(textOf(member(node, '$ref')) ?? '');
  const parts = [...items(member(node, 'allOf')), ...(target === undefined ? [] : [target])];
  return new Set([
    ...members(member(node, 'properties')).map(([name]) => name),
    ...parts.flatMap((part) => [...namedIn(document, part, seen)]),
  ]);
}

/** `b` is the outer schema. Its descriptions replace the descriptions of `a`. */
function merge(document: Document, a: Flat, b: Flat): Flat {
  if (a.default !== undefined && b.default !== undefined) {
    const [first, second] = [a.default.value, b.default.value].map((value) => JSON.stringify(value));
    if (first !== second)
      document.fault(b.default, `the default ${second} contradicts ${first} at #${a.default.at}`);
  }
  const properties = new Map(a.properties);
  for (const [name, nodes] of b.properties) properties.set(name, [...(properties.get(name) ?? []), ...nodes]);
  return {
    at: b.at,
    component: null,
    types: a.types === null || b.types === null ? (a.types ?? b.types) : common(a.types, b.types),
    values: a.values === null || b.values === null ? (a.values ?? b.values) : sameValues(a.values, b.values),
    formats: [...new Set([...a.formats, ...b.formats])],
    bounds: narrow(a.bounds, b.bounds),
    messages: new Map([...a.messages, ...b.messages]),
    items: [...a.items, ...b.items],
    properties,
    required: new Set([...a.required, ...b.required]),
    further: [...a.further, ...b.further],
    isObject: a.isObject || b.isObject,
    oneOf: [...a.oneOf, ...b.oneOf],
    default: b.default ?? a.default,
    readOnly: a.readOnly || b.readOnly,
    description: b.description ?? a.description,
    enumNames: b.enumNames ?? a.enumNames,
  };
}

/** An integer is a number, so the two types have integers in common. */
function common(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...within(a, b), ...within(b, a)])];
}

function within(types: readonly string[], others: readonly string[]): string[] {
  return types.filter((type) => others.includes(type) || (type === 'integer' && others.includes('number')));
}

function sameValues(a: readonly Json[], b: readonly Json[]): Json[] {
  return a.filter((value) => b.includes(value));
}
