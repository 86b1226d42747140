import { WrongUsage } from '../cli/failure.js';
import type { Named } from './mapping.js';

const NAMED = 3;

/**
 * @param known the columns of our own form; null: others are there for somebody else
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
  const missing = columns.filter(({ column }) => !header.includes(column));
  if (missing.length > 0) {
    const names = missing.map(({ column, place }) =>
      known === null ? `«${column}» (${place})` : `«${column}»`,
    );
    faults.push(`${file} has no ${inShort(names)}. Its columns are ${header.join(', ')}.`);
  }
  const twice = header.filter((name, index) => header.indexOf(name) !== index);
  if (twice.length > 0) faults.push(`${file} has ${inShort(twice.map((name) => `«${name}»`))} twice.`);
  const strange = known === null ? [] : header.filter((name) => !known.includes(name));
  if (strange.length > 0) {
    const names = inShort(strange.map((name) => `«${name}»`));
    faults.push(`${file} has ${names}, which our own form does not know: ${known?.join(', ')}.`);
  }
  if (faults.length === 0) return;
  faults.push(adviceFor(header, delimiter, known !== null));
  throw new WrongUsage(faults.filter((each) => each !== '').join('\n'));
}

function inShort(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const kind = names.length === 1 ? 'column' : 'columns';
  return `${kind} ${names.slice(0, NAMED).join(', ')}${more}`;
}

function adviceFor(header: readonly string[], delimiter: string, isOwn: boolean): string {
  const [only = ''] = header;
  const found = header.length > 1 ? undefined : [';', '\t', ','].find((each) => only.includes(each));
  if (found !== undefined && found !== delimiter) {
    const quoted = JSON.stringify(found);
    return `The delimiter seems to be ${quoted}: a mapping (--map) with the line delimiter: ${quoted} reads it.`;
  }
  return isOwn ? 'Say by --map which columns of the file are ours.' : '';
}
