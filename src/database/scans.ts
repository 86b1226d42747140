import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseUnavailable, translated } from './faults.js';
import type { ScanAnswer, ScanQuery } from './scan-worker.js';
import { type Row, type Sql, textOf } from './sql.js';
import { bound } from './sqlite-connection.js';

/**
 * `Reads` for statements whose cost grows with the table. They never hold up the event loop, but on SQLite they
 * wait for one another.
 */
export abstract class Scans {
  /** @throws DatabaseUnavailable also when too many are waiting, or when it takes too long */
  abstract all<R = Row>(statement: Sql): Promise<readonly R[]>;

  /** The first row, if there is one; the statement should not find more. */
  abstract one<R = Row>(statement: Sql): Promise<R | undefined>;
}

interface Asked extends PromiseWithResolvers<readonly Row[]> {
  readonly query: ScanQuery;
  timer: NodeJS.Timeout;
}

// Under type stripping this file is .ts, and so is the worker's; in the build both are .js.
const WORKER = new URL(`./scan-worker${extname(import.meta.url)}`, import.meta.url);

const MAX_WAITING = 64;
const LIMIT_MS = 10_000;

/**
 * On a thread with a read-only connection of its own, which starts with the first scan. Bytes come as `Uint8Array`,
 * all other values as `SqliteReads` gives them.
 */
export class SqliteScans extends Scans {
  readonly #file: string;
  readonly #limitMs: number;
  readonly #waiting: Asked[] = [];
  #worker: Worker | undefined;
  /** Also one that was given up, until its thread is gone: no other may start before. */
  #running: Asked | undefined;
  #stopped = false;

  /** @param limitMs how long a scan may wait, and how long it may then take */
  constructor(file: string, limitMs = LIMIT_MS) {
    super();
    this.#file = file;
    this.#limitMs = limitMs;
  }

  override async all<R = Row>(statement: Sql): Promise<readonly R[]> {
    const query = { text: textOf(statement, 'sqlite'), values: statement.values.map(bound) };
    if (this.#stopped) throw new DatabaseUnavailable('The service is shutting down');
    if (this.#waiting.length >= MAX_WAITING) throw new DatabaseUnavailable('Too many scans are waiting');
    const timer = setTimeout(() => this.#giveUpWaiting(asked), this.#limitMs);
    const asked: Asked = { ...Promise.withResolvers<readonly Row[]>(), query, timer };
    this.#waiting.push(asked);
    this.#runNext();
    return (await asked.promise) as readonly R[];
  }

  override async one<R = Row>(statement: Sql): Promise<R | undefined> {
    return (await this.all<R>(statement))[0];
  }

  /** Lets the scan that is running come to its end, and refuses those that wait or come after. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#refuseWaiting(() => new DatabaseUnavailable('The service is shutting down'));
    await Promise.allSettled([this.#running?.promise]);
    await this.#worker?.terminate();
  }

  #runNext(): void {
    if (this.#running !== undefined) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    clearTimeout(next.timer);
    this.#running = next;
    this.#worker ??= this.#start();
    next.timer = setTimeout(() => this.#giveUpRunning(next), this.#limitMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is no window
    this.#worker.postMessage(next.query);
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { name: 'scans', workerData: this.#file });
    let cause: unknown;
    worker.on('message', (answer: ScanAnswer) => this.#answer(answer));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      this.#refuseAll(() => new DatabaseUnavailable('The thread of the scans has ended', { cause }));
      this.#ended();
    });
    // After the listeners, which take it back. What keeps the process alive while somebody waits is the timer.
    worker.unref();
    return worker;
  }

  #answer(answer: ScanAnswer): void {
    const asked = this.#running;
    this.#running = undefined;
    clearTimeout(asked?.timer);
    if ('rows' in answer) asked?.resolve(answer.rows);
    else asked?.reject(translated(errorOf(answer)));
    this.#runNext();
  }

  #giveUpWaiting(asked: Asked): void {
    this.#waiting.splice(this.#waiting.indexOf(asked), 1);
    asked.reject(new DatabaseUnavailable('Other scans have been running for too long'));
  }

  /**
   * The thread ends only when SQLite returns to it, for the driver has no way to interrupt a statement. Meanwhile
   * no other is started, so that scans never take more than one core.
   */
  #giveUpRunning(asked: Asked): void {
    asked.reject(new DatabaseUnavailable('A scan took too long'));
    const worker = this.#worker?.removeAllListeners('message').removeAllListeners('exit');
    worker?.once('exit', () => this.#ended());
    void worker?.terminate();
  }

  #ended(): void {
    this.#worker = undefined;
    this.#running = undefined;
    this.#runNext();
  }

  /** What broke one thread might break the next as well. */
  #refuseAll(refusal: () => Error): void {
    clearTimeout(this.#running?.timer);
    this.#running?.reject(refusal());
    this.#refuseWaiting(refusal);
  }

  #refuseWaiting(refusal: () => Error): void {
    for (const { timer, reject } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(refusal());
    }
  }
}

function errorOf({ message, code }: Exclude<ScanAnswer, { rows: unknown }>): Error {
  return code === undefined ? new Error(message) : new BetterSqlite3.SqliteError(message, code);
}
