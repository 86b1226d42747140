import { Unreadable } from './json-rows.js';

/*
 * The beginning of a file: its format, its columns, and their first values. Only the first 256 KiB are read, so a
 * large file takes no more time.
 */

const HEAD_BYTES = 262_144;
const SAMPLES = 20;

export interface Column {
  readonly name: string;
  /** The member that holds a list of objects, if the column is a member of these objects. */
  readonly list: string | null;
  /** The values of the first rows, one for each row or object of the list. A missing value is the empty text. */
  readonly values: readonly string[];
}

export interface Head {
  readonly format: 'csv' | 'ndjson';
  /** The number of characters up to the `[` of a list in JSON, including this character; null for other files. */
  readonly jsonBegin: number | null;
  /** The delimiter of CSV. */
  readonly delimiter: string;
  readonly columns: readonly Column[];
}

/**
 * @param delimiter the delimiter of CSV, if the visitor has chosen one
 * @throws Unreadable
 */
export async function readHead(file: File, mostBytes: number, delimiter?: string): Promise<Head> {
  if (file.size === 0) throw new Unreadable('The file is empty.');
  if (file.size > mostBytes) {
    throw new Unreadable(
      `The file has ${sizeOf(file.size)}; at most ${sizeOf(mostBytes)} can be imported here. Divide it, or use the command “store import”, which takes files of any size.`,
    );
  }
  const text = textOf(await bytesOf(file, 0, HEAD_BYTES), file.size <= HEAD_BYTES);
  const isWhole = file.size <= HEAD_BYTES;
  const start = text.trimStart();
  const isCsv = /\.(csv|tsv|txt)$/i.test(file.name) || !/^[[{]/.test(start);
  if (isCsv) return csvHead(text, isWhole, delimiter);
  const list = /^\s*(?:\{\s*"data"\s*:\s*)?\[/.exec(text);
  return list ? jsonHead(text, list[0].length) : ndjsonHead(text, isWhole);
}

/** @throws Unreadable if the browser can no longer read the file */
export async function bytesOf(file: File, from: number, to: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer());
  } catch {
    throw new Unreadable(
      'The browser cannot read the file any more: it was changed, moved or deleted. Choose it again.',
    );
  }
}

/** @param isWhole whether the bytes end with a whole character @throws Unreadable */
export function textOf(bytes: Uint8Array, isWhole = true): string {
  if (/^(?:fffe|feff)/.test([...bytes.subarray(0, 2)].map((each) => each.toString(16)).join('')))
    throw new Unreadable('The file is UTF-16. Save it as UTF-8, or as “CSV UTF-8” in a spreadsheet.');
  if (bytes.includes(0))
    throw new Unreadable('This is not a text file. Choose a file with CSV, NDJSON or JSON.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    throw new Unreadable('The file is not UTF-8. Save it as UTF-8, or as “CSV UTF-8” in a spreadsheet.');
  }
}

export function sizeOf(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  const level = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${Number((bytes / 1024 ** level).toPrecision(3)).toLocaleString('en')} ${units[level]}`;
}

function csvHead(text: string, isWhole: boolean, chosen?: string): Head {
  const content = text.replace(/^\uFEFF/, '');
  const [first = ''] = content.split(/\r?\n/, 1);
  // The service finds the delimiter in the same way.
  const delimiter = chosen ?? [',', ';', '\t'].find((each) => first.includes(each)) ?? ',';
  const rows = csvRows(content, delimiter, SAMPLES, isWhole);
  const [header, ...others] = rows;
  if (!header) {
    throw new Unreadable(
      isWhole
        ? 'The file has no row.'
        : 'The first row of the file is too long. Check whether a quote (") is not closed.',
    );
  }
  const columns = header.map((name, index) => ({
    name: name.trim(),
    list: null,
    values: others.map((row) => row[index] ?? ''),
  }));
  return { format: 'csv', jsonBegin: null, delimiter, columns };
}

/** The first rows of CSV. A row that may continue after the end of the text is left out. */
function csvRows(text: string, delimiter: string, most: number, isWhole: boolean): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length <= most) {
    let cell = '';
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end === -1) return rows;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
    row.push(cell + text.slice(start, at));
    if (at >= text.length && !isWhole) return rows;
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      if (!isWhole) return rows;
      row.push('');
    }
    if (row.some((each) => each !== '') || row.length > 1) rows.push(row);
    row = [];
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
  return rows;
}

function ndjsonHead(text: string, isWhole: boolean): Head {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  if (!isWhole) lines.pop();
  const rows = lines
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLES)
    .map(objectIn);
  if (rows.length === 0 && !isWhole) {
    throw new Unreadable(
      'The first line of the file is too long. NDJSON has one object in each line; a JSON file has a list of objects.',
    );
  }
  const good = rows.filter((row) => row !== null);
  if (rows[0] === null || good.length === 0) {
    throw new Unreadable(
      'The first line is not an object in JSON. NDJSON has one object in each line; a JSON file has a list of objects.',
    );
  }
  return { format: 'ndjson', jsonBegin: null, delimiter: ',', columns: columnsOf(good) };
}

function jsonHead(text: string, begin: number): Head {
  const rows: Record<string, unknown>[] = [];
  let start = begin;
  // The end of an object is the first “}” with which it is complete.
  for (
    let end = text.indexOf('}', start), tries = 0;
    end !== -1 && rows.length < SAMPLES && tries < 2_000;
    tries += 1
  ) {
    const row = objectIn(text.slice(start, end + 1));
    if (row !== null) {
      rows.push(row);
      const comma = /^\s*,/.exec(text.slice(end + 1, end + 1_000));
      if (!comma) break;
      start = end + 1 + comma[0].length;
    }
    end = text.indexOf('}', end + 1);
  }
  if (rows.length === 0) throw new Unreadable('The list in the file does not begin with a complete object.');
  return { format: 'ndjson', jsonBegin: begin, delimiter: ',', columns: columnsOf(rows) };
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function columnsOf(rows: readonly Record<string, unknown>[]): Column[] {
  return namesIn(rows).flatMap((name): Column[] => {
    const values = rows.map((row) => row[name]);
    const column = { name, list: null, values: values.map(textIn) };
    const inner = values.flatMap((value) => (Array.isArray(value) ? value.filter(isObject) : []));
    return [
      column,
      ...namesIn(inner).map((each) => ({
        name: each,
        list: name,
        values: inner.map((row) => textIn(row[each])),
      })),
    ];
  });
}

function namesIn(rows: readonly Record<string, unknown>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function textIn(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
