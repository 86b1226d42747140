import { items, member, members, texts, textOf, type Node } from '../json.ts';
import type { Document } from './document.ts';
import type { Security } from './model.ts';

/** Every scope that a scheme lists in `x-scopes`, in the order of the document. */
export function scopesOf(document: Document): string[] {
  return [
    ...new Set(schemes(document).flatMap(([, scheme]) => texts(member(document.follow(scheme), 'x-scopes')))),
  ];
}

/** The names of the schemes, in the order of the document. */
export function schemeNames(document: Document): string[] {
  return schemes(document).map(([name]) => name);
}

function schemes(document: Document): [string, Node][] {
  return members(member(member(document.root, 'components'), 'securitySchemes'));
}

/**
 * The alternatives of an operation. Each is a list of schemes that must all be satisfied. An operation must have
 * `security` or `x-owner`. If it has only `x-owner`, the alternatives of the document apply. Beside `x-owner`, a scheme
 * without scopes is for the owner only.
 */
export function securityOf(document: Document, operation: Node): Security[][] {
  const own = member(operation, 'security');
  const owner = member(operation, 'x-owner');
  if (own === undefined && owner === undefined) {
    document.fault(operation, 'the operation does not state its access: give it security, or x-owner');
  }
  const known = new Map(schemes(document));
  return items(own ?? member(document.root, 'security')).map((alternative) =>
    members(alternative)
      .filter(([name, scopes]) => {
        if (!known.has(name)) document.fault(scopes, `there is no security scheme ${name}`);
        return known.has(name);
      })
      .map(([scheme, scopes]) => {
        const listed = texts(member(document.follow(known.get(scheme) as Node), 'x-scopes'));
        for (const scope of items(scopes)) {
          if (!listed.includes(textOf(scope) ?? '')) {
            document.fault(
              scope,
              `the scope ${JSON.stringify(scope.value)} is not listed in x-scopes of ${scheme}`,
            );
          }
        }
        return { scheme, scopes: texts(scopes) };
      }),
  );
}

/**
 * The member that names the owning user: a member of the path (`path.id`), the query or the body. If only the row of
 * the operation names its owner, the member is a member of the row (`row.user_id`).
 */
export function ownerOf(
  document: Document,
  operation: Node,
  has: (place: string, name: string) => boolean,
): string | null {
  const node = member(operation, 'x-owner');
  if (node === undefined) return null;
  const [, place, name] = /^(path|query|body|row)\.(\w+)$/.exec(textOf(node) ?? '') ?? [];
  if (place === undefined || name === undefined || !has(place, name)) {
    document.fault(
      node,
      `x-owner must name a member, such as path.id or row.user_id, not ${JSON.stringify(node.value)}`,
    );
    return null;
  }
  return `${place}.${name}`;
}
