import { isObject, items, member, members, nameOf, typeOf, type Node } from '../json.ts';
import { className } from '../names.ts';
import type { Dto } from '../shape.ts';
import { templateNames } from './addresses.ts';
import { checkKeywords } from './keywords.ts';
import type { Document } from './document.ts';
import type { Body, Endpoint } from './model.ts';
import type { Shapes } from './shapes.ts';

const JSON_PATCH = 'application/json-patch+json';
const SMALL_BODY_BYTES = 16_384;
const MAX_BODY_BYTES = 1_048_576;

/** The media types of a content, and their schema. All media types have the same schema, except a JSON patch. */
export function contentOf(
  shapes: Shapes,
  owner: Node,
  seen: Set<string>,
): { mediaTypes: string[]; schema: Node | null } {
  const { document } = shapes;
  const content = members(member(owner, 'content'));
  const schemas = content.map(([name, node], index) => {
    const schema = member(node, 'schema');
    if (schema === undefined) document.fault(node, `the media type ${name} has no schema`);
    else checkKeywords(document, schema, seen);
    // Only the first media type needs an example, because the others show the same data.
    if (index === 0 && !hasExample(node) && !isShown(document, schema, new Set())) {
      document.fault(
        node,
        `the media type ${name} has no example; write one into its schema: examples: [{ id: 1, name: Chai }]`,
      );
    }
    return schema;
  });
  const [first] = schemas;
  // The schema of a JSON patch differs, because a patch is a list of changes.
  const same = schemas.filter((_schema, index) => content[index]?.[0].toLowerCase() !== JSON_PATCH);
  if (same.some((schema) => JSON.stringify(schema?.value) !== JSON.stringify(first?.value))) {
    document.fault(owner, 'all media types must have the same schema');
  }
  return { mediaTypes: content.map(([name]) => name.toLowerCase()), schema: first ?? null };
}

function hasExample(node: Node): boolean {
  return member(node, 'example') !== undefined || members(member(node, 'examples')).length > 0;
}

/**
 * Whether a schema has an example: its own (a `const` is one too), that of the first part of its `anyOf` or `allOf`,
 * that of its items, or one of each of its members.
 */
function isShown(document: Document, schema: Node | undefined, above: ReadonlySet<string>): boolean {
  const target = schema === undefined ? undefined : document.follow(schema);
  if (target === undefined || above.has(target.at)) return false;
  const seen = new Set([...above, target.at]);
  if (items(member(target, 'examples')).length > 0 || member(target, 'const') !== undefined) return true;
  const [alternative] = [...items(member(target, 'anyOf')), ...items(member(target, 'allOf'))];
  if (alternative !== undefined) return isShown(document, alternative, seen);
  const item = member(target, 'items');
  if (item !== undefined) return isShown(document, item, seen);
  const properties = members(member(target, 'properties'));
  return properties.length > 0 && properties.every(([, each]) => isShown(document, each, seen));
}

/** The media types of the bodies that the service reads. */
const READ: readonly string[] = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
];

/** @param shown the members of the row that the answer shows */
export function bodyOf(
  shapes: Shapes,
  endpoint: Endpoint,
  shown: readonly string[],
  seen: Set<string>,
): Body | null {
  const { document } = shapes;
  const reference = member(endpoint.node, 'requestBody');
  const node = reference === undefined ? undefined : document.follow(reference);
  if (node === undefined) return null;
  const { mediaTypes, schema } = contentOf(shapes, node, seen);
  if (mediaTypes.length === 0 || schema === null) {
    return document.fault(node, 'a request body needs a content with a schema') ?? null;
  }
  for (const type of mediaTypes.filter((each) => !READ.includes(each))) {
    document.fault(
      node,
      `${type}: the service reads no body of this media type; it can be ${READ.join(', ')}`,
    );
  }
  const shape = shapes.of([schema], `${endpoint.id} Body`);
  if (shape === undefined) return null;
  if (shape.dto === null || shape.nullable) {
    const what = shape.nullable ? 'null' : `a ${shape.kind === 'array' ? 'list' : shape.kind}`;
    return document.fault(schema, `a request body must be an object with named members, not ${what}`) ?? null;
  }
  const members_ = shapes.dtos.get(shape.dto)?.members ?? [];
  const readOnly = members_.filter((each) => each.shape.readOnly).map(({ name }) => name);
  const inPath = templateNames(endpoint.template);
  // If the path names no row, read-only members cannot be compared with anything. So the service would have to refuse
  // any value.
  const compared = inPath.length === 0 ? [] : [...inPath, ...shown];
  for (const name of readOnly.filter((each) => !compared.includes(each))) {
    document.fault(schema, `the member ${name} is read-only, but the path names no row that shows it`);
  }
  refuseInnerReadOnly(shapes, schema, shape.dto, new Set());
  const required = member(node, 'required')?.value === true;
  const patch = patchOf(shapes, node);
  return { dto: shape.dto, mediaTypes, required, readOnly, maxBytes: maxBytesOf(document, node), patch };
}

