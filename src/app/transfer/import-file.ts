import type { Database } from '../../engine/database/database.js';
import { Claims } from './claims.js';
import type { ImportJob } from './import-job.js';
import { RowsImport, type Outcome } from './import-rows.js';
import { Intake, type Taken } from './intake.js';
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
 * Imports a file in two steps. First it reads all rows, refuses the rows that are wrong in themselves, and stages the
 * others. Then it puts the staged rows into the store, batch by batch. If the import is stopped, the store remembers
 * the rows that it has, and another run continues from there.
 */
export async function importFile(database: Database, job: ImportJob): Promise<Summary> {
  const staging = new Staging();
  try {
    const claims = new Claims(staging, job.kind, job.itemsFile !== null);
    const taken = await new Intake(job, staging, claims).run();
    const summary = await checkAndPutIn(database, job, { staging, claims }, taken);
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
}

async function checkAndPutIn(
  database: Database,
  job: ImportJob,
  waiting: Waiting,
  taken: Taken,
): Promise<Summary> {
  if (job.isDryRun || job.isStrict) {
    const checked = await putIn(database, job, waiting, taken, false);
    if (job.isDryRun || checked.refused > 0) return checked;
  }
  return putIn(database, job, waiting, taken, true);
}

async function putIn(
  database: Database,
  job: ImportJob,
  { staging, claims }: Waiting,
  taken: Taken,
  isWriting: boolean,
): Promise<Summary> {
  const { kind, mapping, file, hasEvents, refusals, progress } = job;
  const rows = new RowsImport(database, kind, mapping.source, hasEvents);
  const summary = { ...taken, created: 0, updated: 0, unchanged: 0, skipped: 0 };
  const count = (row: StagedRow, outcome: Outcome): void => {
    summary[typeof outcome === 'string' ? outcome : 'refused'] += 1;
    if (typeof outcome === 'string') return;
    claims.release(row);
    refusals.add(
      outcome.map((fault) => ({ file: file.name, line: row.line, ...claims.told(fault, row.line) })),
    );
  };
  let done = 0;
  for (const batch of staging.batches(BATCH)) {
    const outcomes = await rows.batch(batch, isWriting);
    for (const [index, outcome] of outcomes.entries()) count(batch[index] as StagedRow, outcome);
    done += batch.length;
    progress(isWriting ? 'writing' : 'checking', done, staging.rows);
  }
  // The rivals come last (see `Claims`). The id or the address that an earlier row had claimed is free again if that
  // row was refused.
  for (const batch of staging.batches(BATCH, true)) {
    for (const row of batch) {
      const faults = claims.settle(row);
      const [outcome = faults] = faults.length > 0 ? [] : await rows.batch([row], isWriting);
      count(row, outcome);
    }
  }
  return summary;
}
