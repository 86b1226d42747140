import { createReadStream, statSync, type Stats } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse, type CsvError, type Info, type Parser } from 'csv-parse';
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
  /** The text of the row in the file, without the end of its line. It is set only with `keepsTexts`. */
  readonly text?: string;
}

/** The bytes of a file, such as a file on the disk or the parts of an import. */
export interface FileSource {
  /** The number of bytes; 0 if it is not known. */
  readonly bytes: number;
  open(): AsyncIterable<Buffer>;
}

export interface FileOptions {
  /** The maximum number of bytes of a row: of a line of NDJSON, or of the values and delimiters of a row of CSV. */
  readonly most?: number;
  /** Whether each row also has its text (`SourceRow.text`). */
  readonly keepsTexts?: boolean;
}

/** For `store import`. See `FileOptions.most`. */
const MOST_BYTES_OF_A_ROW = 4_194_304;
const NOTHING: RawRow = Object.freeze({});

/** A file of rows that is read as a stream, so that its size does not matter. */
export class SourceFile {
  readonly bytes: number;
  bytesRead = 0;
  /** The text of the header. It is set only with `keepsTexts`, when the header was read. */
  header: string | undefined;
  /** The delimiter of CSV: the one of the mapping or, in the store's own format, the one that the header has. */
  usedDelimiter: string;
  readonly #delimiter: string;
  readonly #most: number;
  readonly #keepsTexts: boolean;
  /** The names of the columns, or of the members of the first row that is an object. Undefined before they are read. */
  members: readonly string[] | undefined;

  constructor(
    readonly name: string,
    readonly format: Format,
    delimiter: string,
    private readonly source: FileSource = onDisk(name),
    { most = MOST_BYTES_OF_A_ROW, keepsTexts = false }: FileOptions = {},
  ) {
    this.bytes = source.bytes;
    this.#delimiter = delimiter;
    this.usedDelimiter = delimiter;
    this.#most = most;
    this.#keepsTexts = keepsTexts;
  }

  /** @throws WrongUsage if the file cannot be read to its end, or if a CSV file has no header or wrong columns */
  async *rows(
    mapping: Pick<Mapping, 'isOwn'>,
    columns: readonly Named[],
    known: readonly string[],
  ): AsyncGenerator<SourceRow> {
    if (this.format === 'ndjson') yield* this.#json();
    else
      yield* this.#csv(mapping.isOwn, (header) =>
        requireColumns(this.name, header, columns, mapping.isOwn ? known : null, this.#delimiter),
      );
  }

