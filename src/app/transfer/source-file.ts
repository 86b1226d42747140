import { createReadStream, existsSync, statSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { parse, type CsvError, type Info } from 'csv-parse';
import { WrongUsage } from './failure.js';
import { readJson } from '../../engine/contract/json.js';
import type { RawRow } from './raw-row.js';
import { notUtf8 } from './encoding.js';
import { requireColumns } from './header.js';
import type { Mapping, Named } from './mapping.js';

export type Format = 'csv' | 'ndjson';

/** A row of a file. If it cannot be read as a row, `fault` is the reason. */
export interface SourceRow {
  readonly line: number;
  readonly row: RawRow;
  readonly fault: string | null;
}

const MOST_BYTES_OF_A_ROW = 4_194_304;
const NOTHING: RawRow = Object.freeze({});

/** A file of rows that is read as a stream, so that its size does not matter. `-` is the standard input. */
export class SourceFile {
  readonly bytes: number;
  bytesRead = 0;
  /** The names of the columns, or of the members of the first row. Undefined until the first row was read. */
  members: readonly string[] | undefined;

  constructor(
    readonly name: string,
    readonly format: Format,
    private readonly delimiter: string,
  ) {
    const stats = name === '-' ? undefined : statSync(name, { throwIfNoEntry: false });
    if (name !== '-' && !stats?.isFile() && !(stats?.isFIFO() ?? existsSync(name))) {
      throw new WrongUsage(`There is no file ${name}.`);
    }
    if (stats?.isDirectory() === true) throw new WrongUsage(`${name} is a folder, not a file.`);
    this.bytes = stats?.size ?? 0;
  }

  /** @throws WrongUsage when the file does not have the stated format, or its header lacks a column */
  async *rows(
    mapping: Pick<Mapping, 'isOwn'>,
    columns: readonly Named[],
    known: readonly string[],
  ): AsyncGenerator<SourceRow> {
    if (this.format === 'ndjson') yield* this.#json();
    else
      yield* this.#csv(mapping.isOwn, (header) =>
        requireColumns(this.name, header, columns, mapping.isOwn ? known : null, this.delimiter),
      );
  }

  async *#csv(isOwn: boolean, check: (header: readonly string[]) => void): AsyncGenerator<SourceRow> {
    const texts = this.#texts();
    const start = await texts.next();
    const begin = start.done === true ? '' : start.value;
    const skipped: SourceRow[] = [];
    // The last line of the last complete row. If a row is broken, it begins after this line.
    let lastLine = 0;
    const parser = parse({
      delimiter: isOwn ? delimiterOf(begin) : this.delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      max_record_size: MOST_BYTES_OF_A_ROW,
      on_record: (record: string[], { lines }) => {
        lastLine = lines;
        return record;
      },
      on_skip: (error: CsvError | undefined) => {
        const broken = brokenAt(`${this.name}, line ${lastLine + 1}`, error);
        if (broken !== null) throw broken;
        lastLine = Number(error?.['lines'] ?? lastLine);
        skipped.push({ line: Number(error?.['lines'] ?? 0), row: NOTHING, fault: csvFault(error) });
        return undefined;
      },
    });
    // If reading the input fails, `pipeline` destroys the parser with this error.
    pipeline(after(begin, texts), parser, () => {});
    let header: readonly string[] | undefined;
    // The parser also counts carriage returns as lines, and gives the line in which a row ends.
    let surplus = 0;
    let end = 0;
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const breaks = info.lines > end + 1 ? breaksIn(record) : NO_BREAKS;
      const line = info.lines - breaks.returns - breaks.feeds - surplus;
      surplus += breaks.returns;
      end = info.lines;
      yield* skipped.splice(0);
      if (header === undefined) {
        header = record.map((name) => name.trim());
        this.members = header;
        check(header);
      } else if (record.length === header.length) {
        yield { line, row: rowOf(header, record), fault: null };
      } else {
        const fault = `has ${record.length} columns, but the header has ${header.length}`;
        yield { line, row: NOTHING, fault };
      }
    }
    yield* skipped.splice(0);
    if (header === undefined) throw new WrongUsage(`${this.name} is empty: it needs a header with names.`);
  }

  async *#json(): AsyncGenerator<SourceRow> {
    let line = 0;
    for await (const text of linesOf(this.name, this.#texts())) {
      line += 1;
      if (text.trim() === '') continue;
      const read = jsonRow(text);
      this.members ??= Object.keys(read.row);
      yield { line, ...read };
    }
  }

  /** @throws WrongUsage for bytes that are not UTF-8 */
  async *#texts(): AsyncGenerator<string> {
    const input: Readable = this.name === '-' ? process.stdin : createReadStream(this.name);
    // The decoder drops a byte order mark at the start.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let lines = 1;
    let last: Buffer = Buffer.alloc(0);
    try {
      for await (const chunk of input as AsyncIterable<Buffer>) {
        this.bytesRead += chunk.length;
        last = chunk;
        const text = decoder.decode(chunk, { stream: true });
        lines += text.split('\n').length - 1;
        yield text;
      }
      yield decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) throw notUtf8(this.name, last, lines);
      if (error instanceof Error && 'code' in error && 'syscall' in error) {
        throw new WrongUsage(`${this.name} cannot be read (${String(error.code)}).`);
      }
      throw error;
    }
  }
}

/** After these errors the beginning of the next row is unknown, so the rest of the file would be read as one text. */
function brokenAt(place: string, error: CsvError | undefined): WrongUsage | null {
  switch (error?.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new WrongUsage(`${place}: a quote (") in the row that begins there is never closed.`);
    case 'CSV_MAX_RECORD_SIZE':
      return new WrongUsage(
        `${place}: the row that begins there has more than 4 MiB. Check whether a quote (") is not closed.`,
      );
    default:
      return null;
  }
}

function csvFault(error: CsvError | undefined): string {
  return error === undefined ? 'is not CSV' : `is not CSV (${error.message.split('\n')[0]})`;
}

/**
 * Finds the delimiter in the header. It need not be a comma: in some countries, spreadsheets write a semicolon.
 */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  return [',', ';', '\t'].find((each) => header.includes(each)) ?? ',';
}

async function* after(begin: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield begin;
  yield* texts;
}

const NO_BREAKS = { returns: 0, feeds: 0 };

function breaksIn(record: readonly string[]): typeof NO_BREAKS {
  const text = record.join('');
  return { returns: text.split('\r').length - 1, feeds: text.split('\n').length - 1 };
}

function rowOf(header: readonly string[], record: readonly string[]): RawRow {
  const row = Object.create(null) as Record<string, string>;
  // Line breaks in texts become LF, as in the store. A file of Windows has CRLF.
  header.forEach((name, index) => (row[name] = (record[index] as string).replaceAll('\r\n', '\n')));
  return row;
}

function jsonRow(text: string): Pick<SourceRow, 'row' | 'fault'> {
  try {
    const { value, faults } = readJson(Buffer.from(text));
    const [fault] = faults;
    if (fault) return { row: NOTHING, fault: `${fault.pointer ?? ''} ${fault.detail}` };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { row: NOTHING, fault: 'is not a JSON object' };
    }
    return { row: value as RawRow, fault: null };
  } catch {
    return { row: NOTHING, fault: 'is not JSON' };
  }
}

async function* linesOf(name: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > MOST_BYTES_OF_A_ROW) {
      throw new WrongUsage(`${name} has a line of more than 4 MiB. NDJSON has one object in each line.`);
    }
  }
  yield rest;
}
