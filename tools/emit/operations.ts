import { createHash } from 'node:crypto';
import { byName } from '../names.ts';
import type { Body, Operation, Parameters, Rest } from '../openapi/model.ts';
import { idsOf } from './ids.ts';
import { HEADER, imports, literal, Raw } from './text.ts';

const TYPES = `
export type ParameterKind =
  | { readonly type: 'string' | 'integer' | 'number' | 'boolean' }
  | { readonly type: 'array'; readonly items: 'string' | 'integer' | 'number' | 'boolean' };

export interface Parameters {
  readonly dto: Dto;
  /** By name. The largest cost of the given parameters counts, in addition to the request itself. */
  readonly costs: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, ParameterKind>>;
  /** False if all parameters only choose the form of the answer, because the handler does not get them. */
  readonly isHanded: boolean;
}

export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the router's syntax: the path, and its short form if it has one. */
  readonly paths: readonly string[];
  /** The version that the path names, or else its \`x-version\`. */
  readonly version: Version | null;
  readonly tag: string;
  /** The operation of another version that does the same. Its handler serves this operation too. */
  readonly sameAs: OperationId | null;
  /**
   * A caller must satisfy one of these alternatives, in all its schemes. An empty list: the operation is public. An
   * empty alternative: a credential is optional. If there is an owner, a scheme without scopes is for the owner only.
   */
  readonly security: readonly (readonly { readonly scheme: Scheme; readonly scopes: readonly Scope[] }[])[];
  /** The member that names the owning user, such as \`path.id\`; \`row.user_id\` if only the row names the user. */
  readonly owner: string | null;
  /** The cost that counts in addition to the request itself, with any parameters. */
  readonly cost: number;
  readonly path: Parameters | null;
  /**
   * The ids in the path, each with the kind of its row in words. A handler that does not find such a row returns null.
   */
  readonly ids: readonly { readonly name: string; readonly what: string }[];
  readonly query: Parameters | null;
  /** The names are those of the contract. In a request, their case does not matter. */
  readonly headers: Parameters | null;
  readonly body: {
    readonly dto: Dto;
    readonly mediaTypes: readonly string[];
    readonly required: boolean;
    /** The members that a client may send back as they were read, but not set. */
    readonly readOnly: readonly string[];
    /** The limit for the body as it is sent. */
    readonly maxBytes: number;
  } | null;
  readonly answer: {
    readonly status: number;
    readonly mediaTypes: readonly string[];
    readonly shape: 'entity' | 'page' | 'slice' | 'export' | 'plain' | 'none';
    readonly entity: EntityName | null;
    /** The one member that holds the entity, if the body has such a member. */
    readonly key: string | null;
    /** The operation that shows the created row. */
    readonly locationOf: OperationId | null;
    readonly headers: readonly string[];
  };
  /** All statuses that the contract lists. */
  readonly statuses: readonly number[];
}
`;

/**
 * The route table.
 *
 * @param entities the entities of the SDL, also entities that answers show only inside of other entities
 */
export function emitOperations(rest: Rest, entities: Iterable<string>, openapi: string, sdl: string): string {
  const operations = rest.operations.toSorted((a, b) => byName(a.id, b.id));
  const rows = Object.fromEntries(
    operations.map((operation) => [operation.id, new Raw(literal(row(rest, operation)))]),
  );
  const used = new Set(
    operations.flatMap((each) => [
      each.path?.dto.name,
      each.query?.dto.name,
      each.headers?.dto.name,
      each.body?.dto,
    ]),
  );
  const classes = [...used].filter((name) => name !== undefined);
  const digest = createHash('sha256').update(openapi).update(sdl).digest('hex').slice(0, 8);
  return `${HEADER}${imports('./dto', classes)}import type { Dto } from '../rules/members.js';

export type OperationId = ${names(operations.map(({ id }) => id))};
export type EntityName = ${names([...operations.map(({ answer }) => answer.entity), ...entities])};
export type Version = ${names(operations.map(({ version }) => version))};

/** Every scope that a security scheme lists. */
export const SCOPES = ${literal(rest.scopes)} as const;
export type Scope = (typeof SCOPES)[number];

/** The schemes by which a caller can authenticate. */
export const SCHEMES = ${literal(rest.schemes)} as const;
export type Scheme = (typeof SCHEMES)[number];
${TYPES}
export const OPERATIONS: { readonly [K in OperationId]: Operation } = ${literal(rows)};

/** Different for builds with different contracts: the start of the SHA-256 of both. */
export const CONTRACT_DIGEST = ${literal(digest)};
`;
}

function row(rest: Rest, operation: Operation): object {
  const { id, method, paths, version, tag, sameAs, security, owner, cost, statuses, answer } = operation;
  const { schema: _, entitySchema: __, ...shown } = answer;
  return {
    id,
    method: method.toUpperCase(),
    paths,
    version,
    tag,
    sameAs,
    security,
    owner,
    cost,
    path: parameters(operation.path),
    ids: idsOf(rest, operation),
    query: parameters(operation.query),
    headers: parameters(operation.headers),
    body: body(operation.body),
    answer: shown,
    statuses,
  };
}

function parameters(value: Parameters | null): object | null {
  return value === null
    ? null
    : { dto: new Raw(value.dto.name), kinds: value.kinds, costs: value.costs, isHanded: value.isHanded };
}

function body(value: Body | null): object | null {
  if (value === null) return null;
  // JSON patches have one class for all operations.
  const { patch: _, ...own } = value;
  return { ...own, dto: new Raw(value.dto) };
}

/** A union of literals. */
function names(list: readonly (string | null)[]): string {
  const found = [...new Set(list)].filter((name) => name !== null).toSorted(byName);
  return found.length === 0 ? 'never' : found.map(literal).join(' | ');
}
