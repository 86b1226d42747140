import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Mapping } from './mapping.js';
import type { ScansOfOne } from './long-reads.js';
import { raw, type Value } from './sql.js';

const BATCH = 1_000;

/**
 * All that a query matches, in the order of ids, batch by batch. No read is long, however little matches: each passes
 * over so many rows and no more, and waits for its turn among the scans. Each batch is as it was when it was read. Nothing
 * more is read when the client has left.
 *
 * @param passed what is passed over, by an index: everything, or what belongs to one owner
 * @param matching what is taken of it, without an order; of the same alias, with other names of parameters
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
    const [text, values] = window.getQueryAndParameters();
    const end = await scans.one<{ last: number | null }>(
      raw(`SELECT max(id) AS last FROM (${text}) passed`, values as Value[]),
    );
    const last = end?.last ?? null;
    if (last === null) return;
    const batch = matching
      .clone()
      .select(mapping.columns.sqlite)
      .andWhere(`${id} > :batchAfter AND ${id} <= :batchLast`, { batchAfter: after, batchLast: last })
      .orderBy(id);
    const rows = await scans.all(raw(...(batch.getQueryAndParameters() as [string, Value[]])));
    if (rows.length > 0) yield rows.map(mapping.fromRow);
    else await nextTurn();
    after = last;
  }
}
