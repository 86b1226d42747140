import type { Database } from '../../engine/database/database.js';
import { one, run, sql, type Steps } from '../../engine/database/sql.js';
import type { Taken } from '../transfer/import-job.js';
import { BatchStored, type Ledger, type Written } from '../transfer/ledger.js';
import { requireCredential } from './import-caller.js';
import type { ImportLeases } from './import-lease.js';
import type { Import } from './import.entity.js';

/** On SQLite, a batch of this size blocks the event loop for a few milliseconds. */
const BATCH = 100;

/** Keeps the progress of an import in the database, in the transactions of its batches. */
export class ImportLedger implements Ledger {
  readonly size = BATCH;
  #lastDone = 0;

  private constructor(
    private readonly job: Import,
    private readonly database: Database,
    private readonly leases: ImportLeases,
  ) {}

  static async of(job: Import, database: Database, leases: ImportLeases): Promise<ImportLedger> {
    const ledger = new ImportLedger(job, database, leases);
    const found = await database.reads.one<{ last: number | null }>(
      sql`SELECT MAX(number) AS last FROM import_batches WHERE import_id = ${job.id}`,
    );
    ledger.#lastDone = found?.last ?? 0;
    return ledger;
  }

  async find(batch: number): Promise<Written | null> {
    if (batch > this.#lastDone) return null;
    const found = await this.database.reads.one<{ result: string }>(
      sql`SELECT result FROM import_batches WHERE import_id = ${this.job.id} AND number = ${batch}`,
    );
    return found === undefined ? null : (JSON.parse(found.result) as Written);
  }

  *save(batch: number, rows: number, written: Written): Steps<void> {
    const { id } = this.job;
    const { refused, refusedRepeats } = written;
    yield* this.leases.renew(id);
    const stored = yield* one<{ result: string }>(
      sql`SELECT result FROM import_batches WHERE import_id = ${id} AND number = ${batch}`,
    );
    if (stored !== undefined) throw new BatchStored(JSON.parse(stored.result) as Written);
    yield* requireCredential(this.job);
    yield* run(sql`
      INSERT INTO import_batches (import_id, number, result) VALUES (${id}, ${batch}, ${JSON.stringify(written)})`);
    yield* run(sql`
      UPDATE imports SET rows_done = rows_done + ${rows}, created = created + ${written.created},
        updated = updated + ${written.updated}, unchanged = unchanged + ${written.unchanged},
        skipped = skipped + ${written.skipped},
        refused = refused + ${refused.length + refusedRepeats}, repeated = repeated - ${refusedRepeats},
        version = version + 1, updated_at = ${new Date()} WHERE id = ${id}`);
  }

  /** Stores the counts of the rows that were read. `save` changes them by the counts of the batches. */
  taken({ read, items, refused, repeated }: Taken, rows: number): Promise<void> {
    const act = function* (this: ImportLedger): Steps<void> {
      yield* this.leases.renew(this.job.id);
      // Each run reads the whole file, so only the first run stores these counts.
      yield* run(sql`
        UPDATE imports SET refused = ${refused}, read_count = ${read}, order_items = ${items}, repeated = ${repeated},
          row_count = ${rows}, version = version + 1 WHERE id = ${this.job.id} AND read_count = 0`);
    };
    return this.database.unitOfWork.run(() => act.call(this));
  }
}
