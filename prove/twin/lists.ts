import { requireThat } from '../options.ts';
import { agreed, differing, type Reading } from './compare.ts';
import type { Doors } from './doors.ts';
import { FORMATS, type FormatsReader } from './formats.ts';
import { SELECTIONS, shown, type Door, type Kind } from './shapes.ts';

const OPERATIONS: Readonly<Record<Kind, string>> = {
  product: 'listProducts',
  user: 'listUsers',
  order: 'listOrders',
};
export const LIST_FORMATS = [...FORMATS, 'csv'] as const;

/** A filter or a sort order of a list, in the query of REST and in the arguments of GraphQL. */
export interface Asked {
  readonly rest: Readonly<Record<string, string>>;
  readonly graphql: string;
  /** The user whose orders the list has (`/users/{id}/orders`). Undefined for the other lists. */
  readonly user?: number;
}

export interface ListReading {
  readonly way: string;
  readonly rows: readonly Reading[];
  /** The number of rows on all pages; undefined when this reading does not have it. */
  readonly total?: unknown;
  /** The cursor or number of the next page: null on the last page, undefined when this reading does not have it. */
  readonly next?: string | null;
  /** As `next`, for the previous page: null on the first page. */
  readonly previous?: string | null;
}

export interface Place {
  readonly limit: number;
  readonly page: number;
  readonly cursor: string | null;
  /** Whether this is the page before the cursor, or the last page if there is no cursor. */
  readonly isBackward?: boolean;
}

/** The links of a list have no host. A URL needs one. */
const HOST = 'http://store.example';
/** GraphQL shows at most this many orders of a user at once. */
const MOST_SHOWN = 100;

/** Reads pages of lists through each of the doors. */
export class Lists {
  readonly #doors: Doors;
  readonly #formats: FormatsReader;

  constructor(doors: Doors, formats: FormatsReader) {
    this.#doors = doors;
    this.#formats = formats;
  }

  /** The first page through all doors, in all formats. */
  first(kind: Kind, asked: Asked, limit: number): Promise<readonly ListReading[]> {
    const place = { limit, page: 1, cursor: null };
    return Promise.all([
      ...LIST_FORMATS.flatMap((format) =>
        (['v1', 'v2'] as const).map((version) => this.rest(kind, version, format, asked, place)),
      ),
      ...(asked.user === undefined
        ? [this.plain(kind, asked, place), this.connection(kind, asked, place)]
        : [this.ofUser(asked.user, limit)]),
    ]);
  }

  async rest(
    kind: Kind,
    version: 'v1' | 'v2',
    format: (typeof LIST_FORMATS)[number],
    { rest, user }: Asked,
    { limit, page, cursor }: Place,
  ): Promise<ListReading> {
    const at = version === 'v1' ? { page: String(page) } : cursor === null ? {} : { cursor };
    const query = new URLSearchParams({ ...rest, limit: String(limit), ...at }).toString();
    const operation =
      (user === undefined ? OPERATIONS[kind] : 'listUserOrders') + (version === 'v2' ? 'V2' : '');
    const path = user === undefined ? `${kind}s` : `users/${user}/orders`;
    const read = await this.#formats.read(operation, `/api/${version}/${path}?${query}`, format);
    const { way, value, headers } = read;
    const isPaged = version === 'v1';
    if (isPaged || format === 'csv') {
      const around = aroundIn(way, headers, isPaged ? 'page' : 'cursor');
      return { way, rows: rowsOf(kind, version, way, value), ...around };
    }
    const { data, page: around } = value as {
      data: unknown;
      page: { total: unknown; next: string | null; previous: string | null };
    };
    return { way, rows: rowsOf(kind, version, way, data), ...around };
  }