  async *#csv(isOwn: boolean, check: (header: readonly string[]) => void): AsyncGenerator<SourceRow> {
    const texts = this.#texts();
    const start = await texts.next();
    const begin = start.done === true ? '' : start.value;
    if (isOwn) this.usedDelimiter = delimiterOf(begin);
    // The first fault of the row that the parser reads, if this row is broken, and the number of its faults.
    let firstFault: string | null = null;
    let faults = 0;
    // The last line of the last complete row, and the number of empty lines before it.
    let lastLine = 0;
    let lastEmpty = 0;
    let lastByte = 0;
    // The parser also counts carriage returns as lines.
    let surplus = 0;
    /** The line in which the row begins that the parser reads now. */
    const lineOfRow = (): number => lastLine + 1 + parser.info.empty_lines - lastEmpty;
    const parser: ParserWithState = parse({
      delimiter: this.usedDelimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      // The parser counts no delimiters, and counts most values in characters. So complete rows are counted below.
      max_record_size: this.#most,
      raw: this.#keepsTexts,
      on_record: (row: string[], { lines, bytes, empty_lines: empty }: Info) => {
        const line = lineOfRow();
        // With `info`, the parser gives another type than it declares.
        const { record } = Object.assign(row as unknown as Parsed, { line, broken: firstFault });
        [firstFault, faults] = [null, 0];
        const isMeasured = bytes - lastByte > this.#most;
        if (isMeasured && Buffer.byteLength(record.join(this.usedDelimiter)) > this.#most) {
          throw tooLong(this.name, line, this.#most);
        }
        if (lines > line + surplus) surplus += returnsIn(record);
        [lastLine, lastEmpty, lastByte] = [lines - surplus, empty, bytes];
        return row;
      },
      // The parser calls this at each fault, before the end of the row. A row may have several faults.
      on_skip: (error: CsvError | undefined) => {
        const end = brokenAt(this.name, lineOfRow(), error, this.#most);
        if (end !== null) throw end;
        firstFault ??= csvFault(error);
        faults += 1;
        if (faults > MOST_FAULTS_OF_A_ROW) throw tooBroken(this.name, lineOfRow());
        // Then the parser does not drop the row. At the end of the row, `on_record` gets the whole row.
        parser.state.recordHasError = false;
        return undefined;
      },
    }) as ParserWithState;
    // Without this check, a row of millions of delimiters would fill the memory. Quotes count here, and so do empty
    // lines before this row. So the bound is higher.
    const checkSize = (): void => {
      if (parser.info.bytes - lastByte > 4 * this.#most) throw tooLong(this.name, lineOfRow(), this.#most);
    };
    // If reading the input fails, `pipeline` destroys the parser with the error.
    pipeline(after(begin, texts, checkSize), parser, () => {});
    let header: readonly string[] | undefined;
    for await (const { record, raw, line, broken } of parser as AsyncIterable<Parsed>) {
      if (broken !== null) {
        if (header === undefined) throw new WrongUsage(`${this.name}: the header ${broken}.`, '', line);
        yield { line, row: NOTHING, fault: broken, ...this.#textOf(raw) };
      } else if (header === undefined) {
        header = record.map((name) => name.trim());
        this.header = this.#textOf(raw).text;
        this.members = header;
        if (!this.#keepsTexts) check(header);
      } else if (record.length === header.length) {
        yield { line, row: rowOf(header, record), fault: null, ...this.#textOf(raw) };
      } else {
        const fault = `has ${record.length} columns, but the header has ${header.length}`;
        yield { line, row: NOTHING, fault, ...this.#textOf(raw) };
      }
    }
    if (header === undefined) throw new WrongUsage(`${this.name} is empty: it needs a header with names.`);
  }

  async *#json(): AsyncGenerator<SourceRow> {
    let line = 0;
    for await (const text of linesOf(this.name, this.#texts(), this.#most)) {
      line += 1;
      if (text.trim() === '') continue;
      const read = jsonRow(text);
      if (read.fault === null) this.members ??= Object.keys(read.row);
      yield { line, ...read, ...this.#textOf(text) };
    }
  }

  #textOf(text: string | undefined): { readonly text?: string } {
    // The parser gives the empty lines before a row with the row.
    return this.#keepsTexts && text !== undefined
      ? { text: text.replace(/^[\r\n]+/, '').replace(/\r?\n$|\r$/, '') }
      : {};
  }

  /** @throws WrongUsage for bytes that are not UTF-8 */
  async *#texts(): AsyncGenerator<string> {
    // The decoder drops a byte order mark at the start.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let last: Buffer = Buffer.alloc(0);
    // The lines of the file in which the last chunk begins and ends.
    let [begin, end] = [1, 1];
    try {
      for await (const chunk of this.source.open()) {
        this.bytesRead += chunk.length;
        [last, begin] = [chunk, end];
        const text = decoder.decode(chunk, { stream: true });
        end += text.split('\n').length - 1;
        yield text;
      }
      yield decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) throw notUtf8(this.name, last, begin);
      if (error instanceof Error && 'code' in error && 'syscall' in error) {
        throw new WrongUsage(`${this.name} cannot be read (${String(error.code)}).`);
      }
      throw error;
    }
  }
}

/**
 * The most faults that a broken row may have. For each fault, csv-parse copies and prints the value that it has read,
 * and a row may have 64 KiB.
 */
const MOST_FAULTS_OF_A_ROW = 100;

interface Parsed {
  readonly record: string[];
  readonly raw?: string;
  /** The line in which the row begins. */
  readonly line: number;
  /** The first fault of a row that is not CSV. */
  readonly broken: string | null;
}

/** The parser with a member that its types leave out. */
interface ParserWithState extends Parser {
  readonly state: {
    /** Whether the row that the parser reads has a fault. The parser drops such a row at its end. */
    recordHasError: boolean;
  };
}

const STDIN: FileSource = { bytes: 0, open: () => process.stdin as AsyncIterable<Buffer> };

/**
 * A file on the disk. `-` is the standard input. Pipes and character devices, such as a terminal, are read to their end
 * like the standard input.
 *
 * @throws WrongUsage when there is no such file, or when it cannot be read
 */
function onDisk(name: string): FileSource {
  if (name === '-') return STDIN;
  const stats = statsOf(name);
  if (stats === undefined) throw new WrongUsage(`There is no file ${name}.`);
  if (stats.isDirectory()) throw new WrongUsage(`${name} is a folder, not a file.`);
  // If another program has connected the standard input to a socket, /dev/stdin cannot be opened.
  if (name === '/dev/stdin' && !stats.isFile()) return STDIN;
  if (!stats.isFile() && !stats.isFIFO() && !stats.isCharacterDevice()) {
    throw new WrongUsage(`${name} is neither a file nor a pipe.`);
  }
  return { bytes: stats.size, open: () => createReadStream(name) as AsyncIterable<Buffer> };
}

function statsOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch (error) {
    throw new WrongUsage(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function sizeText(bytes: number): string {
  return bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`;
}

/** After these errors, the parser cannot know where the next row begins. So the import ends. */
function brokenAt(name: string, line: number, error: CsvError | undefined, most: number): WrongUsage | null {
  const place = `${name}, line ${line}`;
  switch (error?.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new WrongUsage(`${place}: a quote (") in the row that begins there is never closed.`, '', line);
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(name, line, most);
    default:
      return null;
  }
}

function tooBroken(name: string, line: number): WrongUsage {
  return new WrongUsage(
    `${name}, line ${line}: the row that begins there has more than ${MOST_FAULTS_OF_A_ROW} wrong quotes. A text with a quote (") stands between quotes, and each quote within it is written twice.`,
    '',
    line,
  );
}

function tooLong(name: string, line: number, most: number): WrongUsage {
  return new WrongUsage(
    `${name}, line ${line}: the row that begins there has more than ${sizeText(most)}. Check whether a quote (") is not closed.`,
    '',
    line,
  );
}

function csvFault(error: CsvError | undefined): string {
  if (error === undefined) return 'is not CSV';
  // The parser also counts carriage returns as lines, so its message may name a wrong line. The value may be very long.
  const message = error.message.replace(/ at line \d+/, '').replace(/, value is [^]*$/, '');
  return `is not CSV (${message.split('\n')[0]})`;
}

/**
 * Finds the delimiter in the header. In some countries, spreadsheets write a semicolon instead of a comma.
 */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  return [',', ';', '\t'].find((each) => header.includes(each)) ?? ',';
}

/** @param check called before each text after the first one */
async function* after(
  begin: string,
  texts: AsyncIterable<string>,
  check: () => void,
): AsyncGenerator<string> {
  yield begin;
  for await (const text of texts) {
    check();
    yield text;
  }
}

function returnsIn(record: readonly string[]): number {
  return record.join('').split('\r').length - 1;
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

/** @throws WrongUsage for a line that is too long, also before its end is read */
async function* linesOf(name: string, texts: AsyncIterable<string>, most: number): AsyncGenerator<string> {
  let rest = '';
  let line = 1;
  const check = (text: string): void => {
    if (!hasMoreBytes(text, most)) return;
    throw new WrongUsage(
      `${name}, line ${line}: the line has more than ${sizeText(most)}. NDJSON has one object in each line.`,
      '',
      line,
    );
  };
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      check(each);
      yield each;
      line += 1;
    }
    check(rest);
  }
  yield rest;
}

/** Counting bytes takes time, so the length decides first. A character of a text has one to three bytes in UTF-8. */
function hasMoreBytes(text: string, most: number): boolean {
  return text.length > most || (3 * text.length > most && Buffer.byteLength(text) > most);
}
