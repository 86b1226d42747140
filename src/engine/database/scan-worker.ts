import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3, { type Database, type Statement } from 'better-sqlite3';
import type { Bound } from './sqlite-connection.js';
import type { Row } from './sql.js';

// The thread on which `SqliteLongReads` reads. The tests load this file unchanged, with Node's type stripping. So it
// uses only erasable types, and imports only types from our own code.

export interface ScanQuery {
  readonly text: string;
  readonly values: readonly Bound[];
  readonly limitMs: number;
}

/** The data with which the thread is started. */
export interface ScanThread {
  readonly file: string;
  readonly gone: Int32Array;
}

export type ScanAnswer =
  | { readonly rows: readonly Row[] }
  // The fields of an error are sent one by one, because a cloned error would lose its code.
  | {
      readonly message: string;
      readonly code: string | undefined;
      readonly ended: 'left' | 'late' | undefined;
    };

type Prepared = Statement<[readonly Bound[]], Row>;

const CACHED_TEXTS = 100;
// The longest wait for the lock of another process. It may be long, because only this thread waits.
const BUSY_MS = 5_000;

const { file, gone } = workerData as ScanThread;
let endsAt = Infinity;
let ended: 'left' | 'late' | undefined;
let handle = opened();
const OPENED = inode();
const byText = new Map<string, Prepared>();

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is no window
parentPort?.on('message', (query: ScanQuery) => parentPort?.postMessage(answerTo(query)));

function answerTo({ text, values, limitMs }: ScanQuery): ScanAnswer {
  ended = undefined;
  endsAt = performance.now() + limitMs;
  try {
    return { rows: prepared(text).all(values) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { message, code, ended };
  }
}

function prepared(text: string): Prepared {
  let statement = byText.get(text);
  if (statement === undefined) {
    if (byText.size === CACHED_TEXTS) openAgain();
    statement = handle.prepare<[readonly Bound[]], Row>(text);
    byText.set(text, statement);
  }
  return statement;
}

/**
 * The driver frees a statement only when its object is collected as garbage. This thread has little garbage, so
 * thousands of unused statements would stay in memory. The end of a connection frees all its statements at once.
 */
function openAgain(): void {
  byText.clear();
  // If the file was replaced, the other connections of the service still have the old file, so this thread keeps it
  // too.
  if (inode() !== OPENED) return;
  const before = handle;
  handle = opened();
  before.close();
}

function inode(): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function opened(): Database {
  const connection = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  return connection.function('scan_goes_on', { deterministic: false }, () => {
    ended = Atomics.load(gone, 0) === 0 ? (performance.now() > endsAt ? 'late' : undefined) : 'left';
    if (ended) throw new Error('The scan was ended');
    return 1;
  });
}
