/**
 * Copies the text of the element that a button with `data-copy` names by its id.
 *
 * @param what a word for the text, such as `line`. If the browser does not allow copying, a message asks the visitor to
 *   select and copy the text, and uses this word
 * @param say shows a sentence to the visitor
 */
export function copyBy(button: HTMLElement, what: string, say: (text: string) => void): void {
  const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
  // Over plain HTTP, the browser has no `navigator.clipboard`. This function is async, so that this is a rejection too.
  const copy = async (): Promise<void> => navigator.clipboard.writeText(text);
  copy().then(
    () => say('Copied.'),
    () => say(`The browser does not allow this page to copy. Select the ${what} and copy it.`),
  );
}
