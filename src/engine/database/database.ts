import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3, { type Database as SqliteHandle } from 'better-sqlite3';
import type pg from 'pg';
import { CountedTables } from './counted-table.js';
import {
  dataSourceOptions,
  openDataSource,
  poolConfigOf,
  type StoreDataSource,
  type StoreOptions,
} from './data-source.js';
import { engineOf } from './engine.js';
import { DatabaseUnavailable } from './faults.js';
import { PostgresCountedTables } from './postgres-counted-table.js';
import { PostgresFolds } from './postgres-folds.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import { PostgresReads, Reads, ReplicaReads, SqliteReads } from './reads.js';
import type { Replica } from './replica.js';
import { PostgresLongReads } from './postgres-long-reads.js';
import { SCAN_MS, type LongReads } from './long-reads.js';
import { SameFiles } from './same-files.js';
import { SharedLock } from './shared-lock.js';
import { one, sql } from './sql.js';
import type { Act } from './transaction.js';
import { SqliteConnection } from './sqlite-connection.js';
import { SqliteLongReads } from './sqlite-long-reads.js';
import { SqliteCountedTables } from './sqlite-counted-table.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';
import { TrigramIndexes } from './trigrams.js';
import { UnitOfWork } from './unit-of-work.js';

interface Parts {
  unitOfWork: UnitOfWork;
  reads: Reads;
  replicaReads: Reads;
  /** Null without a replica. */
  replica: Replica | null;
  scans: LongReads;
  countedTables: CountedTables;
  /** Null on SQLite. */
  pool: pg.Pool | null;
  /** The reads and acts that wait for a connection. */
  waiting: () => number;
  /** Null on SQLite. */
  folds: PostgresFolds | null;
  /** Closes the remaining parts after all writing has ended. */
  close: () => Promise<void>;
}

/** The longest time for `ping`. It is shorter than the three seconds after which readiness probes give up. */
const PING_MS = 2_000;
/** After a change fails because the disk is full, the database counts as unavailable for this time. */
const NO_ROOM_MS = 5_000;

/**
 * The database of a process: the parts that write and read. It is closed through its data source, which lets running
 * work finish.
 */
export class Database {
  readonly #parts: Parts;

