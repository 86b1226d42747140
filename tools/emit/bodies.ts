import { items, member, members, nameOf, textOf, type Node } from '../json.ts';
import { byName, snakeCase } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import { relatedOf, type Related } from '../openapi/links.ts';
import type { Rest } from '../openapi/model.ts';
import { HEADER, literal, Raw } from './text.ts';

const TYPES = `
import type { OperationId } from './operations.js';

/** The facts about a value that formats other than JSON need. */
export interface Body {
  /** The name of its XML element, unless a member names the element. */
  readonly name: string;
  /** The members that an object may have, in the order of the contract. */
  readonly members?: Readonly<Record<string, Body>>;
  /** The items of a list. */
  readonly items?: Body;
  /** The meaning of a text or a number, if it has a special one. */
  readonly kind?: 'time' | 'money' | 'address';
  /** The words that a page shows instead of null. */
  readonly whenNull?: string;
  /** Links of an object, by name; \`self\` is the link to the object itself. */
  readonly links?: Readonly<Record<string, Related>>;
}

export interface Related {
  /** The GET operation that shows the target. */
  readonly operation: OperationId;
  /** For each parameter of the path or the query, the member that has its value. */
  readonly parameters: Readonly<Record<string, string>>;
}
`;

const OTHERS = new Set(['application/xml', 'text/csv']);

interface Body {
  readonly name: string | undefined;
  readonly members?: Readonly<Record<string, Body>> | undefined;
  readonly items?: Body | undefined;
  readonly kind?: 'time' | 'money' | 'address' | undefined;
  readonly whenNull?: string | undefined;
  readonly links?: Readonly<Record<string, Related>> | undefined;
}

/** The bodies of the answers that have formats besides JSON. */
export function emitBodies(document: Document, rest: Rest): string {
  const bodies = rest.operations
    .filter(({ answer }) => answer.schema !== null && answer.mediaTypes.some((name) => OTHERS.has(name)))
    .toSorted((a, b) => byName(a.id, b.id))
    .map(({ id, answer }) => [id, new Raw(literal(named(bodyOf(document, answer.schema as Node, []))))]);
  return `${HEADER}${TYPES}
export const BODIES: { readonly [K in OperationId]?: Body } = ${literal(Object.fromEntries(bodies))};
`;
}

function named({ name, members: inner, items: item, kind, whenNull, links }: Body): object {
  return {
    name: name ?? 'item',
    members: inner && Object.fromEntries(Object.entries(inner).map(([key, body]) => [key, named(body)])),
    items: item && named(item),
    kind,
    whenNull,
    links,
  };
}

/** A schema that leads back to itself is described only once. */
function bodyOf(document: Document, node: Node, way: readonly string[]): Body {
  const target = document.follow(node);
  if (target === undefined || way.includes(target.at)) return { name: undefined };
  const on = [...way, target.at];
  const isComponent = /\/components\/schemas\/[^/]+$/.test(target.at);
  const parts = ['allOf', 'anyOf', 'oneOf']
    .flatMap((keyword) => items(member(target, keyword)))
    .map((part) => bodyOf(document, part, on));
  const all = [
    ...parts.map((part) => part.members),
    Object.fromEntries(
      members(member(target, 'properties')).map(([key, inner]) => [key, bodyOf(document, inner, on)]),
    ),
  ].filter((each) => each !== undefined && Object.keys(each).length > 0);
  const item = member(target, 'items');
  const linked = parts.filter((part) => part.links !== undefined);
  return {
    name: isComponent ? snakeCase(nameOf(target)) : parts.find((part) => part.name !== undefined)?.name,
    members: all.length === 0 ? undefined : (Object.assign({}, ...all) as Record<string, Body>),
    items: item === undefined ? parts.find((part) => part.items)?.items : bodyOf(document, item, on),
    kind: kindOf(target) ?? parts.find((part) => part.kind !== undefined)?.kind,
    whenNull: textOf(member(target, 'x-null')) ?? parts.find((part) => part.whenNull !== undefined)?.whenNull,
    // If several parts have links, it is not known which part applies to a value, so there are no links.
    links: relatedOf(target) ?? (linked.length === 1 ? linked[0]?.links : undefined),
  };
}

function kindOf(schema: Node): Body['kind'] {
  if (member(schema, 'x-money')?.value === true) return 'money';
  const format = textOf(member(schema, 'format'));
  if (format === 'uri-reference') return 'address';
  return format === 'date-time' ? 'time' : undefined;
}
