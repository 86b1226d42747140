import { DERIVED, OPERATIONS } from '../../generated/operations.js';
import { SSE_PATH } from '../graphql/graphql-sse.js';
import { INTERACTION_PATH, OAUTH_PATHS } from '../../store/oauth/routes.js';
import { PAGE_PATHS } from '../../app/pages/built-pages.js';

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The methods of each address, as `Allow` lists them; compiled once from the contract and the pages. */
const ADDRESSES: readonly { readonly pattern: RegExp; readonly methods: readonly string[] }[] = addresses();

const PATCHES = Object.values(OPERATIONS)
  .filter(({ method }) => method === 'PATCH')
  .flatMap(({ paths, body }) =>
    paths.map((path) => ({ pattern: patternOf(path), types: body?.mediaTypes.join(', ') ?? null })),
  );

/** @returns null when there is nothing at this path, whatever the method */
export function methodsAt(path: string): readonly string[] | null {
  return ADDRESSES.find(({ pattern }) => pattern.test(path))?.methods ?? null;
}

/** The types of patches that are taken at this path, as `Accept-Patch` lists them (RFC 5789); null: none. */
export function patchTypesAt(path: string): string | null {
  // What is written out, `/users/me`, may look like a row and have no PATCH.
  if (!methodsAt(path)?.includes('PATCH')) return null;
  return PATCHES.find(({ pattern }) => pattern.test(path))?.types ?? null;
}

/**
 * The addresses that are written out but that a route with parameters would take too, such as `/users/me` of
 * `/users/:id`, as far as they do not have its method.
 */
export function lacking(method: string, route: string): ReadonlySet<string> {
  const pattern = patternOf(route);
  const plain = Object.values(OPERATIONS).flatMap(({ paths }) => paths.filter((path) => !path.includes(':')));
  return new Set(
    plain.filter((path) => path !== route && pattern.test(path) && !methodsAt(path)?.includes(method)),
  );
}

function addresses(): { pattern: RegExp; methods: string[] }[] {
  const byPath = new Map<string, Set<string>>([
    ['/graphql', new Set(['GET', 'POST'])],
    [SSE_PATH, new Set(['GET', 'POST'])],
  ]);
  for (const [path, methods] of Object.entries(OAUTH_PATHS)) byPath.set(path, new Set(methods));
  byPath.set(INTERACTION_PATH, new Set(['GET', 'POST']));
  for (const path of PAGE_PATHS) byPath.set(path, new Set(['GET']));
  for (const { method, paths } of [...Object.values(OPERATIONS), ...DERIVED]) {
    for (const path of paths) byPath.set(path, (byPath.get(path) ?? new Set()).add(method));
  }
  // As the router does: what is written out goes before what any text fits.
  const plainFirst = [...byPath].toSorted(([a], [b]) => a.split(':').length - b.split(':').length);
  return plainFirst.map(([path, methods]) => {
    if (methods.has('GET') && !path.startsWith('/graphql')) methods.add('HEAD');
    methods.add('OPTIONS');
    return { pattern: patternOf(path), methods: ORDER.filter((method) => methods.has(method)) };
  });
}

/** Takes the router's syntax. */
export function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join('/')}$`, 'u');
}