  constructor(readonly dataSource: StoreDataSource) {
    this.#parts = engineOf(dataSource) === 'sqlite' ? sqliteParts(dataSource) : postgresParts(dataSource);
    dataSource.beforeDestroy(() => this.#stop());
  }

  static async open(options: StoreOptions): Promise<Database> {
    return new Database(await openDataSource(dataSourceOptions(options)));
  }

  get unitOfWork(): UnitOfWork {
    return this.#parts.unitOfWork;
  }

  get reads(): Reads {
    return this.#parts.reads;
  }

  /**
   * Like `reads`, for reads of many rows. If there is a replica, it serves these reads, but only if it has everything
   * that was committed before the read.
   */
  get replicaReads(): Reads {
    return this.#parts.replicaReads;
  }

  /** The replica; null if the settings name none. */
  get replica(): Pick<Replica, 'isUsed' | 'served'> | null {
    return this.#parts.replica;
  }

  get scans(): LongReads {
    return this.#parts.scans;
  }

  get countedTables(): CountedTables {
    return this.#parts.countedTables;
  }

  /**
   * For sums that writers change by deltas on PostgreSQL: folds the deltas from now on; see `PostgresFolds.add`. On
   * SQLite there are no deltas, and nothing happens.
   */
  keepFolded(name: string, tables: readonly [deltas: string, sums: string]): void {
    this.#parts.folds?.add(name, tables);
  }

  /** The connections of PostgreSQL; null on SQLite. */
  get pool(): Pick<pg.Pool, 'totalCount' | 'idleCount' | 'options'> | null {
    return this.#parts.pool;
  }

  /** The number of reads and acts that wait for a connection of PostgreSQL; 0 on SQLite. */
  get waitingForConnection(): number {
    return this.#parts.waiting();
  }

  /**
   * @param act the act with which writing is tested
   * @throws DatabaseUnavailable when the database cannot be written or read at this moment
   * @throws the error of the driver when the disk is full
   */
  async ping(act: Act<unknown> = () => one(sql`SELECT 1`)): Promise<void> {
    const answered = new AbortController();
    const late = sleep(PING_MS, undefined, { signal: answered.signal }).then(() => {
      throw new DatabaseUnavailable(`The database did not answer within ${PING_MS} ms`);
    });
    try {
      await Promise.race([this.#roundTrip(act), late]);
    } finally {
      answered.abort();
    }
  }

  async #roundTrip(act: Act<unknown>): Promise<void> {
    // The success of `act` does not prove that the disk has space, because a small change may still succeed when a
    // larger change fails.
    if (performance.now() - this.unitOfWork.withoutRoomAt < NO_ROOM_MS) {
      throw new DatabaseUnavailable(
        'A change was refused a moment ago, because the database has no space left',
      );
    }
    await this.unitOfWork.run(act, { isAtOnce: true });
    await this.reads.one(sql`SELECT 1`);
  }

  /**
   * Gives SQLite a larger cache. Call this in a process that writes very much: the driver's cache of 16 MB is too
   * small for the indexes that such a process updates.
   */
  async keepMorePages(): Promise<void> {
    if (engineOf(this.dataSource) === 'sqlite') await this.dataSource.query('PRAGMA cache_size = -131072');
  }

  /**
   * Makes reads cheaper in a process that reads very much (ADR 76). As long as the log (WAL) of SQLite is empty, each
   * statement asks the operating system for the size of the file, which takes about as long as the read of a row. So if
   * the log is empty, this method commits a change that changes nothing. On PostgreSQL, this method does nothing.
   */
  beginLog(): void {
    if (engineOf(this.dataSource) !== 'sqlite') return;
    const { databaseConnection: writer } = this.dataSource.driver as unknown as {
      databaseConnection: SqliteHandle;
    };
    try {
      if (statSync(`${writer.name}-wal`).size > 0) return;
      writer.pragma(`user_version = ${String(writer.pragma('user_version', { simple: true }))}`);
    } catch {
      // Another process is writing, or the disk is full. Reads are only slower then.
    }
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  async #stop(): Promise<void> {
    await this.unitOfWork.stop();
    await this.countedTables.stop();
    await this.#parts.close();
  }
}

function sqliteParts(dataSource: StoreDataSource): Parts {
  const { databaseConnection } = dataSource.driver as unknown as { databaseConnection: SqliteHandle };
  const file = databaseConnection.name;
  const handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 5 });
  const writer = new SqliteConnection(databaseConnection);
  const reader = new SqliteConnection(handle);
  const lock = new SharedLock(file);
  const unitOfWork = new SqliteUnitOfWork(writer, new SameFiles(file));
  const scans = new SqliteLongReads(file);
  const trigrams = new TrigramIndexes(databaseConnection);
  unitOfWork.beforeCommit(() => {
    trigrams.takeChanges();
    lock.letGo();
    return () => undefined;
  });
  const reads = new SqliteReads(reader, lock);
  return {
    unitOfWork,
    reads,
    replicaReads: reads,
    replica: null,
    scans,
    countedTables: new SqliteCountedTables(dataSource, writer, reader, lock, unitOfWork),
    pool: null,
    waiting: () => 0,
    folds: null,
    close: async () => {
      await scans.stop();
      lock.close();
      handle.close();
    },
  };
}

function postgresParts(dataSource: StoreDataSource): Parts {
  const { master: pool } = dataSource.driver as unknown as { master: pg.Pool };
  const unitOfWork = new PostgresUnitOfWork(pool);
  const { replica } = dataSource;
  const scans = new PostgresLongReads(pool, poolConfigOf(dataSource.options), SCAN_MS, replica);
  const folds = new PostgresFolds(pool, unitOfWork);
  const reads = new PostgresReads(pool);
  return {
    unitOfWork,
    reads,
    replicaReads: replica === null ? reads : new ReplicaReads(pool, replica),
    replica,
    scans,
    countedTables: new PostgresCountedTables(dataSource, pool, folds, replica),
    pool,
    waiting: () => pool.waitingCount + unitOfWork.waitingForTurn,
    folds,
    close: async () => {
      await scans.stop();
      await replica?.stop();
    },
  };
}
