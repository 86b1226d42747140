import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutants.ts';
import type { Judged, Verdict } from './report.ts';

interface Line {
  readonly change: string;
  readonly by: string;
  readonly line: string;
}

/**
 * The changes that earlier runs noticed: one JSON object in each line of a file. Holes are not stored, so that each
 * run tries them again.
 */
export class Known {
  readonly #file: string;
  readonly #lines: ReadonlyMap<string, Line>;

  /** @param file an empty name stands for no file */
  constructor(file: string) {
    this.#file = file;
    const text = file !== '' && existsSync(file) ? readFileSync(file, 'utf8') : '';
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
    this.#lines = new Map(lines.map((line) => [line.change, line]));
  }

  /** The verdict of an earlier run; null if there is none. */
  of({ change }: Mutant): Verdict | null {
    const known = this.#lines.get(change);
    return known === undefined ? null : { kind: 'noticed', by: known.by, line: known.line };
  }

  add({ mutant: { change }, verdict }: Judged): void {
    if (this.#file === '' || verdict.kind !== 'noticed' || this.#lines.has(change)) return;
    const line: Line = { change, by: verdict.by, line: verdict.line };
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}
