import type { Database } from '../../engine/database/database.js';
import type { Steps } from '../../engine/database/sql.js';
import { Claims } from './claims.js';
import { WrongUsage } from './failure.js';
import type { ImportJob, Taken } from './import-job.js';
import { RowsImport, type Outcome } from './import-rows.js';
import { Intake } from './intake.js';
import { BatchStored, type Ledger, type RefusedRow, type Written } from './ledger.js';
import type { Fault } from './raw-row.js';
import { Staging, type StagedRow } from './staging.js';

/** The result of an import. Each member that is declared here is a number of rows. */
export interface Summary extends Taken {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
}

const BATCH = 500;

/**
 * Imports a file in two steps. First it reads all rows, refuses rows with faults that do not depend on the store, and
 * stages the others. Then it puts the staged rows into the store, batch by batch. If the import is stopped, the store
 * remembers the rows that it has, and another run continues from there.
 *
 * @param ledger remembers each batch, for an import whose counts must stay right even if it is stopped
 */
export async function importFile(
  database: Database,
  job: ImportJob,
  ledger: Ledger | null = null,
): Promise<Summary> {
  const staging = new Staging();
  try {
    const claims = new Claims(staging, job.kind, job.itemsFile !== null);
    const intake = new Intake(job, staging, claims);
    const taken = await intake.run().catch((error: unknown) => {
      job.failed?.(error instanceof WrongUsage ? error.line : null, intake.taken);
      throw error;
    });
    await job.taken?.(taken, staging.waiting);
    const summary = await checkAndPutIn(database, job, { staging, claims, ledger }, taken);
    job.refusals.finish();
    return summary;
  } finally {
    staging.close();
    job.refusals.abandon();
  }
}

interface Waiting {
  readonly staging: Staging;
  readonly claims: Claims;
  readonly ledger: Ledger | null;
}

async function checkAndPutIn(
  database: Database,
  job: ImportJob,
  waiting: Waiting,
  taken: Taken,
): Promise<Summary> {
  if (job.isDryRun || job.isStrict) {
    const checked = await new PutIn(database, job, waiting, taken, false).run();
    if (job.isDryRun || checked.refused > 0) return checked;
  }
  return new PutIn(database, job, waiting, taken, true).run();
}

/** Rivals that lost their id or address to another row, with their faults. They are refused batch by batch. */
interface Lost {
  readonly rows: readonly StagedRow[];
  readonly faults: readonly (readonly Fault[])[];
}

const NONE_LOST: Lost = { rows: [], faults: [] };

function incompleteFaults({ id }: StagedRow): readonly Fault[] {
  const reason = 'has another row that is refused';
  return [{ column: 'id', value: id, reason, follows: 'of an order with another row that is refused' }];
}

/** The second step: puts the staged rows into the store, or only checks them, batch by batch. */
class PutIn {
  readonly #summary: Summary;
  readonly #rows: RowsImport;
  #batch = 0;
  /**
   * Whether this run has come to the rivals. No row repeats a rival: a repeated row always repeats the first row with
   * its id.
   */
  #areRivals = false;

  constructor(
    database: Database,
    private readonly job: ImportJob,
    private readonly waiting: Waiting,
    taken: Taken,
    private readonly isWriting: boolean,
  ) {
    this.#summary = { ...taken, created: 0, updated: 0, unchanged: 0, skipped: 0 };
    this.#rows = new RowsImport(database, job.kind, job.mapping.source, job.hasEvents);
  }

  async run(): Promise<Summary> {
    const { staging, claims, ledger } = this.waiting;
    const size = ledger?.size ?? BATCH;
    let done = 0;
    for (const batch of staging.batches(size)) {
      const incomplete = this.job.hasOrderLines ? batch.filter(({ id }) => claims.isIncomplete(id)) : [];
      const refused = new Set(incomplete);
      await this.#put(batch.filter((row) => !refused.has(row)));
      await this.#put(incomplete, incomplete.map(incompleteFaults));
      done += batch.length;
      this.job.progress(this.isWriting ? 'writing' : 'checking', done, staging.rows);
    }
    // The rivals come last (see `Claims`). The id or the address that an earlier row had claimed is free again if that
    // row was refused.
    this.#areRivals = true;
    let lost = NONE_LOST;
    for (const batch of staging.batches(size, true)) {
      for (const row of batch) {
        await this.job.pause?.();
        const faults = claims.settle(row);
        if (faults.length > 0) lost = { rows: [...lost.rows, row], faults: [...lost.faults, faults] };
        // A row that may be stored is a batch of its own, because the next rival depends on its outcome.
        if (faults.length === 0 || lost.rows.length === size) {
          await this.#put(lost.rows, lost.faults);
          lost = NONE_LOST;
        }
        if (faults.length === 0) await this.#put([row]);
      }
    }
    await this.#put(lost.rows, lost.faults);
    return this.#summary;
  }

