import { member, members, nameOf, textOf, type Node } from '../json.ts';
import type { Document } from './document.ts';
import type { Operation, Rest } from './model.ts';

/**
 * One of the `x-links` of a schema. A link names the GET operation that shows the related data, and the members of the
 * object that give the parameters of this operation.
 */
export interface Related {
  readonly operation: string;
  /** For each parameter of the path or the query, the member that gives its value. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The `x-links` of a schema, by name; undefined when there are none. */
export function relatedOf(schema: Node): Readonly<Record<string, Related>> | undefined {
  const links = members(member(schema, 'x-links'));
  return links.length === 0
    ? undefined
    : Object.fromEntries(
        links.map(([name, link]) => [
          name,
          {
            operation: textOf(member(link, 'operationId')) ?? '',
            parameters: Object.fromEntries(
              members(member(link, 'parameters')).map(([parameter, value]) => [
                parameter,
                textOf(value) ?? '',
              ]),
            ),
          },
        ]),
      );
}

/** Adds a fault for each link that names no GET, lacks a path parameter, or names a wrong parameter or member. */
export function checkLinks(document: Document, rest: Rest): void {
  const schemas = members(member(member(document.root, 'components'), 'schemas'));
  for (const [, schema] of schemas) {
    for (const [name, related] of Object.entries(relatedOf(schema) ?? {})) {
      const target = rest.operations.find(({ id, method }) => id === related.operation && method === 'get');
      const fault = faultOf(schema, related, target);
      if (fault !== null) document.fault(schema, `the link ${name} of ${nameOf(schema)} ${fault}`);
    }
  }
}

function faultOf(
  schema: Node,
  { operation, parameters }: Related,
  target: Operation | undefined,
): string | null {
  if (target === undefined) return `must name the operationId of a GET, not ${operation}`;
  const inPath = (target.path?.dto.members ?? []).map(({ name }) => name);
  const inQuery = (target.query?.dto.members ?? []).map(({ name }) => name);
  const missing = inPath.find((name) => !Object.hasOwn(parameters, name));
  if (missing !== undefined) return `must give the path parameter ${missing} of ${operation}`;
  for (const [parameter, source] of Object.entries(parameters)) {
    if (![...inPath, ...inQuery].includes(parameter))
      return `gives ${parameter}, which ${operation} does not take`;
    if (member(member(schema, 'properties'), source) === undefined)
      return `names the member ${source}, which does not exist`;
  }
  return null;
}
