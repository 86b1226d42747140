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

/** A filter or an order, as the query of REST and as arguments of GraphQL. */
export interface Asked {
  readonly rest: Readonly<Record<string, string>>;
  readonly graphql: string;
}

export interface ListReading {
  readonly way: string;
  readonly rows: readonly Reading[];
  /** How many there are on all pages; undefined: it is not said. */
  readonly total?: unknown;
  /** Null: this is the last page. Undefined: it is not said. */
  readonly next?: string | null;
}

export interface Place {
  readonly limit: number;
  readonly page: number;
  readonly cursor: string | null;
}

/** Reads pages of lists through each of the doors. */
export class Lists {
  readonly #doors: Doors;
  readonly #formats: FormatsReader;

  constructor(doors: Doors, formats: FormatsReader) {
    this.#doors = doors;
    this.#formats = formats;
  }

  /** The first page through all of them, in all formats. */
  first(kind: Kind, asked: Asked, limit: number): Promise<readonly ListReading[]> {
    const place = { limit, page: 1, cursor: null };
    return Promise.all([
      ...LIST_FORMATS.flatMap((format) =>
        (['v1', 'v2'] as const).map((version) => this.rest(kind, version, format, asked, place)),
      ),
      this.plain(kind, asked, place),
      this.connection(kind, asked, place),
    ]);
  }

  async rest(
    kind: Kind,
    version: 'v1' | 'v2',
    format: (typeof LIST_FORMATS)[number],
    { rest }: Asked,
    { limit, page, cursor }: Place,
  ): Promise<ListReading> {
    const at = version === 'v1' ? { page: String(page) } : cursor === null ? {} : { cursor };
    const query = new URLSearchParams({ ...rest, limit: String(limit), ...at }).toString();
    const operation = OPERATIONS[kind] + (version === 'v2' ? 'V2' : '');
    const read = await this.#formats.read(operation, `/api/${version}/${kind}s?${query}`, format);
    const { way, value } = read;
    if (version === 'v1' || format === 'csv') return { way, rows: rowsOf(kind, version, way, value) };
    const { data, page: info } = value as { data: unknown; page: { total: unknown; next: string | null } };
    return { way, rows: rowsOf(kind, version, way, data), total: info.total, next: info.next };
  }

  async plain(kind: Kind, { graphql }: Asked, { limit, page }: Place): Promise<ListReading> {
    const way = `GraphQL ${kind}s(page: ${page}, limit: ${limit}, ${graphql})`;
    const query = `{ it: ${kind}s(page: ${page}, limit: ${limit}, ${graphql}) { ${SELECTIONS[kind]} } }`;
    return { way, rows: rowsOf(kind, 'graphql', way, await this.#ask(query)) };
  }

  async connection(kind: Kind, { graphql }: Asked, { limit, cursor }: Place): Promise<ListReading> {
    const field = `${kind}sConnection(first: ${limit}, ${cursor === null ? '' : `after: "${cursor}", `}${graphql})`;
    const query = `{ it: ${field} { totalCount pageInfo { hasNextPage endCursor } nodes { ${SELECTIONS[kind]} } } }`;
    const { totalCount, pageInfo, nodes } = (await this.#ask(query)) as {
      totalCount: unknown;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
      nodes: unknown;
    };
    const way = `GraphQL ${field}`;
    const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    return { way, rows: rowsOf(kind, 'graphql', way, nodes), total: totalCount, next };
  }

  async #ask(query: string): Promise<unknown> {
    const { data, errors } = await this.#doors.ask({ query, variables: {} });
    if (errors || !data) throw new Error(`GraphQL cannot read: ${query}: ${JSON.stringify(errors)}`);
    return data['it'];
  }
}

export function rowsOf(kind: Kind, door: Door, way: string, list: unknown): readonly Reading[] {
  return (list as readonly unknown[]).map((row) => ({ way, shown: shown(kind, door, row) }));
}

/** All of them have the same rows, and show the same of each. @param readings the first one is the model's */
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
