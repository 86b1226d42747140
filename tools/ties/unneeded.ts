import { isObject, member, members, type Node } from '../json.ts';
import type { Document } from '../openapi/document.ts';
import type { Rest } from '../openapi/model.ts';
import type { TiedOperation } from './collect.ts';
import { fieldTiedTo, typeTiedTo, type Names } from './names.ts';

/** Refuses `x-untied` at an operation, a schema or a member that would not be tied without it either. */
export function refuseUnneeded(
  document: Document,
  rest: Rest,
  names: Names,
  tied: readonly TiedOperation[],
): void {
  const fault = (node: Node, name: string): void => {
    const untied = member(node, 'x-untied');
    if (untied !== undefined)
      document.fault(
        untied,
        `x-untied is not needed, because nothing in schema.graphql is named like ${name}; remove it`,
      );
  };
  for (const operation of rest.operations) {
    if (fieldTiedTo(names, { ...operation, node: withoutReason(operation.node) }) === null)
      fault(operation.node, operation.id);
  }
  const bodies = new Set(tied.map(({ operation }) => operation.body?.dto));
  for (const [name, schema] of members(member(member(document.root, 'components'), 'schemas'))) {
    if (typeTiedTo(names, withoutReason(schema), name) !== null) continue;
    fault(schema, name);
    if (bodies.has(name)) continue;
    for (const [key, property] of members(member(schema, 'properties'))) fault(property, `${name}.${key}`);
  }
}

function withoutReason(node: Node): Node {
  if (!isObject(node.value)) return node;
  const { 'x-untied': _, ...rest } = node.value;
  return { ...node, value: rest };
}
