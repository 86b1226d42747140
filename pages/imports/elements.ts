/* The elements of the page by their selectors. They are all in pages/imports.html. */

export function one(selector: string): HTMLElement {
  return document.querySelector(selector) as HTMLElement;
}

export function input(selector: string): HTMLInputElement {
  return one(selector) as HTMLInputElement;
}

export function select(selector: string): HTMLSelectElement {
  return one(selector) as HTMLSelectElement;
}

export function tell(selector: string, text: string): void {
  const element = one(selector);
  // If the same text were set again, a screen reader would read it again.
  if (element.textContent !== text) element.textContent = text;
}
