import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DatabaseUnavailable } from '../../engine/database/faults.js';
import { run, sql } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Database } from '../../engine/database/database.js';
import { Currency } from '../../engine/values/currency.js';
import type { ImportJob, Taken } from '../transfer/import-job.js';
import type { Mapping } from '../transfer/mapping.js';
import type { SourceFile } from '../transfer/source-file.js';
import { CredentialEnded } from './import-caller.js';
import { fileOf } from './import-file.js';
import { ImportLeases, ImportStopped, NOT_TWICE } from './import-lease.js';
import { ImportLedger } from './import-ledger.js';
import { mappingOf } from './import-mapping.js';
import { ImportReport } from './import-report.js';
import { removeLeftParts, removeOldReports, removeParts } from './imports.purge.js';
import type { Import } from './import.entity.js';

const POLL_MS = 1_000;
const RENEW_MS = 5_000;
/** After this number of rows, other work of the process gets its turn. */
const ROWS_PER_TURN = 50;
/** `store import` can read much longer rows, because its process serves no requests. */
const MOST_BYTES_OF_A_ROW = 65_536;

const NONE_TAKEN: Taken = { read: 0, items: 0, refused: 0, repeated: 0 };

/** The results of an attempt that are needed if the attempt fails. */
interface Attempt {
  readonly report: ImportReport;
  /** See `failed` of `ImportJob`. */
  line: number | null;
  taken: Taken | null;
}

