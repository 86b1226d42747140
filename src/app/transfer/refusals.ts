import { accessSync, closeSync, constants, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { CommandFailed, WrongUsage } from '../../store/transfer/failure.js';
import { codeOf, isSameFile, statsOf } from './same-file.js';
import type { Consequence, Refusal, RefusalList } from '../../store/transfer/raw-row.js';
import { guarded } from '../../store/transfer/guard.js';
import { removeAbandoned, unfinishedName } from './unfinished.js';

const SHOWN = 10;
// Every list of refused rows begins with this text. In the lists of earlier releases, it is the whole header.
const HEADER_START = 'file,line,column,value,reason';
const HEADER = `${HEADER_START},kind\n`;
// `guarded` would put an apostrophe before a number with a sign. A spreadsheet reads such a number as a number, not as
// a formula, so it needs no apostrophe.
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

/**
 * The list of refused rows, with every fault of each row. A fault is marked as a consequence if it follows from a fault
 * that is already reported, such as a fault of another row. When the import is done, the list replaces the list of an
 * earlier run. If nothing was refused, there is no list.
 */
export class Refusals implements RefusalList {
  /** The first faults that are not consequences. */
  readonly first: Refusal[] = [];
  faults = 0;
  /**
   * The number of rows that are refused because of faults that are reported elsewhere, for each kind of consequence. In
   * a file in which each row is a line of an order, each row is read twice: as a line, and as a part of its order. So a
   * row that is counted here may also have a fault of its own, which was reported when the row was read as a line.
   */
  readonly consequences = new Map<Consequence, number>();
  readonly #unfinished: string;
  #handle: number | null = null;

  /**
   * @param inUse the files of the import and of the database, which the list must not overwrite
   * @throws WrongUsage when the list cannot be written at this path
   */
  constructor(
    readonly path: string,
    inUse: readonly string[],
  ) {
    requireFree(path, inUse);
    removeAbandoned(path);
    this.#unfinished = unfinishedName(path);
    // Removes the unfinished list when the command is interrupted.
    process.once('exit', () => this.abandon());
  }

  add(refusals: readonly Refusal[]): void {
    if (refusals.length === 0) return;
    const rows = refusals.map(({ file, line, column, value, reason, follows }) => [
      guarded(file),
      line,
      guarded(column),
      NUMBER.test(value) ? value : guarded(value),
      guarded(reason),
      follows === undefined ? 'fault' : 'consequence',
    ]);
    this.#write(stringify(rows));
    const causes = refusals.filter(({ follows }) => follows === undefined);
    this.faults += causes.length;
    this.first.push(...causes.slice(0, SHOWN - this.first.length));
    const [{ follows } = {}] = refusals;
    if (causes.length === 0 && follows !== undefined) {
      this.consequences.set(follows, (this.consequences.get(follows) ?? 0) + 1);
    }
  }

  #write(text: string): void {
    try {
      if (this.#handle === null) {
        this.#handle = openSync(this.#unfinished, 'w', 0o600);
        writeSync(this.#handle, HEADER);
      }
      writeSync(this.#handle, text);
    } catch (error) {
      throw new CommandFailed(
        `Rows were refused, but ${this.path} cannot be written (${codeOf(error)}). Name another file by --refused.`,
      );
    }
  }

  finish(): void {
    if (this.#handle === null) {
      // The list of an earlier run would name rows that are valid now.
      rmSync(this.path, { force: true });
      return;
    }
    closeSync(this.#handle);
    this.#handle = null;
    renameSync(this.#unfinished, this.path);
  }

  /** Removes the unfinished list, and does not change a list of an earlier run. Does nothing after `finish`. */
  abandon(): void {
    if (this.#handle === null) return;
    closeSync(this.#handle);
    this.#handle = null;
    rmSync(this.#unfinished, { force: true });
  }
}

function requireFree(path: string, inUse: readonly string[]): void {
  const another = 'Name another file by --refused.';
  if (path === '' || path === '-' || path.endsWith('/')) {
    throw new WrongUsage(
      `The refused rows can be listed only in a file, and «${path}» names none. Name a file by --refused.`,
    );
  }
  const stats = statsOf(path, another);
  const taken = inUse.find((name) => isSameFile(path, name));
  if (taken !== undefined) {
    throw new WrongUsage(`The refused rows cannot be listed in ${path}: that is ${taken} itself. ${another}`);
  }
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new WrongUsage(
      `The refused rows cannot be listed in ${path}: its folder cannot be written to (${codeOf(error)}). ${another}`,
    );
  }
  if (stats === undefined || (stats.isFile() && isList(path, another))) return;
  throw new WrongUsage(
    stats.isDirectory()
      ? `The refused rows cannot be listed in ${path}: that is a folder. ${another}`
      : `${path} already exists, and is not a list of refused rows of an earlier import. ${another}`,
  );
}

/**
 * Whether a file may be replaced, because it is a list of refused rows. An empty file may be replaced too, because
 * `mktemp` makes one.
 *
 * @throws WrongUsage for a file that this user may not read
 */
function isList(path: string, advice: string): boolean {
  const start = Buffer.alloc(HEADER_START.length);
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch (error) {
    throw new WrongUsage(`${path} already exists, and cannot be read (${codeOf(error)}). ${advice}`);
  }
  try {
    const length = readSync(handle, start);
    return length === 0 || start.toString('utf8', 0, length) === HEADER_START;
  } finally {
    closeSync(handle);
  }
}
