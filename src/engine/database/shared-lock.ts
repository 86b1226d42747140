import BetterSqlite3, { type Database as SqliteHandle, type Statement } from 'better-sqlite3';
import { apart } from '../tracing/span.js';

interface Connection extends Readonly<Record<'begin' | 'read' | 'commit', Statement<[]>>> {
  readonly handle: SqliteHandle;
}

/**
 * The number of reads without the lock after which the lock is taken. For fewer reads, the lock would cost more than it
 * saves.
 */
const READS_BEFORE = 64;
/**
 * The longest time for which the lock is held. It is short, because no other process can restart the log (WAL)
 * meanwhile.
 */
const HELD_MS = 50;

/**
 * Makes single reads cheaper when many follow one another (ADR 59). A statement outside of a transaction locks the
 * present state of the log (WAL), and unlocks it. These two system calls take longer than a read by primary key. SQLite
 * makes neither of them while another connection of this process locks the same state. `SharedLock` is such a
 * connection. It reads no rows of the store. Every statement still looks for the newest commit itself, so no answer
 * depends on this lock.
 */
export class SharedLock {
  readonly #file: string;
  #connection: Connection | null = null;
  #reads = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Call this before a read. */
  beforeRead(): void {
    if (this.#timer !== null) return;
    this.#reads += 1;
    if (this.#reads >= READS_BEFORE) this.#lock();
  }

  /** Call this before each COMMIT of this process, because the lock is on the state before the COMMIT. */
  letGo(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#reads = 0;
    this.#end();
  }

  close(): void {
    this.letGo();
    this.#connection?.handle.close();
    this.#connection = null;
    this.#reads = Number.NEGATIVE_INFINITY;
  }

  #lock(): void {
    this.#reads = 0;
    try {
      this.#connection ??= connect(this.#file);
      this.#connection.begin.run();
      // BEGIN locks nothing; the first read does.
      this.#connection.read.get();
    } catch {
      // The read that follows has the same error, and reports it.
      this.#end();
      return;
    }
    // The lock serves many requests, so it belongs to none of them.
    this.#timer = apart(() => setTimeout(() => this.letGo(), HELD_MS).unref());
  }

  /** Ends the transaction of the lock. After some errors, SQLite itself has already ended it. */
  #end(): void {
    if (this.#connection?.handle.inTransaction === true) this.#connection.commit.run();
  }
}

function connect(file: string): Connection {
  const handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 5 });
  return {
    handle,
    begin: handle.prepare('BEGIN'),
    read: handle.prepare('SELECT 1 FROM sqlite_schema LIMIT 1'),
    commit: handle.prepare('COMMIT'),
  };
}