  /** Reads the orders of a user. GraphQL shows the newest ones first, and at most `MOST_SHOWN`. */
  async ofUser(user: number, limit: number): Promise<ListReading> {
    const way = `GraphQL user(id: ${user}) { orders }`;
    const query = `{ it: user(id: "${user}") { orders(limit: ${MOST_SHOWN}) { ${SELECTIONS.order} } } }`;
    const { orders } = (await this.#ask(query)) as { orders: readonly unknown[] };
    if (orders.length === MOST_SHOWN) throw new Error(`The user ${user} has too many orders to be compared.`);
    const oldest = orders.toReversed().slice(0, limit);
    return { way, rows: rowsOf('order', 'graphql', way, oldest), total: orders.length };
  }

  async plain(kind: Kind, { graphql }: Asked, { limit, page }: Place): Promise<ListReading> {
    const way = `GraphQL ${kind}s(page: ${page}, limit: ${limit}, ${graphql})`;
    const query = `{ it: ${kind}s(page: ${page}, limit: ${limit}, ${graphql}) { ${SELECTIONS[kind]} } }`;
    return { way, rows: rowsOf(kind, 'graphql', way, await this.#ask(query)) };
  }

  async connection(
    kind: Kind,
    { graphql }: Asked,
    { limit, cursor, isBackward = false }: Place,
  ): Promise<ListReading> {
    const [count, from] = isBackward ? ['last', 'before'] : ['first', 'after'];
    const field = `${kind}sConnection(${count}: ${limit}, ${cursor === null ? '' : `${from}: "${cursor}", `}${graphql})`;
    const info = 'hasNextPage endCursor hasPreviousPage startCursor';
    const query = `{ it: ${field} { totalCount pageInfo { ${info} } nodes { ${SELECTIONS[kind]} } } }`;
    const { totalCount, pageInfo, nodes } = (await this.#ask(query)) as {
      totalCount: unknown;
      pageInfo: {
        hasNextPage: boolean;
        endCursor: string | null;
        hasPreviousPage: boolean;
        startCursor: string | null;
      };
      nodes: unknown;
    };
    const way = `GraphQL ${field}`;
    return {
      way,
      rows: rowsOf(kind, 'graphql', way, nodes),
      total: totalCount,
      next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      previous: pageInfo.hasPreviousPage ? pageInfo.startCursor : null,
    };
  }

  async #ask(query: string): Promise<unknown> {
    const { data, errors } = await this.#doors.ask({ query, variables: {} });
    if (errors || !data) throw new Error(`GraphQL cannot read: ${query}: ${JSON.stringify(errors)}`);
    return data['it'];
  }
}

/**
 * The headers of a list: the total, and the next and the previous page.
 *
 * @param name the parameter that says where a page begins
 */
function aroundIn(
  way: string,
  headers: Readonly<Record<string, string>>,
  name: 'page' | 'cursor',
): Pick<ListReading, 'total' | 'next' | 'previous'> {
  const total = headers['x-total-count'];
  requireThat(total !== undefined, () => `${way} does not give the total.`);
  const links = [...(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  const pages = new Map(
    links.map(([, target = '', relation]) => [relation, new URL(target, HOST).searchParams.get(name)]),
  );
  return { total: Number(total), next: pages.get('next') ?? null, previous: pages.get('prev') ?? null };
}

export function rowsOf(kind: Kind, door: Door, way: string, list: unknown): readonly Reading[] {
  return (list as readonly unknown[]).map((row) => ({ way, shown: shown(kind, door, row) }));
}

/**
 * All readings must have the same rows, with the same values.
 *
 * @param readings the first one is that of the model
 */
export function requireSameLists(what: string, readings: readonly ListReading[]): void {
  const [first, ...others] = readings as readonly [ListReading, ...ListReading[]];
  for (const { way, rows, total } of others) {
    const [one, other] = [idsOf(first.rows), idsOf(rows)];
    if (one !== other) throw differing(`the rows of ${what}`, [first.way, one], [way, other]);
    if (total !== undefined && first.total !== undefined && total !== first.total)
      throw differing(`the total of ${what}`, [first.way, first.total], [way, total]);
  }
  first.rows.forEach((row, index) =>
    agreed(`${what}, row ${index + 1}`, [row, ...others.map(({ rows }) => rows[index] as Reading)]),
  );
}

function idsOf(rows: readonly Reading[]): string {
  return rows.map((row) => String(row.shown?.['id'])).join(' ');
}
