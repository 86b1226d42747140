import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Database } from '../../engine/database/database.js';
import { Purge } from '../../engine/database/purge.js';
import { all, one, run, sql, type Row, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';

const HOUR_MS = 3_600_000;
const KEPT_MS = 7 * 24 * HOUR_MS;
const STEP = 20;
const PAUSE_MS = 20;
/** The number of reports that are kept for a caller: the reports of its newest imports. */
const MOST_REPORTS = 20;
/** At the end of an import, at most this many reports are removed. The next import of the caller removes the others. */
const MOST_REMOVED = 50;

/** Removes imports some days after their end, and imports whose file never became complete. */
@Injectable()
export class OldImports implements BeforeApplicationShutdown {
  readonly purge: Purge;

  constructor({ database }: TableParts) {
    this.purge = new Purge('old imports', (most) => removeOld(database, most));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.purge.stop();
  }
}

async function removeOld(database: Database, most: number): Promise<number> {
  const now = Date.now();
  // An import whose last part arrives at this moment must not be removed. So one statement selects the imports and ends
  // them.
  const cancelled = new Date(now);
  await database.unitOfWork.run(() =>
    run(sql`
      UPDATE imports SET state = 'cancelled', ended_at = ${cancelled}, updated_at = ${cancelled}, version = version + 1
      WHERE id IN (
        SELECT id FROM imports WHERE state = 'uploading' AND updated_at < ${new Date(now - HOUR_MS)} ORDER BY id LIMIT ${most})
        AND state = 'uploading' AND updated_at < ${new Date(now - HOUR_MS)}`),
  );
  const old = await database.reads.all<{ id: number }>(sql`
    SELECT id FROM imports
    WHERE ended_at < ${new Date(now - KEPT_MS)} OR (state = 'cancelled' AND ended_at = ${cancelled})
    ORDER BY id LIMIT ${most}`);
  for (const { id } of old) {
    await removeParts(database, id, true);
    await database.unitOfWork.run(() => run(sql`DELETE FROM imports WHERE id = ${id}`));
  }
  return old.length;
}

/** Removes the files that are still there although their imports have ended. */
export async function removeLeftParts(database: Database): Promise<void> {
  const left = await database.reads.all<{ id: number }>(sql`
    SELECT id FROM imports WHERE ended_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM import_parts WHERE import_id = imports.id) ORDER BY id LIMIT 500`);
  for (const { id } of left) await removeParts(database, id);
}

/**
 * Removes the file of an import that has ended, in steps so small that other acts can write in between.
 *
 * @param isForgotten whether the import itself will be removed too. If so, its file is removed even if the import has
 *   not ended
 */
export async function removeParts(database: Database, id: number, isForgotten = false): Promise<void> {
  const act = function* (): Steps<number> {
    const removed = yield* all(sql`
      DELETE FROM import_parts WHERE import_id = ${id} AND number IN (
        SELECT number FROM import_parts WHERE import_id = ${id} LIMIT ${STEP})
        AND (${isForgotten} OR EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND ended_at IS NOT NULL))
      RETURNING number`);
    const batches = yield* all(sql`
      DELETE FROM import_batches WHERE import_id = ${id} AND number IN (
        SELECT number FROM import_batches WHERE import_id = ${id} LIMIT ${STEP})
        AND (${isForgotten} OR EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND ended_at IS NOT NULL))
      RETURNING number`);
    return removed.length + batches.length;
  };
  while ((await database.unitOfWork.run(act)) > 0) await sleep(PAUSE_MS, undefined, { ref: false });
}

/**
 * Removes the reports of a caller, except the newest ones. An import gets its report at its end, so this function runs
 * after the end of each import. Each act removes one whole report, so that no part of a report stays.
 */
export async function removeOldReports(database: Database, caller: string): Promise<void> {
  const act = function* (): Steps<boolean> {
    const old = yield* one<Row & { id: number }>(sql`
      SELECT id FROM imports
      WHERE caller = ${caller} AND ended_at IS NOT NULL
        AND id <= (
          SELECT id FROM imports WHERE caller = ${caller} AND ended_at IS NOT NULL AND refused > 0
          ORDER BY id DESC LIMIT 1 OFFSET ${MOST_REPORTS})
        AND (EXISTS (SELECT 1 FROM import_refusals WHERE import_id = imports.id)
          OR EXISTS (SELECT 1 FROM import_refused_rows WHERE import_id = imports.id))
      ORDER BY id DESC LIMIT 1`);
    if (old === undefined) return false;
    yield* run(sql`DELETE FROM import_refusals WHERE import_id = ${old.id}`);
    yield* run(sql`DELETE FROM import_refused_rows WHERE import_id = ${old.id}`);
    return true;
  };
  for (let removed = 0; removed < MOST_REMOVED; removed += 1) {
    if (!(await database.unitOfWork.run(act))) return;
    await sleep(PAUSE_MS, undefined, { ref: false });
  }
}
