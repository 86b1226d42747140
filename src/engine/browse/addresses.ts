import { BODIES, type Related } from '../../generated/bodies.js';
import { OPERATIONS, type Operation, type OperationId, type Version } from '../../generated/operations.js';
import { VIEWS } from '../../generated/views.js';
import { OLD } from '../http/versions.js';

/** A list that the head of each page links to. */
export interface Collection {
  readonly name: string;
  readonly address: string;
  readonly operation: Operation;
  readonly isForAdministrators: boolean;
}

/** The address of a page. Its methods make the addresses of the other pages that this page links to. */
export class PageLocation {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly operation: Operation | undefined;
  /** The part before the resource, such as `/api/v1`. */
  readonly root: string;
  /** The address in the router's syntax, such as `/api/v1/products/:id`; empty if the page shows no operation. */
  private readonly pattern: string;
  /** The addresses of links, in the router's syntax. They are cached, because each row of a list has the same links. */
  private readonly patterns = new Map<OperationId, string>();

  /** @param otherwise the version to which a page links if the page itself belongs to no version; see `version` */
  constructor(
    url: string,
    id: OperationId | undefined,
    private readonly otherwise: Version,
  ) {
    const at = url.indexOf('?');
    this.path = at === -1 ? url : url.slice(0, at);
    this.query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
    this.operation = id && VIEWS[id] ? OPERATIONS[id] : undefined;
    const { length } = this.path.split('/');
    const { paths } = this.operation ?? { paths: [] };
    // An operation of version 1 also has shorter addresses, without the version. The number of parts tells which
    // address this is.
    this.pattern = paths.find((path) => path.split('/').length === length) ?? paths[0] ?? '';
    this.root = upTo(this.path, rootOf(this.pattern).split('/').length);
  }

  get version(): Version {
    const own = versionOf(this.path) ?? this.operation?.version ?? this.otherwise;
    // A page of the old version links to the version `otherwise`. `otherwise` is the old version until the old version
    // has ended. A page of a version without lists also links to the version `otherwise`.
    return own === OLD || !LISTS.some(({ version }) => version === own) ? this.otherwise : own;
  }

  /**
   * The id of the row that the shown rows belong to: `7` at `/users/7/orders`. Null if the address names no such row.
   */
  get owner(): string | null {
    const [pattern, path] = [this.pattern.split('/'), this.path.split('/')];
    const at = pattern.findIndex((part) => part.startsWith(':'));
    return at === -1 || at === pattern.length - 1 ? null : (path[at] ?? null);
  }

  /** The address of this page with another query: the named parameters are set, or removed when null. */
  with(changes: Readonly<Record<string, string | null>>): string {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return query.size === 0 ? this.path : `${this.path}?${query.toString()}`;
  }

