import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Mapping } from './mapping.js';
import type { Reads } from './reads.js';
import { raw, type Value } from './sql.js';

const BATCH = 1_000;

/**
 * All that a query matches, in the order of ids, batch by batch. No read is long, however little matches: each passes
 * over so many rows and no more. Each batch is as it was when it was read.
 *
 * @param passed what is passed over, by an index: everything, or what belongs to one owner
 * @param matching what is taken of it, without an order; of the same alias
 */
export async function* batchesOf<E extends ObjectLiteral>(
  reads: Reads,
  mapping: Mapping<E>,
  passed: SelectQueryBuilder<E>,
  matching: SelectQueryBuilder<E>,
): AsyncGenerator<readonly E[]> {
  const id = `${matching.alias}.id`;
  for (let after = 0; ;) {
    const window = passed
      .clone()
      .select(id, 'id')
      .andWhere(`${id} > :after`, { after })
      .orderBy(id)
      .limit(BATCH);
    const [text, values] = window.getQueryAndParameters();
    const end = await reads.one<{ last: number | null }>(
      raw(`SELECT max(id) AS last FROM (${text}) passed`, values as Value[]),
    );
    const last = end?.last ?? null;
    if (last === null) return;
    const batch = matching
      .clone()
      .select(mapping.columns.sqlite)
      .andWhere(`${id} > :after AND ${id} <= :last`, { after, last })
      .orderBy(id);
    const rows = await reads.all(raw(...(batch.getQueryAndParameters() as [string, Value[]])));
    if (rows.length > 0) yield rows.map(mapping.fromRow);
    else await nextTurn();
    after = last;
  }
}
