import { changedIn, isContested, isSame } from '../src/rules/entered.js';
import { fieldsIn, fill, labelOf, nameOf, valuesIn, wordsOf, type Values } from './form-values.js';

interface Race {
  /** The form whose fields name the values: the sent form, or for a deletion the form that changes the row. */
  readonly shown: HTMLFormElement | null;
  /** The values with which the visitor began, and the present values. */
  readonly base: Values;
  readonly theirs: Values;
}

/**
 * Somebody else changed the row after this page was loaded. This function shows the values that differ, and lets the
 * visitor choose.
 *
 * @param choose is called with true if the visitor's request is to be sent again, and with false otherwise
 */
export function showRace(
  form: HTMLFormElement,
  place: HTMLElement,
  { shown, base, theirs }: Race,
  choose: (isMine: boolean) => void,
): void {
  const isDelete = form.dataset['method'] === 'DELETE';
  const mine = isDelete ? base : valuesIn(form);
  const rows = (shown ? fieldsIn(shown) : [])
    .filter((field) => isContested(nameOf(field), theirs, mine, base))
    .map((field) => {
      const name = nameOf(field);
      const [there, here] = [theirs[name], mine[name]].map((value) => wordsOf(field, value) || 'none');
      if (isDelete) return [labelOf(field), here, there];
      return [labelOf(field), there, isSame(mine[name] ?? null, base[name] ?? null) ? 'not changed' : here];
    });
  const heading = document.createElement('p');
  const rest = isDelete ? 'Nothing is deleted yet.' : 'Nothing of yours is saved yet.';
  heading.textContent = `Somebody changed this row while you were here. ${rest}`;
  if (rows.length === 0 && !isDelete) heading.textContent += ' None of the changes contradicts yours.';
  const parts: Node[] = [heading];
  if (rows.length > 0)
    parts.push(tableOf(isDelete ? ['Field', 'Before', 'Now'] : ['Field', 'Theirs', 'Yours'], rows));
  const buttons = document.createElement('p');
  buttons.className = 'actions';
  const other = buttonOf(isDelete ? 'Keep it' : 'Take theirs', () => choose(false));
  other.className = 'quiet';
  buttons.append(
    buttonOf(isDelete ? 'Do it anyway' : 'Save mine', () => choose(true)),
    other,
  );
  parts.push(buttons);
  place.replaceChildren(...parts);
  place.focus();
}

/**
 * Puts the values of the other person into the fields that the other person changed. The entries in all other fields
 * stay.
 *
 * @param isMine whether the visitor's entry stays in a field that both persons changed
 * @returns whether the form still has entries of the visitor
 */
export function takeTheirs(
  form: HTMLFormElement,
  { base, theirs }: Omit<Race, 'shown'>,
  isMine: boolean,
): boolean {
  const mine = valuesIn(form);
  const changed = Object.keys(changedIn(mine, base));
  const taken = Object.keys(theirs).filter(
    (name) => isContested(name, theirs, mine, base) && !(isMine && changed.includes(name)),
  );
  fill(form, Object.fromEntries(taken.map((name) => [name, theirs[name] ?? null] as const)));
  return changed.some((name) => !taken.includes(name) && !isSame(mine[name], theirs[name]));
}

function tableOf(
  titles: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): HTMLTableElement {
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const text of titles) {
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
    for (const text of values) row.insertCell().textContent = text ?? '';
  }
  return table;
}

function buttonOf(text: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', onClick);
  return button;
}
