import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Fault } from '../errors/errors.js';
import type { Page } from '../../generated/contract.js';
import { built } from './built.js';
import type { Mapping } from './mapping.js';
import type { Reads } from './reads.js';

const EXACT_UP_TO = 10_000;
const DEEPEST_ROW = 100_000;

export interface Span {
  readonly page: number;
  readonly limit: number;
}

/**
 * Returns the faults of a page that is too deep in a filtered or sorted list. The cost of a page grows with the number
 * of rows before it.
 *
 * @param advice how a client can get the rows of such a page, for example `narrow the filter`
 */
export function depthFaults(
  { page, limit }: Span,
  place: Pick<Fault, 'pointer' | 'parameter'>,
  advice: string,
): Fault[] {
  if (page * limit <= DEEPEST_ROW) return [];
  const most = Math.floor(DEEPEST_ROW / limit);
  return [
    {
      ...place,
      code: 'TOO_LARGE',
      detail: `must be at most ${most} with limit ${limit} in a filtered or sorted list: ${advice}, or use cursors instead of page numbers (version 2 of the HTTP interface, connections in GraphQL)`,
    },
  ];
}

/**
 * One page of the rows that a query matches.
 *
 * @param matching selects the columns of the mapping, without an order
 * @param sort adds an order in which no two rows have the same place
 * @param counted the exact total; null if it is more than 10,000
 */
export async function filteredPage<E extends ObjectLiteral>(
  reads: Pick<Reads, 'all' | 'one'>,
  mapping: Mapping<E>,
  matching: SelectQueryBuilder<E>,
  sort: (query: SelectQueryBuilder<E>) => SelectQueryBuilder<E>,
  { page, limit }: Span,
  counted: Promise<number | null> = filteredTotal(reads, matching),
): Promise<Page<E>> {
  const total = await counted;
  const offset = (page - 1) * limit;
  // An empty page is not read, because this read would take as long as the scan that counted the rows.
  if (total !== null && total <= offset) return { items: [], total, reach: DEEPEST_ROW };
  const rows = await reads.all(built(sort(matching).offset(offset).limit(limit)));
  return { items: rows.map(mapping.fromRow), total, reach: DEEPEST_ROW };
}

/** The number of rows that a query matches; null for more than 10,000. */
export async function filteredTotal<E extends ObjectLiteral>(
  reads: Pick<Reads, 'all' | 'one'>,
  matching: SelectQueryBuilder<E>,
): Promise<number | null> {
  const counted = matching
    .clone()
    .select('1')
    .limit(EXACT_UP_TO + 1);
  const count = await reads.one<{ n: number }>(
    built(counted, (text) => `SELECT count(*) AS n FROM (${text}) matching`),
  );
  return count === undefined || count.n > EXACT_UP_TO ? null : count.n;
}

/** Adds `ORDER BY` for keys such as `-price`. Rows with equal keys are in ascending order of id. */
export function sortedBy<E extends ObjectLiteral>(
  query: SelectQueryBuilder<E>,
  keys: readonly string[],
  columns: Readonly<Record<string, string>>,
  id: string,
): SelectQueryBuilder<E> {
  const sorted = new Set<string>();
  for (const key of keys) {
    const column = columns[key.replace(/^-/, '')] as string;
    // A repeated column has no effect, because its second occurrence compares only rows that are equal in this column.
    // TypeORM would keep only the second occurrence.
    if (!sorted.has(column)) query.addOrderBy(column, key.startsWith('-') ? 'DESC' : 'ASC');
    sorted.add(column);
  }
  return keys.some((key) => /^-?id$/.test(key)) ? query : query.addOrderBy(id, 'ASC');
}
