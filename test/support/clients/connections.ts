import type { TestApp } from './app.js';
import { resultOf } from './graphql.js';

export interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number | null;
}

export type Arguments = Readonly<Record<string, unknown>>;

const VALUE = /"(\w+)":/g;

/**
 * An operation with its arguments written into the query. Texts such as NAME_ASC are written as enum values.
 */
export function operationFor(
  field: string,
  given: Arguments,
  selection = `edges { cursor node { id } } nodes { id } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`,
): string {
  const written = JSON.stringify(given)
    .slice(1, -1)
    .replaceAll(VALUE, '$1: ')
    .replaceAll(/"((?:[A-Z]+_)+(?:ASC|DESC))"/g, '$1');
  return `{ ${field}${written === '' ? '' : `(${written})`} { ${selection} } }`;
}

/**
 * One page of a connection.
 *
 * @throws Error if the operation has errors, or if `nodes`, `edges` and `pageInfo` of the page contradict each other
 */
export async function connectionAt(
  store: TestApp,
  field: string,
  given: Arguments = {},
  key?: string,
): Promise<Connection> {
  const { data, errors } = await resultOf(store, operationFor(field, given), undefined, key ? { key } : {});
  if (errors) throw new Error(JSON.stringify(errors));
  const connection = data[field] as Connection;
  const { edges, nodes, pageInfo } = connection;
  const ends = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  if (JSON.stringify(edges.map(({ node }) => node)) !== JSON.stringify(nodes))
    throw new Error('`nodes` differs from the nodes of `edges`');
  if (JSON.stringify(ends) !== JSON.stringify([pageInfo.startCursor, pageInfo.endCursor])) {
    throw new Error('The cursors of `pageInfo` differ from the cursors of `edges`');
  }
  return connection;
}

/**
 * Reads all pages of a connection, forwards or backwards. Returns the ids in the order of the list.
 *
 * @param between is called between two pages
 */
export async function walk(
  store: TestApp,
  field: string,
  given: Arguments,
  way: 'forwards' | 'backwards',
  {
    size = 3,
    key,
    between = async () => {},
  }: { size?: number; key?: string; between?: () => Promise<void> } = {},
): Promise<number[]> {
  const isForwards = way === 'forwards';
  const seen: number[] = [];
  let cursor: string | null = null;
  for (let steps = 0; steps < 200; steps += 1) {
    const place = cursor === null ? {} : { [isForwards ? 'after' : 'before']: cursor };
    const page = await connectionAt(
      store,
      field,
      { ...given, [isForwards ? 'first' : 'last']: size, ...place },
      key,
    );
    if (page.nodes.length > size) throw new Error('The page has more rows than requested');
    const ids = page.nodes.map(({ id }) => Number(id));
    if (isForwards) seen.push(...ids);
    else seen.unshift(...ids);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
    if (!(isForwards ? hasNextPage : hasPreviousPage)) return seen;
    cursor = isForwards ? endCursor : startCursor;
    await between();
  }
  throw new Error('The pages do not end');
}
