/**
 * The form of a text in our CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it. So
 * does a text that begins with an apostrophe, so that the change can be undone. It is not for numbers.
 */
export function guarded(text: string): string {
  return /^[=+\-@\t\r']/.test(text) ? `'${text}` : text;
}
