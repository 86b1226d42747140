import type { Body } from '../../generated/bodies.js';
import { isObject, listIn, textOf, type Format } from './format.js';

const LINE_END = '\r\n';
/**
 * A spreadsheet would treat texts with these beginnings as formulas, so an apostrophe is put before them. It is also
 * put before a text that already begins with an apostrophe, so that a program can remove the added apostrophes again.
 */
const MARKED = /^[=+\-@\t\r']/;
const QUOTED = /[",\r\n]|^\s|\s$/;

interface Column {
  readonly name: string;
  /** The path of the value. Objects in a row are flattened, with points in the names of their columns. */
  readonly path: readonly string[];
}

/** RFC 4180: a row of names, then a row for each item of the list. */
export const csv: Format = {
  name: 'csv',
  mediaType: 'text/csv',
  headers: {},
  compile: (body) => {
    const columns = columnsOf(body);
    return (value, { fields }) => {
      const shown = fields
        ? columns.filter(({ path: [first] }) => fields.includes(first as string))
        : columns;
      const list = listIn(value) ?? [];
      return headerOf(shown) + list.map((item) => rowOf(item, shown)).join('');
    };
  },
  rows: (body) => {
    const columns = columnsOf(body);
    return { head: headerOf(columns), row: (item) => rowOf(item, columns) };
  },
  problem: null,
};

/** @param body the body of a list, or of its envelope */
function columnsOf(body: Body): readonly Column[] {
  const item = (body.items ? body : body.members?.['data'])?.items;
  return item?.members ? columnsIn(item.members, []) : [{ name: item?.name ?? 'item', path: [] }];
}

function headerOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => cellOf(name)).join(',') + LINE_END;
}

function rowOf(item: unknown, columns: readonly Column[]): string {
  return columns.map(({ path }) => cellOf(valueAt(item, path))).join(',') + LINE_END;
}

function columnsIn(members: Readonly<Record<string, Body>>, way: readonly string[]): Column[] {
  return Object.entries(members).flatMap(([name, body]) => {
    const path = [...way, name];
    return body.members ? columnsIn(body.members, path) : [{ name: path.join('.'), path }];
  });
}

function valueAt(item: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), item);
}

/** Null is an empty cell. An empty text is a cell with two quotes. Lists and maps are JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return textOf(value);
  const text = textOf(value);
  const marked = MARKED.test(text) ? `'${text}` : text;
  return marked === '' || QUOTED.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