/** The class of a JSON patch. Its one member `operations` is the list that the client sends. */
function patchOf(shapes: Shapes, body: Node): string | null {
  const { document } = shapes;
  const found = members(member(body, 'content')).find(([type]) => type.toLowerCase() === JSON_PATCH);
  const reference = member(found?.[1], 'schema');
  const schema = reference && document.follow(reference);
  if (schema === undefined) return null;
  const name = className(nameOf(schema));
  if (shapes.dtos.has(name)) return name;
  const shape = shapes.of([schema], name);
  if (shape === undefined) return null;
  if (shape.kind !== 'array' || shape.nullable || shape.items?.dto == null)
    return document.fault(schema, 'a JSON patch must be a list of objects') ?? null;
  shapes.claim(name, schema);
  shapes.dtos.set(name, {
    name,
    place: document.place(schema),
    description: 'A JSON patch, as the one member of an object.',
    members: [{ name: 'operations', required: true, shape, tie: false }],
    open: false,
    minProperties: undefined,
    maxProperties: undefined,
  });
  return name;
}

/**
 * Without `x-max-body`, the bound is small, because reading a body takes time, and most bodies contain only a few
 * texts.
 */
function maxBytesOf(document: Document, body: Node): number {
  const node = member(body, 'x-max-body');
  if (node === undefined) return SMALL_BODY_BYTES;
  const { value } = node;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_BODY_BYTES)
    return value;
  document.fault(node, `x-max-body must be a number of bytes from 1 to ${MAX_BODY_BYTES}`);
  return SMALL_BODY_BYTES;
}

/**
 * The application compares read-only members at the top of a body only. It would not find read-only members inside of
 * other members.
 */
function refuseInnerReadOnly(shapes: Shapes, body: Node, name: string, seen: Set<string>): void {
  for (const inner of innerDtos(shapes.dtos.get(name))) {
    if (seen.has(inner)) continue;
    seen.add(inner);
    for (const each of shapes.dtos.get(inner)?.members ?? []) {
      if (each.shape.readOnly)
        shapes.document.fault(body, `${inner}.${each.name} is read-only, but not at the top of the body`);
    }
    refuseInnerReadOnly(shapes, body, inner, seen);
  }
}

/** The classes of the members of a class. */
export function innerDtos(dto: Dto | undefined): string[] {
  return (dto?.members ?? []).flatMap(({ shape }) => {
    let inner = shape;
    while (inner.items !== null) inner = inner.items;
    return [...(inner.dto === null ? [] : [inner.dto]), ...(inner.union?.dtos.values() ?? [])];
  });
}

/** Members that only clients send must not be in an answer: the generated type of the answer would have them too. */
export function refuseWriteOnly(shapes: Shapes, schema: Node, seen: Set<string>): void {
  if (seen.has(schema.at)) return;
  seen.add(schema.at);
  const { document } = shapes;
  if (member(schema, 'writeOnly')?.value === true)
    document.fault(schema, 'an answer has a write-only member');
  const target = member(schema, '$ref') === undefined ? undefined : document.follow(schema);
  const inner = members(schema).filter(([name]) =>
    /^(properties|allOf|anyOf|oneOf|items|additionalProperties)$/.test(name),
  );
  for (const [name, node] of inner) {
    const nested = name === 'items' || name === 'additionalProperties' ? [node] : nodesIn(node);
    for (const each of nested) if (isObject(each.value)) refuseWriteOnly(shapes, each, seen);
  }
  if (target !== undefined) refuseWriteOnly(shapes, target, seen);
}

function nodesIn(node: Node): Node[] {
  if (typeOf(node.value) !== 'array') return members(node).map(([, value]) => value);
  return (node.value as readonly Node['value'][]).map((value, index) => ({
    value,
    at: `${node.at}/${index}`,
  }));
}
