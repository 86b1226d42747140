/**
 * The only way of the command line to a terminal. A file, a row or a server may hold what a terminal obeys: sequences
 * that clear the screen, rename the window or turn the order of letters round. None of it gets through.
 */

// Controls, what is invisible and turns text round, separators of lines, and halves of a pair. Joiners only join.
const OBEYED = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const OBEYED_BUT_LINES = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A value inside a line: what would move or hide something stands there as in JSON, such as `\u001b`. */
export function shown(value: string): string {
  return value.replaceAll(OBEYED, escaped);
}

/** To the standard error: what is said to a person. */
export function tell(text: string): void {
  process.stderr.write(text.replaceAll(OBEYED_BUT_LINES, escaped));
}

/** To the standard output: what a script may take. In JSON an escape is the same text. */
export function print(text: string): void {
  process.stdout.write(text.replaceAll(OBEYED_BUT_LINES, escaped));
}

/** Over the last line of a terminal, of our own text. */
export function redraw(line: string): void {
  process.stderr.write(`\r\u001B[K${line}`);
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
