import { escaped } from '../engine/values/shown.js';

/**
 * All commands except `serve` write to a terminal only by these functions. A file, a row or an answer of a server may
 * contain control sequences that a terminal obeys: they clear the screen, rename the window or reverse the order of
 * letters. `tell` and `print` escape them. `redraw` writes only texts of this program.
 */

const CHARACTERS_TO_ESCAPE = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Writes to the standard error: messages for a person. */
export function tell(text: string): void {
  process.stderr.write(text.replaceAll(CHARACTERS_TO_ESCAPE, escaped));
}

/**
 * Writes to the standard output: data that a script may read. In JSON, an escaped character means the same as the
 * character itself.
 */
export function print(text: string): void {
  process.stdout.write(text.replaceAll(CHARACTERS_TO_ESCAPE, escaped));
}

/** Writes our own text over the last line of a terminal. */
export function redraw(line: string): void {
  process.stderr.write(`\r\u001B[K${line}`);
}
