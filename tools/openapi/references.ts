import { items, member, members, textOf, type Node } from '../json.ts';
import type { Document } from './document.ts';

/** `x-refers`: a member of a body holds the id of a row. */
export interface Reference {
  readonly node: Node;
  readonly entity: string;
  readonly code: string;
  readonly keeps: string | undefined;
  /** The maximum number of levels in a tree whose rows refer to the row above them. */
  readonly levels: number | undefined;
}

/** The `x-refers` in a schema and in everything in it. */
export function referencesIn(document: Document, schema: Node | undefined): Reference[] {
  return partsOf(document, schema).flatMap(({ schema: own, target }) => {
    // `x-refers` may be beside a `$ref`.
    const node = member(own, 'x-refers') ?? member(target, 'x-refers');
    if (node === undefined) return [];
    return {
      node,
      entity: textOf(member(node, 'entity')) ?? '',
      code: textOf(member(node, 'code')) ?? '',
      keeps: textOf(member(node, 'keeps')),
      levels: member(node, 'levels')?.value as number | undefined,
    };
  });
}

/** A member whose name says that it holds the id of a row of an entity. */
export interface Named {
  readonly name: string;
  readonly node: Node;
  readonly entity: string;
}

/**
 * The members whose names say that they hold ids of rows (`user_id`, `product_ids`), but that have no `x-refers` to the
 * entity of these rows. Only integers and lists of integers count. The service and the proofs read only `x-refers`.
 *
 * @param made the entities whose rows operations make
 */
export function namesWithoutReference(
  document: Document,
  schema: Node | undefined,
  made: ReadonlySet<string>,
): Named[] {
  return partsOf(document, schema).flatMap(({ target }) =>
    sentMembers(document, target).flatMap(([name, node]) => {
      const entity = /_ids?$/.test(name) ? entityOf(name.replace(/_ids?$/, '')) : '';
      const parts = made.has(entity) ? partsOf(document, node) : [];
      const isId = parts.some((part) => [member(part.target, 'type')?.value].flat().includes('integer'));
      const isSaid = referencesIn(document, node).some((reference) => reference.entity === entity);
      return isId && !isSaid ? [{ name, node, entity }] : [];
    }),
  );
}

interface Part {
  readonly schema: Node;
  /** The schema that `$ref` leads to; without `$ref`, the same schema. */
  readonly target: Node;
}

/** A schema and all schemas in it, without the schemas of read-only members. */
function partsOf(document: Document, schema: Node | undefined, seen = new Set<string>()): Part[] {
  const target = schema === undefined ? undefined : document.follow(schema);
  if (schema === undefined || target === undefined || seen.has(schema.at)) return [];
  seen.add(schema.at);
  const inner = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => items(member(target, name))),
    ...sentMembers(document, target).map(([, each]) => each),
    member(target, 'items'),
  ];
  return [{ schema, target }, ...inner.flatMap((each) => partsOf(document, each, seen))];
}

function sentMembers(document: Document, target: Node): [string, Node][] {
  return members(member(target, 'properties')).filter(([, node]) =>
    [node, document.follow(node)].every((each) => member(each, 'readOnly')?.value !== true),
  );
}

/** `order_item` → `OrderItem`. */
function entityOf(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
