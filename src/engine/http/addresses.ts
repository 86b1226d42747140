import { OPERATIONS } from '../../generated/operations.js';
import type { RouteSet } from './route-set.js';

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const PATCHES = Object.values(OPERATIONS)
  .filter(({ method }) => method === 'PATCH')
  .flatMap(({ paths, body }) =>
    paths.map((path) => ({ pattern: patternOf(path), types: body?.mediaTypes.join(', ') ?? null })),
  );

const STATIC = Object.values(OPERATIONS).flatMap(({ paths }) => paths.filter((path) => !path.includes(':')));

/** The methods of each address, as `Allow` lists them. They are compiled once from the contract and the route sets. */
export class Addresses {
  private readonly known: readonly { readonly pattern: RegExp; readonly methods: readonly string[] }[];

  constructor(routeSets: readonly Pick<RouteSet, 'paths'>[] = []) {
    const byPath = new Map<string, Set<string>>();
    const add = (path: string, methods: readonly string[]): void => {
      byPath.set(path, new Set([...(byPath.get(path) ?? ['OPTIONS']), ...methods]));
    };
    for (const { paths } of routeSets) {
      for (const [path, methods] of Object.entries(paths)) add(path, methods);
    }
    for (const { method, paths } of Object.values(OPERATIONS)) {
      for (const path of paths) add(path, method === 'GET' ? ['GET', 'HEAD'] : [method]);
    }
    // As in the router, static paths go before paths with parameters.
    this.known = [...byPath]
      .toSorted(([a], [b]) => a.split(':').length - b.split(':').length)
      .map(([path, methods]) => ({
        pattern: patternOf(path),
        methods: ORDER.filter((method) => methods.has(method)),
      }));
  }

  /** @returns null when there is nothing at this path for any method */
  methodsAt(path: string): readonly string[] | null {
    return this.known.find(({ pattern }) => pattern.test(path))?.methods ?? null;
  }

  /** The media types of patches that are accepted at this path, as `Accept-Patch` lists them (RFC 5789); null: none. */
  patchTypesAt(path: string): string | null {
    // A static path such as `/users/me` may match the pattern of a row and have no PATCH.
    if (!this.methodsAt(path)?.includes('PATCH')) return null;
    return PATCHES.find(({ pattern }) => pattern.test(path))?.types ?? null;
  }

  /**
   * The static addresses that a route with parameters would also match, such as `/users/me` for `/users/:id`. Addresses
   * that have the method of the route are left out.
   */
  lacking(method: string, route: string): ReadonlySet<string> {
    if (!route.includes(':')) return new Set();
    const pattern = patternOf(route);
    return new Set(STATIC.filter((path) => pattern.test(path) && !this.methodsAt(path)?.includes(method)));
  }
}

/** Compiles a path in the router's syntax. */
export function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join('/')}$`, 'u');
}