/** Does the imports of the store, one after another. At any time, at most one process writes the rows of imports. */
@Injectable()
export class ImportRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('ImportRunner');
  private readonly database: Database;
  private readonly leases: ImportLeases;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  /** Whether there may be an ended import whose file was not removed. */
  private isUnclean = true;
  /** The import that was stopped before its end, and whose lease is not released yet; null if there is none. */
  private unreleased: number | null = null;

  constructor(
    parts: TableParts,
    private readonly currency: Currency,
  ) {
    this.database = parts.database;
    this.leases = new ImportLeases(parts.database);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), POLL_MS).unref();
  }

  /** A running import stops before its next batch. Another process, or the next start, continues it. */
  async beforeApplicationShutdown(): Promise<void> {
    this.leases.isStopped = true;
    if (this.timer !== null) clearInterval(this.timer);
    await this.running;
  }

  /** Removes the file of an import that was cancelled: now, or after the imports that run in this process. */
  cleanUp(): void {
    this.isUnclean = true;
    this.wake();
  }

  /** Begins the next import, if none runs in this process. */
  wake(): void {
    if (this.leases.isStopped) return;
    this.running ??= this.runAll().finally(() => (this.running = null));
  }

  private async runAll(): Promise<void> {
    try {
      await this.release();
      if (this.isUnclean) {
        this.isUnclean = false;
        await removeLeftParts(this.database);
      }
      for (;;) {
        const job = this.leases.isStopped ? null : await this.leases.take();
        if (job === null) return;
        await this.runOne(job);
      }
    } catch (error) {
      this.isUnclean = true;
      if (error instanceof DatabaseUnavailable || error instanceof ImportStopped) return;
      this.logger.error(error);
    }
  }

  private async runOne(job: Import): Promise<void> {
    const attempt: Attempt = { report: new ImportReport(), line: null, taken: null };
    try {
      await this.import(job, attempt);
    } catch (error) {
      await this.endAfter(error, job, attempt);
    }
    await removeParts(this.database, job.id);
    if (!this.leases.isStopped) await removeOldReports(this.database, job.caller);
  }

  /** If the database cannot be reached, the next run tries again. Otherwise the lease would last until its time. */
  private async release(): Promise<void> {
    const id = this.unreleased;
    if (id === null) return;
    await this.database.unitOfWork.run(() => this.leases.release(id));
    this.unreleased = null;
  }

  private async endAfter(error: unknown, job: Import, attempt: Attempt): Promise<void> {
    if (error instanceof ImportStopped || error instanceof DatabaseUnavailable) {
      this.unreleased = job.id;
      await this.release();
      if (error instanceof DatabaseUnavailable) await sleep(POLL_MS);
      return;
    }
    const { WrongUsage } = await import('../transfer/failure.js');
    const isForeseen = error instanceof CredentialEnded || error instanceof WrongUsage;
    if (!isForeseen) this.logger.error(error);
    try {
      await this.storeReport(job, attempt);
    } catch (fault) {
      // The report is missing or incomplete.
      if (!(fault instanceof ImportStopped)) this.logger.error(fault);
    }
    const problem =
      error instanceof WrongUsage
        ? `${error.fault.replace(/\.?$/, '.')} Nothing was written. Correct the file, and send it as a new import.`
        : error instanceof CredentialEnded
          ? `The credential that made the import was revoked or has expired. Send the file as a new import with another credential: ${NOT_TWICE}`
          : `The import failed for a reason that is in the log of the service. Send the file as a new import: ${NOT_TWICE} If this fails too, ask the operator of the service.`;
    return this.end(job, 'failed', problem, attempt);
  }

  private async import(job: Import, attempt: Attempt): Promise<void> {
    const [{ importFile }, mapping] = await Promise.all([
      import('../transfer/import-file.js'),
      mappingOf(job),
    ]);
    const open = () => this.sourceOf(job, mapping);
    const ledger = await ImportLedger.of(job, this.database, this.leases);
    const whole: ImportJob = {
      kind: job.kind,
      file: await open(),
      itemsFile: job.orderLines ? await open() : null,
      hasOrderLines: job.orderLines,
      mapping,
      currency: this.currency,
      isDryRun: job.rehearsal,
      isStrict: false,
      hasEvents: job.events,
      refusals: attempt.report,
      progress: () => {},
      taken: (taken, rows) => ledger.taken(taken, rows),
      failed: (line, taken) => Object.assign(attempt, { line, taken }),
      pause: this.pauseOf(job),
    };
    await importFile(this.database, whole, ledger);
    await this.storeReport(job, attempt);
    await this.end(job, 'done', null);
  }

  /** Stores the faults, and the refused rows with their texts. It reads the file again to get the texts. */
  private async storeReport(job: Import, { report }: Attempt): Promise<void> {
    const mapping = await mappingOf(job);
    const file = await this.sourceOf(job, mapping, { keepsTexts: true });
    const rows = paused(file.rows(mapping, [], []), this.pauseOf(job));
    await report.store(job.id, this.database, this.leases, file, rows);
  }

  private async sourceOf(job: Import, { delimiter }: Mapping, more: object = {}): Promise<SourceFile> {
    const { SourceFile: Source } = await import('../transfer/source-file.js');
    const options = { most: MOST_BYTES_OF_A_ROW, ...more };
    return new Source('The file', job.format, delimiter, fileOf(job, this.database.reads), options);
  }

  /** Lets other work run while rows are read, and keeps the lease. */
  private pauseOf({ id }: Import): () => Promise<void> | undefined {
    let rows = 0;
    let renewed = performance.now();
    return () => {
      rows += 1;
      if (rows % ROWS_PER_TURN !== 0) return undefined;
      if (this.leases.isStopped) throw new ImportStopped();
      const now = performance.now();
      if (now - renewed < RENEW_MS) return nextTurn();
      renewed = now;
      return this.database.unitOfWork.run(() => this.leases.renew(id));
    };
  }

  private async end(
    { id }: Import,
    state: 'done' | 'failed',
    problem: string | null,
    { line, taken }: Pick<Attempt, 'line' | 'taken'> = { line: null, taken: null },
  ): Promise<void> {
    const { read, items, refused, repeated } = taken ?? NONE_TAKEN;
    const { leases } = this;
    await this.database.unitOfWork
      .run(function* () {
        yield* leases.renew(id);
        const now = new Date();
        yield* run(sql`
          UPDATE imports SET state = ${state}, problem = ${problem?.slice(0, 2_000) ?? null}, problem_line = ${line},
            ended_at = ${now}, updated_at = ${now}, version = version + 1 WHERE id = ${id}`);
        // If the file could not be read to its end, these counts are not stored yet.
        yield* run(sql`
          UPDATE imports SET read_count = ${read}, order_items = ${items}, refused = ${refused}, repeated = ${repeated}
          WHERE id = ${id} AND read_count = 0`);
      })
      .catch((error: unknown) => {
        // Just before its end, the import was cancelled or taken over by another process.
        if (!(error instanceof ImportStopped) || this.leases.isStopped) throw error;
      });
  }
}

async function* paused<T>(rows: AsyncIterable<T>, pause: () => Promise<void> | undefined): AsyncGenerator<T> {
  for await (const row of rows) {
    await pause();
    yield row;
  }
}
