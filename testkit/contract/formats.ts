import { parse as parseCsv } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { parseDocument } from 'yaml';
import { blocksIn } from '../event-stream.ts';
import type { Schema } from './document.ts';
import { pageIn } from './page.ts';
import { flat, isValid, typesOf } from './schemas.ts';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const NUMBER = /^-?\d+(\.\d+)?(e[+-]\d+)?$/;

interface Element {
  readonly isNil: boolean;
  readonly children: (readonly [string, Element])[];
  text: string;
}

/** The value in a body, read by independent parsers. */
export function valueIn(mediaType: string, text: string, schema: Schema): unknown {
  if (mediaType === 'text/html') {
    if (!/^<!doctype html>/i.test(text)) throw new Error('This is not an HTML page.');
    return pageIn(text);
  }
  if (mediaType === 'text/event-stream') return eventsIn(text);
  if (mediaType === 'application/x-ndjson') {
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  }
  if (typesOf(schema).join() === 'string') return text;
  if (mediaType.endsWith('json')) return JSON.parse(text) as unknown;
  if (mediaType.endsWith('xml')) return shaped(elementIn(text), schema);
  if (mediaType === 'application/yaml') return inBothYamls(text);
  if (mediaType === 'text/csv') return rowsIn(text, flat(schema));
  throw new Error(`There is no parser for ${mediaType}.`);
}

/**
 * The complete events of a stream. Each event is returned like a page of the list of events. Each page has one event.
 */
function eventsIn(text: string): readonly unknown[] {
  return blocksIn(text)
    .filter(({ data }) => data !== '')
    .map(({ id, data }) => ({ data: [JSON.parse(data) as unknown], ...(id !== null && { next: id }) }));
}

/** Parsers of YAML 1.1 and 1.2 must read the same value. */
function inBothYamls(text: string): unknown {
  const [old, today] = (['1.1', '1.2'] as const).map((version) => {
    const document = parseDocument(text, { version, strict: true });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw new Error(`YAML ${version}: ${fault.message}`);
    return document.toJS() as unknown;
  });
  if (JSON.stringify(old) !== JSON.stringify(today))
    throw new Error('YAML 1.1 and 1.2 read different values.');
  return today;
}

function elementIn(text: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { isNil: false, children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const isNil = Object.values(attributes).some(
      ({ uri, local, value }) => uri === XSI && local === 'nil' && value === 'true',
    );
    const element: Element = { isNil, children: [], text: '' };
    open.at(-1)?.children.push([name, element]);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  for (const kind of ['text', 'cdata'] as const)
    parser.on(kind, (more) => void ((open.at(-1) as Element).text += more));
  parser.write(text).close();
  return (root.children[0] as readonly [string, Element])[1];
}

/** XML has only elements and text, so the types come from the schema. */
function shaped(element: Element, given: Schema): unknown {
  const schema = flat(given);
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) {
    const readings = choice.map((each) => [each, shaped(element, each)] as const);
    return (readings.find(([each, value]) => isValid(each, value)) ?? readings[0])?.[1];
  }
  if (element.isNil) return null;
  if (schema.properties || typesOf(schema).includes('object')) {
    return Object.fromEntries(
      element.children.map(([name, child]) => [name, shaped(child, schema.properties?.[name] ?? {})]),
    );
  }
  if (schema.items) return element.children.map(([, child]) => shaped(child, schema.items as Schema));
  return scalar(element.text, schema);
}

function scalar(text: string, schema: Schema): unknown {
  const types = typesOf(schema);
  if (types.includes('string') || types.length === 0) return text;
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  return NUMBER.test(text) ? Number(text) : text;
}

function rowsIn(text: string, schema: Schema): unknown {
  const list = schema.items ?? flat(schema.properties?.['data'] ?? {}).items ?? {};
  const [names = [], ...rows] = parseCsv(text, {
    record_delimiter: '\r\n',
    // Only quotes distinguish an empty text from a missing value.
    cast: (value, { quoting, header }) => (value === '' && !quoting && !header ? null : value),
  }) as unknown as (string | null)[][];
  const alternatives = flat(list).anyOf ?? [list];
  const items = rows.map((cells) => {
    const readings = alternatives.map((each) => [each, rowOf(names as string[], cells, each)] as const);
    return (readings.find(([each, value]) => isValid(each, value)) ?? readings[0])?.[1];
  });
  return items;
}

function rowOf(names: readonly string[], cells: readonly (string | null)[], schema: Schema): unknown {
  const row: Record<string, unknown> = {};
  names.forEach((name, index) => {
    const way = name.split('.');
    const last = way.pop() as string;
    const inner = way.reduce((at, step) => (at[step] ??= {}) as Record<string, unknown>, row);
    const of = way.reduce((at, step) => flat(at.properties?.[step] ?? {}), flat(schema));
    inner[last] = cellOf(cells[index] ?? null, flat(of.properties?.[last] ?? {}));
  });
  return row;
}

function cellOf(cell: string | null, schema: Schema): unknown {
  if (cell === null) return null;
  const types = typesOf(schema);
  const text = types.includes('string') && cell.startsWith("'") ? cell.slice(1) : cell;
  return types.includes('array') || types.includes('object')
    ? (JSON.parse(text) as unknown)
    : scalar(text, schema);
}
