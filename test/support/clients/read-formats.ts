import { parse as parseCsv, type CastingContext } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { parseDocument } from 'yaml';
import { resolve, type Schema } from '../fixtures/schema.js';

interface Element {
  readonly name: string;
  readonly isNil: boolean;
  readonly children: Element[];
  text: string;
}

/**
 * Reads an answer as a client would that knows the contract and nothing else of us, with parsers that others wrote.
 *
 * @returns undefined where the format is for people
 */
export function readBack(mediaType: string, schema: Schema, text: string): unknown {
  // A document is served as it is, and not in formats.
  if ((resolve(schema) as Schema).type === 'string') return text;
  if (mediaType === 'application/x-ndjson')
    return (text === '' ? [] : text.split(/(?<=\n)/)).map((line) => JSON.parse(line) as unknown);
  if (mediaType.includes('json')) return JSON.parse(text) as unknown;
  if (mediaType.includes('xml')) return valueIn(readXml(text), schema);
  if (mediaType.includes('yaml')) return readYaml(text);
  if (mediaType === 'text/csv') return readCsv(text, schema);
  return undefined;
}

/** The same must come of readers of both versions. */
function readYaml(text: string): unknown {
  const [older, newer] = (['1.1', '1.2'] as const).map((version) => {
    const document = parseDocument(text, { version, strict: true });
    if (document.errors.length > 0 || document.warnings.length > 0)
      throw new Error(`YAML ${version}: ${String(document.errors[0] ?? document.warnings[0])}`);
    return document.toJS() as unknown;
  });
  if (JSON.stringify(older) !== JSON.stringify(newer)) throw new Error(`YAML 1.1 and 1.2 differ in ${text}`);
  return newer;
}

function readXml(text: string): Element {
  const root: Element = { name: '', isNil: false, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const isNil = Object.values(attributes).some(
      ({ uri, local, value }) =>
        uri === 'http://www.w3.org/2001/XMLSchema-instance' && local === 'nil' && value === 'true',
    );
    const element: Element = { name, isNil, children: [], text: '' };
    (open.at(-1) as Element).children.push(element);
    open.push(element);
  });
  parser.on('text', (more) => {
    (open.at(-1) as Element).text += more;
  });
  parser.on('cdata', (more) => {
    (open.at(-1) as Element).text += more;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root.children[0] as Element;
}

function valueIn({ isNil, children, text }: Element, schema: Schema | undefined): unknown {
  if (isNil) return null;
  const { types, properties, items } = merged(schema);
  if (types.has('array')) return children.map((child) => valueIn(child, items));
  if (types.has('object') || children.length > 0)
    return Object.fromEntries(children.map((child) => [child.name, valueIn(child, properties[child.name])]));
  return scalar(text, types);
}

function readCsv(text: string, schema: Schema): unknown[] {
  const { items } = merged(schema).items ? merged(schema) : merged(merged(schema).properties['data']);
  const rows = parseCsv(text, {
    record_delimiter: '\r\n',
    // Only the quotes tell an empty text from none.
    cast: (cell: string, { quoting }: CastingContext) => (cell === '' && !quoting ? null : cell) as string,
  }) as (string | null)[][];
  const [names = [], ...others] = rows;
  return others.map((row) => {
    const value: Record<string, unknown> = {};
    for (const [index, name] of names.entries())
      put(value, String(name).split('.'), row[index] ?? null, items);
    return value;
  });
}

function put(
  value: Record<string, unknown>,
  [name = '', ...rest]: string[],
  cell: string | null,
  schema?: Schema,
) {
  const inner = merged(schema).properties[name];
  if (rest.length > 0) return put((value[name] ??= {}) as Record<string, unknown>, rest, cell, inner);
  const { types } = merged(inner);
  if (cell === null) value[name] = null;
  else if (types.has('array') || types.has('object')) value[name] = JSON.parse(cell) as unknown;
  else value[name] = scalar(types.has('string') ? cell.replace(/^'/, '') : cell, types);
}

function scalar(text: string, types: ReadonlySet<string>): unknown {
  if (types.has('string')) return text;
  if (types.has('integer') || types.has('number')) {
    if (!/^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(text)) throw new Error(`«${text}» is no number`);
    return Number(text);
  }
  if (types.has('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  throw new Error(`«${text}» is none of ${[...types].join(', ')}`);
}

interface Merged {
  readonly types: Set<string>;
  readonly properties: Record<string, Schema>;
  items: Schema | undefined;
}

/** What a schema and all that it is put together of say. */
function merged(schema: Schema | undefined): Merged {
  const all: Merged = { types: new Set(), properties: {}, items: undefined };
  if (schema === undefined) return all;
  const target = resolve(schema) as Schema;
  for (const type of [target.type ?? []].flat()) all.types.add(type);
  for (const value of [target.const ?? [], target.enum ?? []].flat()) all.types.add(typeof value);
  Object.assign(all.properties, target.properties);
  all.items = target.items;
  for (const part of [...(target.allOf ?? []), ...(target.anyOf ?? []), ...(target.oneOf ?? [])]) {
    const inner = merged(part);
    for (const type of inner.types) all.types.add(type);
    Object.assign(all.properties, inner.properties);
    all.items ??= inner.items;
  }
  return all;
}
