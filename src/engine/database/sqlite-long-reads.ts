import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { ClientLeft } from '../errors/errors.js';
import { DatabaseUnavailable, translated } from './faults.js';
import { SCAN_BOUNDS } from './scan-queue.js';
import type { ScanAnswer, ScanQuery, ScanThread } from './scan-worker.js';
import { SCAN_MS, LongReads, tookTooLong } from './long-reads.js';
import { type Row, type Sql, textOf } from './sql.js';
import { bound } from './sqlite-connection.js';
import { StatementTimes } from './statement-times.js';

type Asked = PromiseWithResolvers<readonly Row[]>;

// Node runs this file and the file of the worker either both as .ts, or both as .js from the build.
const WORKER = new URL(`./scan-worker${extname(import.meta.url)}`, import.meta.url);

/** The additional wait for a scan that does not check its time itself. */
const GRACE_MS = 1_000;

/** The longest wait for a thread that was told to end. The thread ends only when SQLite returns. */
const CLOSE_MS = 5_000;

/**
 * Long reads on a thread of their own, which starts with the first scan. The thread has a read-only connection. Bytes
 * come as `Uint8Array`, all other values as `SqliteReads` returns them.
 */
export class SqliteLongReads extends LongReads {
  override readonly statements = new StatementTimes('sqlite');
  readonly #file: string;
  readonly #limitMs: number;
  /** The thread reads this number while SQLite works. It is not 0 when the client no longer waits. */
  readonly #gone = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #asked: Asked | undefined;
  /**
   * This promise is set when a thread is abandoned, and resolves when this thread has ended. No other thread may start
   * before that.
   */
  #ending: Promise<void> | undefined;

  constructor(
    file: string,
    { limitMs = SCAN_MS, ...bounds }: Partial<typeof SCAN_BOUNDS> & { limitMs?: number } = {},
  ) {
    super({ ...SCAN_BOUNDS, ...bounds, lanes: 1 });
    this.#file = file;
    this.#limitMs = limitMs;
  }

  /**
   * The driver cannot interrupt a statement. So the statement itself checks, about every thousand rows, whether it has
   * to end.
   */
  override watch(id: string): string {
    return `(${id} % 1024 <> 0 OR scan_goes_on())`;
  }

  protected override async scan(statement: Sql, gone: AbortSignal): Promise<readonly Row[]> {
    const query: ScanQuery = {
      text: textOf(statement, 'sqlite'),
      values: statement.values.map(bound),
      limitMs: this.#limitMs,
    };
    const asked: Asked = Promise.withResolvers();
    const timer = setTimeout(() => this.#giveUp(asked), this.#limitMs + GRACE_MS);
    const leave = () => void Atomics.store(this.#gone, 0, 1);
    gone.addEventListener('abort', leave);
    try {
      await Promise.race([this.#ending, asked.promise]);
      this.#asked = asked;
      Atomics.store(this.#gone, 0, gone.aborted ? 1 : 0);
      this.#worker ??= this.#start();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is no window
      this.#worker.postMessage(query);
      return await asked.promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', leave);
      this.#asked = undefined;
    }
  }

  protected override async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([Promise.all([this.#ending, this.#worker?.terminate()]), late]);
    clearTimeout(timer);
  }

  #start(): Worker {
    const workerData: ScanThread = { file: this.#file, gone: this.#gone };
    const worker = new Worker(WORKER, { name: 'scans', workerData });
    let cause: unknown;
    worker.on('message', (answer: ScanAnswer) => this.#answer(answer));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#asked?.reject(new DatabaseUnavailable('The thread of the scans has ended', { cause }));
    });
    // `unref` is called after the listeners are added, because adding them calls `ref`. While a scan is awaited, the
    // timer keeps the process alive.
    worker.unref();
    return worker;
  }

  #answer(answer: ScanAnswer): void {
    if ('rows' in answer) this.#asked?.resolve(answer.rows);
    else if (answer.ended === 'left') this.#asked?.reject(new ClientLeft());
    else if (answer.ended === 'late') this.#asked?.reject(tookTooLong(this.#limitMs));
    else this.#asked?.reject(translated(errorOf(answer)));
  }

  /** Abandons the thread. The thread ends only when SQLite returns. */
  #giveUp(asked: Asked): void {
    const worker = this.#worker?.removeAllListeners('message').removeAllListeners('exit');
    this.#worker = undefined;
    if (worker) this.#ending = new Promise((resolve) => worker.once('exit', () => resolve()));
    void worker?.terminate();
    asked.reject(tookTooLong(this.#limitMs));
  }
}

function errorOf({ message, code }: Exclude<ScanAnswer, { rows: unknown }>): Error {
  return code === undefined ? new Error(message) : new BetterSqlite3.SqliteError(message, code);
}
