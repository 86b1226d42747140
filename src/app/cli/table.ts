import { number } from './progress.js';
import { tell } from '../terminal.js';
import { shown as inOneLine } from '../../engine/values/shown.js';

/** A table as text. Each column is as wide as its widest cell. The last column is not padded. */
export function tableOf(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((row) => row.map(inOneLine));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  }
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** JSON with an indentation of two spaces, so that a person can read it too. */
export function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A time in UTC, exact to the minute: 2026-11-21T15:20Z. A dash means never. */
export function minuteOf(moment: Date | null): string {
  return moment === null ? '–' : `${moment.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)}Z`;
}

/** Tells the person that a list is empty or incomplete. @param total null when there are too many rows to count */
export function tellRest(shown: number, total: number | null, what: string): void {
  if (shown === 0) tell(`No ${what} were found.\n`);
  else if (total === null || total > shown) {
    const all = total === null ? '' : ` of ${number(total)}`;
    tell(`These are the first ${number(shown)}${all} ${what}; --limit shows more.\n`);
  }
}