  /**
   * The address of an operation, in the version of this page. If the operation has an address under the root of this
   * page, the result is this address.
   */
  addressOf(id: OperationId, values: Readonly<Record<string, unknown>> = {}): string {
    const rest = new Map(Object.entries(values));
    const path = this.patternOf(id).replaceAll(/:(\w+)/g, (_match, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    if (rest.size === 0) return path;
    const query = new URLSearchParams(
      [...rest].map(([name, value]): [string, string] => [name, String(value)]),
    );
    return `${path}?${query.toString()}`;
  }

  private patternOf(id: OperationId): string {
    const known = this.patterns.get(id);
    if (known !== undefined) return known;
    const { version } = this;
    const row = SAME.get(`${version} ${id}`) ?? OPERATIONS[id];
    const here = row.paths.find((path) => rootOf(path) === rootOf(this.pattern));
    const pattern = here !== undefined && row.version === version ? here : wholePath(row);
    this.patterns.set(id, pattern);
    return pattern;
  }

  /** @returns the address of a related resource; null if a member that the address needs is null or is not shown */
  relatedTo(object: Readonly<Record<string, unknown>>, { operation, parameters }: Related): string | null {
    const values = Object.entries(parameters).map(([name, member]) => [name, object[member]] as const);
    if (values.some(([, value]) => value === null || value === undefined)) return null;
    return this.addressOf(operation, Object.fromEntries(values));
  }

  /** All lists of the same version whose address has no parameters. */
  collections(): readonly Collection[] {
    return LISTS.filter(({ version }) => version === this.version).map((row) => ({
      name: VIEWS[row.id]?.title ?? row.id,
      address: this.addressOf(row.id),
      operation: row,
      isForAdministrators: isForAdministrators(row),
    }));
  }

  /** The addresses that export this whole list; none if the list has a filter that the export does not support. */
  exports(): readonly { readonly name: string; readonly address: string }[] {
    const row = this.operation && EXPORTS.get(wholePath(this.operation));
    const filter = [...this.query].filter(([name]) => !OF_THE_PAGE.has(name));
    if (!row || filter.some(([name]) => !Object.hasOwn(row.query?.kinds ?? {}, name))) return [];
    return row.answer.mediaTypes.map((mediaType) => {
      const name = mediaType.replace(/^\w+\/(x-)?/, '');
      return { name, address: this.addressOf(row.id, { ...Object.fromEntries(filter), format: name }) };
    });
  }

  /** The parts of the path, from the top to this page. A part without a page has the address null. */
  crumbs(): readonly { readonly name: string; readonly address: string | null }[] {
    if (!this.operation) return [];
    const depth = this.root.split('/').length;
    const names = this.path.split('/').slice(depth);
    return names.map((name, index) => {
      const end = depth + index + 1;
      const isThere = PATTERNS.has(upTo(this.pattern, end));
      return { name: decodeSafely(name), address: isThere ? upTo(this.path, end) : null };
    });
  }
}

const BROWSABLE = Object.values(OPERATIONS).filter(({ id }) => VIEWS[id]);
const PATTERNS: ReadonlySet<string> = new Set(BROWSABLE.flatMap(({ paths }) => paths));
/**
 * Finds the twin of an operation: the operation of another version that does the same (`x-same-as`). The key is the
 * version of the twin, and the id of the operation that the twin names.
 */
const SAME: ReadonlyMap<string, Operation> = new Map(
  Object.values(OPERATIONS).map((row) => [`${row.version} ${row.sameAs}`, row]),
);
/** The operations that export all rows of a list, by the path of the list. */
const EXPORTS: ReadonlyMap<string, Operation> = new Map(
  Object.values(OPERATIONS)
    .filter(({ answer }) => answer.shape === 'export')
    .map((row) => [wholePath(row).replace(/\/export$/, ''), row]),
);
/** These parameters select the shown part of a list, and its form. They do not decide which rows are in the list. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['page', 'cursor', 'limit', 'sort', 'fields', 'format']);
/** All lists whose address has no parameters, in the order of the contract. */
const LISTS = BROWSABLE.toSorted((a, b) => (VIEWS[a.id]?.rank ?? 0) - (VIEWS[b.id]?.rank ?? 0)).filter(
  ({ id, path }) => {
    const body = BODIES[id];
    return path === null && (body?.items ?? body?.members?.['data']?.items) !== undefined;
  },
);

/**
 * Whether a list is for administrators. This is true in two cases: the list requires the scope `admin`, or it requires
 * a credential and its rows have no owner.
 */
function isForAdministrators({ security, owner }: Operation): boolean {
  const needs = security.flat();
  return needs.some(({ scopes }) => scopes.includes('admin')) || (needs.length > 0 && owner === null);
}

/** The version in an address; null if there is none. */
function versionOf(path: string): Version | null {
  return (/^\/api\/(v\d+)(?:\/|$)/.exec(path)?.[1] as Version | undefined) ?? null;
}

/** Returns `/api/v1` for `/api/v1/products`, `/api` for `/api/products`, and an empty text outside of `/api`. */
function rootOf(pattern: string): string {
  return /^\/api(?:\/v\d+)?(?=\/|$)/.exec(pattern)?.[0] ?? '';
}

/** The address of an operation in the router's syntax, with the version. */
function wholePath({ paths }: Operation): string {
  return paths[0] ?? '';
}

function upTo(text: string, end: number): string {
  return text.split('/').slice(0, end).join('/');
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
