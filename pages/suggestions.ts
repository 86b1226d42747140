import { isAllowed } from './rights.js';
import { authorizedFetch, session } from './session.js';

/*
 * Suggestions for a field that takes the id of a row, such as a product. The visitor types a name or an id. A
 * `datalist` offers rows, and the name of the entered row is shown below the field. If the text is the exact name of a
 * single row, the form takes the id of this row.
 */

const MOST = 20;
/** The maximum number of rows that a list gives at once. */
const PAGE = 100;
/** The maximum number of characters that a search accepts. */
const LONGEST_SEARCH = 100;

interface Row {
  readonly id: number;
  readonly name?: string;
  readonly email?: string;
}

/** Only the answer to the last typed text is used. */
const asked = new WeakMap<HTMLInputElement, string>();
/** The titles of the rows that this page has read, by their addresses. */
const titles = new Map<string, string>();

/** Offers rows for the typed text. An id is not looked up, because the visitor may still be typing its digits. */
export async function suggest(input: HTMLInputElement): Promise<void> {
  const options = document.getElementById(input.getAttribute('list') ?? '');
  if (!options || !isAllowed(input, session())) return;
  const text = input.value.trim();
  asked.set(input, text);
  showName(input);
  if (isId(text)) return;
  const rows = await found(input, text, MOST);
  showName(input);
  if (asked.get(input) !== text) return;
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

/**
 * Call this when the visitor has left a field. This function replaces the exact name of a row by the id of the row, or
 * shows the name for an id.
 */
export async function settle(input: HTMLInputElement): Promise<void> {
  await takeName(input);
  const { item } = input.dataset;
  const text = input.value;
  if (item === undefined || !isId(text) || !isAllowed(input, session())) return;
  const answer = titles.has(item + text) ? null : await ask(item + text);
  if (answer?.ok) know(input, [inner(await answer.json())]);
  showName(input);
  const output = outputOf(input);
  if (output && answer?.status === 404 && input.value === text)
    output.textContent = 'There is no row with this id.';
}

/** If the text is the exact name or e-mail address of a single row, takes the id of this row instead. */
export async function takeName(input: HTMLInputElement): Promise<void> {
  const typed = input.value;
  const text = typed.trim();
  if (isId(text)) input.value = text;
  if (isId(text) || text === '' || !isAllowed(input, session())) return;
  const rows = await found(input, text, PAGE);
  const named = rows.filter((row) => [row.name, row.email, titleOf(row)].some((name) => isEqual(name, text)));
  // The list may have more rows than this page of it, and one of them may have the same name.
  const [row] = rows.length < PAGE && named.length === 1 ? named : [];
  if (!row || input.value !== typed) return;
  input.value = String(row.id);
  showName(input);
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text);
}

function isEqual(name: string | undefined, text: string): boolean {
  return name !== undefined && folded(name) === folded(text);
}

function folded(text: string): string {
  return text.trim().normalize().toLowerCase();
}

function outputOf(input: HTMLInputElement): HTMLOutputElement | null {
  return input.parentElement?.querySelector('output') ?? null;
}

function showName(input: HTMLInputElement): void {
  const output = outputOf(input);
  if (output) output.textContent = titles.get(`${input.dataset['item']}${input.value.trim()}`) ?? '';
}

function know(input: HTMLInputElement, rows: readonly Row[]): void {
  for (const row of rows) titles.set(`${input.dataset['item']}${row.id}`, titleOf(row));
}

function titleOf({ id, name, email }: Row): string {
  return [name ?? String(id), email].filter((text) => text !== undefined).join(' · ');
}

/** The rows of the list whose names or e-mail addresses contain a text. */
async function found(input: HTMLInputElement, text: string, limit: number): Promise<readonly Row[]> {
  const { list, search } = input.dataset;
  // The search takes no control characters and no lone surrogates. No name has them.
  if (list === undefined || /[\p{Cc}\p{Cs}]/u.test(text)) return [];
  const query = new URLSearchParams({
    limit: String(limit),
    ...(search !== undefined &&
      text !== '' && { [search]: Array.from(text).slice(0, LONGEST_SEARCH).join('') }),
  });
  const answer = await ask(`${list}?${query.toString()}`);
  const body: unknown = answer?.ok ? await answer.json() : null;
  const rows = Array.isArray(body) ? body : (body as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(rows)) return [];
  know(input, rows as readonly Row[]);
  return rows as readonly Row[];
}

/** A user of version 1 is in an envelope. */
function inner(row: unknown): Row {
  return (row && typeof row === 'object' && 'user' in row ? row.user : row) as Row;
}

/** A suggestion is only a help, so there is no message when it cannot be read. */
function ask(address: string): Promise<Response | null> {
  return authorizedFetch(address, { headers: { accept: 'application/json' } }).catch(() => null);
}
