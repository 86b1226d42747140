/**
 * Copies the text of the element that a button with `data-copy` names by its id.
 *
 * @param what the word for the text in the message that is shown if the browser does not allow copying
 * @param say shows a sentence to the visitor
 */
export function copyBy(button: HTMLElement, what: string, say: (text: string) => void): void {
  const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
  navigator.clipboard.writeText(text).then(
    () => say('Copied.'),
    () => say(`The browser does not allow this page to copy. Select the ${what} and copy it.`),
  );
}
