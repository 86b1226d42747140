import { parse as parseCsv } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { parse as parseYaml } from 'yaml';
import type { Schema } from './document.ts';
import { pageIn } from './page.ts';
import { flat, isValid, typesOf } from './schemas.ts';

interface Element {
  readonly isNil: boolean;
  readonly children: (readonly [string, Element])[];
  text: string;
}

/** The value in a body, read by independent parsers. */
export function valueIn(mediaType: string, text: string, schema: Schema): unknown {
  if (mediaType === 'text/html') {
    if (!/^<!doctype html>/i.test(text)) throw new Error('This is no page.');
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
  throw new Error(`Nobody knows how to read ${mediaType}.`);
}

/** The complete events of a stream, each as the page that it would be alone. */
function eventsIn(text: string): readonly unknown[] {
  const blocks = text.split('\n\n').slice(0, -1);
  const fields = blocks.map((block) =>
    Object.fromEntries(
      block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]),
    ),
  );
  return fields
    .filter(({ data }) => data)
    .map(({ id, data }) => ({ data: [JSON.parse(data as string)], next: id }));
}

/** Parsers of YAML 1.1 and 1.2 must read the same value. */
function inBothYamls(text: string): unknown {
  const [old, today] = (['1.1', '1.2'] as const).map((version) => parseYaml(text, { version }) as unknown);
  if (JSON.stringify(old) !== JSON.stringify(today)) throw new Error('YAML 1.1 and 1.2 differ about it.');
  return today;
}

function elementIn(text: string): Element {
  const parser = new SaxesParser({ xmlns: false });
  const root: Element = { isNil: false, children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { isNil: attributes['xsi:nil'] === 'true', children: [], text: '' };
    open.at(-1)?.children.push([name, element]);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (more) => void ((open.at(-1) as Element).text += more));
  parser.write(text).close();
  return (root.children[0] as readonly [string, Element])[1];
}

/** In XML everything is text and elements; the schema gives the types. */
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
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

function rowsIn(text: string, schema: Schema): unknown {
  const list = schema.items ?? flat(schema.properties?.['data'] ?? {}).items ?? {};
  const [names = [], ...rows] = parseCsv(text, {
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
