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
import type { ImportJob } from '../transfer/import-job.js';
import { CredentialEnded } from './import-caller.js';
import { fileOf } from './import-file.js';
import { ImportLeases, ImportStopped } from './import-lease.js';
import { ImportLedger } from './import-ledger.js';
import { mappingOf } from './import-mapping.js';
import { ImportReport } from './import-report.js';
import { removeLeftParts, removeParts } from './imports.purge.js';
import type { Import } from './import.entity.js';

const POLL_MS = 1_000;
const RENEW_MS = 5_000;
/** After this number of rows, other work of the process gets its turn. */
const ROWS_PER_TURN = 50;
/** The API reads shorter rows than the command, because a service reads them beside its requests. */
const MOST_BYTES_OF_A_ROW = 65_536;

/** Does the imports of the store, one after another. Only one of several processes does an import at a time. */
@Injectable()
export class ImportRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('ImportRunner');
  private readonly database: Database;
  private readonly leases: ImportLeases;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  /** Whether there may be an ended import whose file was not removed. */
  private isUnclean = true;

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

  /** An import that runs stops before its next batch. Another process, or the next start, continues it. */
  async beforeApplicationShutdown(): Promise<void> {
    this.leases.isStopped = true;
    if (this.timer !== null) clearInterval(this.timer);
    await this.running;
  }

  /** Removes the file of an import that was cancelled. */
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
    try {
      await this.import(job);
    } catch (error) {
      await this.endAfter(error, job);
    }
    await removeParts(this.database, job.id);
  }

  private async endAfter(error: unknown, job: Import): Promise<void> {
    const { WrongUsage } = await import('../transfer/failure.js');
    if (error instanceof ImportStopped || error instanceof DatabaseUnavailable) {
      await this.database.unitOfWork.run(() => this.leases.release(job.id));
      if (error instanceof DatabaseUnavailable) await sleep(POLL_MS);
      return;
    }
    if (error instanceof CredentialEnded) {
      return this.end(job, 'failed', 'The credential that made the import was revoked or has expired.');
    }
    if (error instanceof WrongUsage) return this.end(job, 'failed', error.fault);
    this.logger.error(error);
    return this.end(job, 'failed', 'The import failed for a reason that is in the log of the service.');
  }

  private async import(job: Import): Promise<void> {
    const [{ importFile }, { SourceFile }, mapping] = await Promise.all([
      import('../transfer/import-file.js'),
      import('../transfer/source-file.js'),
      mappingOf(job),
    ]);
    const options = { most: MOST_BYTES_OF_A_ROW };
    const open = (more = {}) =>
      new SourceFile('The file', job.format, mapping.delimiter, fileOf(job, this.database.reads), {
        ...options,
        ...more,
      });
    const report = new ImportReport();
    const ledger = await ImportLedger.of(job, this.database, this.leases);
    const pause = this.pauseOf(job);
    const whole: ImportJob = {
      kind: job.kind,
      file: open(),
      itemsFile: job.orderLines ? open() : null,
      mapping,
      currency: this.currency,
      isDryRun: job.rehearsal,
      isStrict: false,
      hasEvents: job.events,
      refusals: report,
      progress: () => {},
      taken: (taken, rows) => ledger.taken(taken, rows),
      pause,
    };
    await importFile(this.database, whole, ledger);
    const again = open({ keepsTexts: true });
    await report.store(job.id, this.database, this.leases, again, paused(again.rows(mapping, [], []), pause));
    await this.end(job, 'done', null);
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

  private async end({ id }: Import, state: 'done' | 'failed', problem: string | null): Promise<void> {
    const { leases } = this;
    await this.database.unitOfWork
      .run(function* () {
        yield* leases.renew(id);
        const now = new Date();
        yield* run(sql`
          UPDATE imports SET state = ${state}, problem = ${problem?.slice(0, 2_000) ?? null}, ended_at = ${now},
            updated_at = ${now}, version = version + 1 WHERE id = ${id}`);
      })
      .catch((error: unknown) => {
        // The import was cancelled at its very end.
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
