import { isDeepStrictEqual } from 'node:util';
import { isObject, items, member, members, textOf, type Node } from '../json.ts';
import type { Sdl } from '../graphql/schema.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import type { TiedOperation } from './collect.ts';
import { allNamesOf, fieldTiedTo, namesOf, typeTiedTo, type Names } from './names.ts';

/** Members of a schema that explain it. */
const WORDS = new Set(['x-untied', 'title', 'description', 'example', 'examples']);

/**
 * Refuses `x-untied` in the places that do not need it:
 *
 * - beside `x-graphql`;
 * - at an operation or a schema that has no counterpart;
 * - at the members of such a schema, or of a schema with `x-untied`;
 * - at one of two operations or members that are alike, if the other is tied.
 *
 * Also refuses an operation or a schema without `x-untied` if the part with the same name in the SDL is `@untied`.
 */
export function refuseUnneeded(
  document: Document,
  rest: Rest,
  sdl: Sdl,
  tied: readonly TiedOperation[],
): void {
  const [names, all] = [namesOf(sdl), allNamesOf(sdl)];
  const droppedInSilence = (node: Node, name: string, by: string | null, without: string | null): void => {
    if (by === null && without !== null)
      document.fault(
        node,
        `${name} is named like ${without}, which is @untied; write x-untied here too, with the reason, or remove @untied there`,
      );
  };
  const fault = (node: Node, name: string): void => {
    const untied = member(node, 'x-untied');
    if (untied !== undefined)
      document.fault(
        untied,
        `x-untied is not needed, because nothing in schema.graphql is named like ${name}; remove it`,
      );
  };
  for (const operation of rest.operations) {
    const { id, node } = operation;
    droppedInSilence(node, id, fieldTiedTo(names, operation), fieldTiedTo(all, operation));
    const field = fieldTiedTo(names, { ...operation, node: withoutReason(operation.node) });
    if (field === null) fault(operation.node, operation.id);
    else refuseOneOfTwins(document, rest, names, operation, field);
  }
  const bodies = new Set(tied.map(({ operation }) => operation.body?.dto));
  for (const [name, schema] of members(member(member(document.root, 'components'), 'schemas'))) {
    droppedInSilence(schema, name, typeTiedTo(names, schema, name), typeTiedTo(all, schema, name));
    if (typeTiedTo(names, withoutReason(schema), name) !== null) {
      if (member(schema, 'x-untied') !== undefined) refuseTwice(document, schema, name);
      continue;
    }
    fault(schema, name);
    if (bodies.has(name)) continue;
    for (const [key, property] of membersBelow(schema)) fault(property, `${name}.${key}`);
  }
  refuseContradictions(document, document.root);
  refuseOneOfTwo(document, names, tied);
}

/** Refuses `x-untied` at the members of a schema that is `x-untied` as a whole. */
function refuseTwice(document: Document, schema: Node, name: string): void {
  for (const [, property] of membersBelow(schema)) {
    const untied = member(property, 'x-untied');
    if (untied !== undefined)
      document.fault(untied, `x-untied is not needed, because all of ${name} is untied; remove it`);
  }
}

/**
 * Operations of two versions with one handler have the same input and the same callers, so either both are tied, or
 * neither is.
 *
 * @param field the field that the operation would be tied to without `x-untied`
 */
function refuseOneOfTwins(
  document: Document,
  { operations }: Rest,
  names: Names,
  operation: Operation,
  field: string,
): void {
  const untied = member(operation.node, 'x-untied');
  const twin = operations.find(({ id, sameAs }) => id === operation.sameAs || sameAs === operation.id);
  if (untied === undefined || twin === undefined || fieldTiedTo(names, twin) !== field) return;
  document.fault(
    untied,
    `x-untied is not needed, because ${twin.id} has the same handler and is tied to ${field}; remove it`,
  );
}

function refuseContradictions(document: Document, node: Node): void {
  const [untied, tie] = [member(node, 'x-untied'), textOf(member(node, 'x-graphql'))];
  if (untied !== undefined && tie !== undefined)
    document.fault(untied, `x-untied contradicts x-graphql: ${tie} beside it; remove one of them`);
  for (const [name, inner] of members(node))
    if (!/^examples?$/.test(name)) refuseContradictions(document, inner);
  for (const inner of items(node)) refuseContradictions(document, inner);
}

/** The members of a schema, and the members of its members: `keys`, `keys.crv`. */
function membersBelow(schema: Node): (readonly [name: string, property: Node])[] {
  return members(member(schema, 'properties')).flatMap(([key, property]) => {
    const inner = [property, member(property, 'items')].filter((each) => each !== undefined);
    const below = inner.flatMap(membersBelow).map(([name, node]) => [`${key}.${name}`, node] as const);
    return [[key, property] as const, ...below];
  });
}

/**
 * Two schemas can be tied to the same type, and two bodies can belong to the same mutation. If both have the same
 * member with the same rules, and only one of the two members is tied, `x-untied` at the other member is refused: its
 * reason would be wrong in one of the two places.
 */
function refuseOneOfTwo(document: Document, names: Names, operations: readonly TiedOperation[]): void {
  const tied = new Map<string, [place: string, rules: Node['value']]>();
  const untied: [coordinate: string, property: Node][] = [];
  for (const [name, schema] of members(member(member(document.root, 'components'), 'schemas'))) {
    const type = typeTiedTo(names, schema, name);
    const owners = [
      ...(type === null ? [] : [type]),
      ...operations
        .filter(({ operation }) => operation.body?.dto === name)
        .map(({ coordinate }) => coordinate),
    ];
    for (const [key, property] of members(member(schema, 'properties'))) {
      for (const coordinate of owners.map((owner) => `${owner}.${key}`)) {
        if (member(property, 'x-untied') !== undefined) untied.push([coordinate, property]);
        else tied.set(coordinate, [`${name}.${key}`, rulesOf(property)]);
      }
    }
  }
  for (const [coordinate, property] of untied) {
    const [other, rules] = tied.get(coordinate) ?? [];
    if (other !== undefined && isDeepStrictEqual(rules, rulesOf(property)))
      document.fault(
        member(property, 'x-untied') ?? property,
        `x-untied is not needed, because ${other} has the same rules and is tied; remove it`,
      );
  }
}

function rulesOf(node: Node): Node['value'] {
  if (!isObject(node.value)) return node.value;
  return Object.fromEntries(Object.entries(node.value).filter(([name]) => !WORDS.has(name)));
}

function withoutReason(node: Node): Node {
  if (!isObject(node.value)) return node;
  const { 'x-untied': _, ...rest } = node.value;
  return { ...node, value: rest };
}
