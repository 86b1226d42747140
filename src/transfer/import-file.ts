import type { Database } from '../database/database.js';
import { RowsImport } from './import-rows.js';
import { Intake, type Taken } from './intake.js';
import type { Mapping } from './mapping.js';
import type { Kind } from './members.js';
import type { Refusals } from './refusals.js';
import type { SourceFile } from './source-file.js';
import { Staging } from './staging.js';

export interface ImportJob {
  readonly kind: Kind;
  readonly file: SourceFile;
  /** The lines of orders, when they are in a file of their own. */
  readonly itemsFile: SourceFile | null;
  readonly mapping: Mapping;
  /** 100 for dollars and cents, 1 for yen. */
  readonly minorPerMajor: number;
  readonly isDryRun: boolean;
  /** Nothing is written if any row is refused. */
  readonly isStrict: boolean;
  /** An event for each row that is put in. */
  readonly hasEvents: boolean;
  readonly refusals: Refusals;
  readonly progress: (label: string, done: number, total: number) => void;
}

/** Counted in rows. */
export interface Summary extends Taken {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
}

const BATCH = 500;

/**
 * First reads everything, refuses what is wrong in itself and stages the rest; then puts it into the store batch by
 * batch. When it is stopped in between, what went in is remembered, and another run goes on from there.
 */
export async function importFile(database: Database, job: ImportJob): Promise<Summary> {
  const staging = new Staging();
  try {
    const taken = await new Intake(job, staging).run();
    const summary = await checkAndPutIn(database, job, staging, taken);
    job.refusals.finish();
    return summary;
  } finally {
    staging.close();
    job.refusals.abandon();
  }
}

async function checkAndPutIn(
  database: Database,
  job: ImportJob,
  staging: Staging,
  taken: Taken,
): Promise<Summary> {
  if (job.isDryRun || job.isStrict) {
    const checked = await putIn(database, job, staging, taken, false);
    if (job.isDryRun || checked.refused > 0) return checked;
  }
  return putIn(database, job, staging, taken, true);
}

async function putIn(
  database: Database,
  { kind, mapping, file, hasEvents, refusals, progress }: ImportJob,
  staging: Staging,
  taken: Taken,
  isWriting: boolean,
): Promise<Summary> {
  const rows = new RowsImport(database, kind, mapping.source, hasEvents);
  const summary = { ...taken, created: 0, updated: 0, unchanged: 0, skipped: 0 };
  let done = 0;
  for (const batch of staging.batches(BATCH)) {
    const outcomes = await rows.batch(batch, isWriting);
    for (const [index, outcome] of outcomes.entries()) {
      summary[typeof outcome === 'string' ? outcome : 'refused'] += 1;
      if (typeof outcome === 'string') continue;
      const line = batch[index]?.line ?? 0;
      refusals.add(outcome.map((fault) => ({ file: file.name, line, ...fault })));
    }
    done += batch.length;
    progress(isWriting ? 'writing' : 'checking', done, staging.rows);
  }
  return summary;
}
