import { isAllowed } from './rights.js';
import { authorizedFetch, session } from './session.js';

/*
 * Suggestions for a field that takes the id of a row, such as a product. The visitor types a name or an id; a
 * `datalist` offers rows, and the name of the entered row is shown below the field.
 */

const MOST = '20';

interface Row {
  readonly id: number;
  readonly name?: string;
  readonly email?: string;
}

/** Only the answer to the last typed text is used. */
const asked = new WeakMap<HTMLInputElement, string>();

export async function suggest(input: HTMLInputElement): Promise<void> {
  const { list, item, search } = input.dataset;
  const options = document.getElementById(input.getAttribute('list') ?? '');
  const output = input.parentElement?.querySelector('output');
  if (list === undefined || item === undefined || !options || !output) return;
  if (!isAllowed(input, session())) return;
  const text = input.value.trim();
  asked.set(input, text);
  const isId = /^[1-9]\d{0,15}$/.test(text);
  output.textContent = '';
  const query = new URLSearchParams({
    limit: MOST,
    ...(search !== undefined && text !== '' && { [search]: text }),
  });
  const rows = isId ? await one(item + text) : await many(`${list}?${query.toString()}`);
  if (asked.get(input) !== text) return;
  if (isId) {
    output.textContent = rows[0] ? titleOf(rows[0]) : '';
    return;
  }
  options.replaceChildren(
    ...rows.map((row) => {
      const option = document.createElement('option');
      option.value = String(row.id);
      option.label = titleOf(row);
      // Chromium compares the typed text with the value and the label.
      option.textContent = titleOf(row);
      return option;
    }),
  );
}

function titleOf({ id, name, email }: Row): string {
  return [name ?? String(id), email].filter((text) => text !== undefined).join(' · ');
}

async function one(address: string): Promise<readonly Row[]> {
  const row = await read(address);
  // A user of version 1 is in an envelope.
  const inner = row && typeof row === 'object' && 'user' in row ? row.user : row;
  return inner ? [inner as Row] : [];
}

async function many(address: string): Promise<readonly Row[]> {
  const body = await read(address);
  const list = Array.isArray(body) ? body : (body as { readonly data?: readonly Row[] } | null)?.data;
  return Array.isArray(list) ? (list as readonly Row[]) : [];
}

/** A suggestion is only a help, so there is no message when it cannot be read. */
async function read(address: string): Promise<unknown> {
  const answer = await authorizedFetch(address, { headers: { accept: 'application/json' } }).catch(
    () => null,
  );
  return answer?.ok ? answer.json() : null;
}
