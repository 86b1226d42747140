/**
 * A text as it stands in our CSV: what a spreadsheet would take for a formula gets an apostrophe before it, and so
 * does what begins with one, so that it can be undone. Never for numbers.
 */
export function guarded(text: string): string {
  return /^[=+\-@\t\r']/.test(text) ? `'${text}` : text;
}
