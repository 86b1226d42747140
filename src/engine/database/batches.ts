import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { built } from './built.js';
import type { Mapping } from './mapping.js';
import type { ScansOfOne } from './long-reads.js';

const BATCH = 1_000;

/**
 * Yields all rows that a query matches, in the order of ids, in batches. No scan takes long, even if few rows match,
 * because each scan looks at a bounded number of rows. Each scan waits for its turn (see `ScanQueue`). So the batches
 * show the rows at different moments. Reading ends when the client has left.
 *
 * @param passed selects the rows that the scans look at, by an index: all rows, or those of one owner
 * @param matching selects the rows that are yielded, without an order. This query has the same alias as `passed`, and
 *   its parameters have other names.
 */
export async function* batchesOf<E extends ObjectLiteral>(
  scans: ScansOfOne,
  mapping: Mapping<E>,
  passed: SelectQueryBuilder<E>,
  matching: SelectQueryBuilder<E>,
): AsyncGenerator<readonly E[]> {
  const id = `${matching.alias}.id`;
  for (let after = 0; !scans.asker.isGone();) {
    const window = passed
      .clone()
      .select(id, 'id')
      .andWhere(`${id} > :batchAfter`, { batchAfter: after })
      .orderBy(id)
      .limit(BATCH);
    const end = await scans.one<{ last: number | null }>(
      built(window, (text) => `SELECT max(id) AS last FROM (${text}) passed`),
    );
    const last = end?.last ?? null;
    if (last === null) return;
    const batch = matching
      .clone()
      .select(mapping.columns.sqlite)
      .andWhere(`${id} > :batchAfter AND ${id} <= :batchLast`, { batchAfter: after, batchLast: last })
      .orderBy(id);
    const rows = await scans.all(built(batch));
    if (rows.length > 0) yield rows.map(mapping.fromRow);
    else await nextTurn();
    after = last;
  }
}
