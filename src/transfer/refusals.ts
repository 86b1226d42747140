import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import { CommandFailed } from '../cli/failure.js';
import type { Fault } from './apply.js';
import { guarded } from './guard.js';

export interface Refusal extends Fault {
  readonly file: string;
  readonly line: number;
}

const SHOWN = 10;

/** The file of what was refused, with every fault of each row; it is there only if something was. */
export class Refusals {
  readonly first: Refusal[] = [];
  faults = 0;
  #handle: number | null = null;

  constructor(readonly path: string) {
    // That of an earlier run would tell of rows that may be right by now.
    rmSync(path, { force: true });
  }

  add(refusals: readonly Refusal[]): void {
    if (refusals.length === 0) return;
    const rows = refusals.map(({ file, line, column, value, reason }) => [
      guarded(file),
      line,
      guarded(column),
      guarded(value),
      guarded(reason),
    ]);
    if (this.#handle === null) {
      this.#handle = this.#open();
      rows.unshift(['file', 'line', 'column', 'value', 'reason']);
    }
    writeSync(this.#handle, stringify(rows));
    this.faults += refusals.length;
    this.first.push(...refusals.slice(0, SHOWN - this.first.length));
  }

  #open(): number {
    try {
      return openSync(this.path, 'w');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandFailed(
        `Rows were refused, but ${this.path} cannot be written (${code}). Name another file by --refused.`,
      );
    }
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }
}
