import { WrongUsage } from './failure.js';
import { shown } from '../../engine/values/shown.js';
import type { Named } from './mapping.js';
import { REFUSED_BECAUSE } from './members.js';

/** The maximum number of wrong columns that a message names, for each kind of fault. */
const MOST_NAMED = 3;

/**
 * Refuses a file whose columns do not fit.
 *
 * @param columns the columns that the file must have
 * @param known the columns of the store's own format, if the file must have no others; null if a mapping reads the file
 * @throws WrongUsage with a line for each kind of fault
 */
export function requireColumns(
  file: string,
  header: readonly string[],
  columns: readonly Named[],
  known: readonly string[] | null,
  delimiter: string,
): void {
  const faults: string[] = [];
  const names = new Set(header);
  const missing = columns.filter(
    ({ column, or }) => !names.has(column) && (or === undefined || !names.has(or)),
  );
  if (missing.length > 0) {
    const told = missing.map(({ column, place }) =>
      known === null ? `«${shown(column)}» (${place})` : `«${column}»`,
    );
    faults.push(`${file} has no ${inShort(told)}. Its columns are ${header.map(shown).join(', ')}.`);
  }
  const repeated = repeatedIn(header);
  if (repeated.size > 0) {
    const told = inShort(Array.from(repeated, (name) => `«${shown(name)}»`));
    faults.push(`${file} has ${told} more than once.`);
  }
  const strange =
    known === null ? [] : header.filter((name) => name !== REFUSED_BECAUSE && !known.includes(name));
  if (strange.length > 0) {
    const told = inShort(strange.map((name) => `«${shown(name)}»`));
    faults.push(`${file} has ${told}. The store's own format has only ${known?.join(', ')}.`);
  }
  if (faults.length === 0) return;
  throw new WrongUsage(faults.join('\n'), adviceFor(header, columns, delimiter, known !== null));
}

/** A header may have thousands of names, so it is searched only once. */
function repeatedIn(header: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of header) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

function inShort(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const kind = names.length === 1 ? 'column' : 'columns';
  return `${kind} ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function adviceFor(
  header: readonly string[],
  columns: readonly Named[],
  delimiter: string,
  isOwn: boolean,
): string {
  const [only = ''] = header;
  const found = header.length > 1 ? undefined : [';', '\t', ','].find((each) => only.includes(each));
  if (found !== undefined && found !== delimiter) {
    const quoted = JSON.stringify(found);
    return `The delimiter seems to be ${quoted}. Use a mapping (--map) with «delimiter: ${quoted}».`;
  }
  if (!isOwn) return '';
  const advice = 'Give the columns these names, or use a mapping (--map).';
  return columns.some(({ column }) => column === 'items') && !header.includes('items')
    ? `${advice} If the lines of the orders are in a file of their own, name it with --items.`
    : advice;
}