  /** @param known the faults of each row of the batch, if all of its rows are refused already */
  async #put(batch: readonly StagedRow[], known: readonly (readonly Fault[])[] | null = null): Promise<void> {
    if (batch.length === 0) return;
    const { ledger } = this.waiting;
    this.#batch += 1;
    const number = this.#batch;
    const before = await ledger?.find(number);
    if (before) return this.#recall(batch, before);
    if (known !== null && ledger === null) return this.#count(batch, this.#written(batch, known));
    const rows = known === null ? batch : [];
    const save = (outcomes: readonly Outcome[]): Steps<void> =>
      (ledger as Ledger).save(number, batch.length, this.#written(batch, known ?? outcomes));
    let outcomes;
    try {
      outcomes = await this.#rows.batch(rows, this.isWriting, ledger === null ? undefined : save);
    } catch (error) {
      if (error instanceof BatchStored) return this.#recall(batch, error.written);
      this.job.failed?.(batch[0]?.line ?? null, null);
      throw error;
    }
    await this.#count(batch, this.#written(batch, known ?? outcomes));
  }

  /** An act may run again. So this method may be called again with the same outcomes, and gives the same result. */
  #written(batch: readonly StagedRow[], outcomes: readonly Outcome[]): Written {
    const { claims } = this.waiting;
    const written = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
    let refusedRepeats = 0;
    const refused: RefusedRow[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const { line, id } = batch[index] as StagedRow;
      if (typeof outcome === 'string') {
        written[outcome] += 1;
        continue;
      }
      if (!this.#areRivals) refusedRepeats += this.waiting.staging.countRepeats(id);
      refused.push({
        line,
        faults: outcome.map((fault) => ({
          ...claims.told(fault, line),
          ...(fault.about !== undefined && { about: fault.about }),
        })),
      });
    }
    return { ...written, refused, refusedRepeats };
  }

  async #count(batch: readonly StagedRow[], { refused, ...counts }: Written): Promise<void> {
    for (const name of ['created', 'updated', 'unchanged', 'skipped'] as const)
      this.#summary[name] += counts[name];
    const byLine = new Map(batch.map((row) => [row.line, row]));
    for (const { line, faults } of refused) {
      const row = byLine.get(line) as StagedRow;
      this.waiting.claims.release(row);
      this.#summary.refused += 1;
      this.#refuse(line, faults);
      if (!this.#areRivals) await this.#refuseRepeats(row, faults);
    }
  }

  /** Refuses the rows that repeat a refused row. They were counted as repeated, because the first row seemed good. */
  async #refuseRepeats({ id }: StagedRow, faults: readonly Fault[]): Promise<void> {
    const follows = 'that repeat a refused row';
    for (const line of this.waiting.staging.repeatsOf(id)) {
      await this.job.pause?.();
      this.#summary.repeated -= 1;
      this.#summary.refused += 1;
      this.#refuse(
        line,
        faults.map((fault) => ({ ...fault, follows })),
      );
    }
  }

  #refuse(line: number, faults: readonly Fault[]): void {
    this.job.refusals.add(faults.map((fault) => ({ file: this.job.file.name, line, ...fault })));
  }

  /**
   * Counts a batch that is stored already. Its faults are noted again, so that the same fault of a later row is marked
   * as a consequence.
   */
  async #recall(batch: readonly StagedRow[], written: Written): Promise<void> {
    for (let row = 0; row < batch.length; row += 1) await this.job.pause?.();
    for (const { line, faults } of written.refused) {
      for (const fault of faults) if (fault.follows === undefined) this.waiting.claims.told(fault, line);
    }
    await this.#count(batch, written);
  }
}
