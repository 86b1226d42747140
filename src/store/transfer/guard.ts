/**
 * The form of a text in our CSV. A text that a spreadsheet would read as a formula gets an apostrophe before it. A
 * text that begins with an apostrophe gets another one, so that the change can be undone. Callers pass no numbers,
 * because numbers stay as they are.
 */
export function guarded(text: string): string {
  return /^[=+\-@\t\r']/.test(text) ? `'${text}` : text;
}
