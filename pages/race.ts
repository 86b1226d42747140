import { isContested } from '../src/rules/entered.js';
import { fieldsIn, fill, labelOf, nameOf, shownOf, valuesIn, type Values } from './form-values.js';

/** The values with which the visitor began, and the present values. */
interface Race {
  readonly base: Values;
  readonly theirs: Values;
}

/**
 * Somebody else changed the row after this page was loaded. This function shows the values that differ, and lets the
 * visitor choose.
 *
 * @param choose is called with true if the visitor's values are to be saved
 */
export function showRace(
  form: HTMLFormElement,
  place: HTMLElement,
  { base, theirs }: Race,
  choose: (isMine: boolean) => void,
): void {
  const mine = valuesIn(form);
  const rows = fieldsIn(form)
    .filter((field) => isContested(nameOf(field), theirs, mine, base))
    .map((field) => {
      const name = nameOf(field);
      return [labelOf(field), shownOf(field, theirs[name]), shownOf(field, mine[name])];
    });
  const heading = document.createElement('p');
  heading.textContent = 'Somebody changed this row while you were here. Nothing of yours is saved yet.';
  const isDelete = form.dataset['method'] === 'DELETE';
  const parts: Node[] = [heading];
  if (rows.length > 0) parts.push(tableOf(rows));
  const buttons = document.createElement('p');
  buttons.className = 'actions';
  const other = buttonOf('Take theirs', () => (isDelete ? location.reload() : choose(false)));
  other.className = 'quiet';
  buttons.append(
    buttonOf(isDelete ? 'Do it anyway' : 'Save mine', () => choose(true)),
    other,
  );
  parts.push(buttons);
  place.replaceChildren(...parts);
  place.focus();
}

/** Puts the values of the other person into the form, except for the members that the visitor keeps. */
export function takeBack(form: HTMLFormElement, theirs: Values, kept: readonly string[]): void {
  fill(form, Object.fromEntries(Object.entries(theirs).filter(([name]) => !kept.includes(name))));
}

function tableOf(rows: readonly (readonly string[])[]): HTMLTableElement {
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const text of ['Field', 'Theirs', 'Yours']) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = text;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [name = '', ...values] of rows) {
    const row = body.insertRow();
    const cell = document.createElement('th');
    cell.scope = 'row';
    cell.textContent = name;
    row.append(cell);
    for (const text of values) row.insertCell().textContent = text === '' ? 'none' : text;
  }
  return table;
}

function buttonOf(text: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', act);
  return button;
}
