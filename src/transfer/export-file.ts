import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { CommandFailed } from '../cli/failure.js';
import { Amount, type Cell, type ExportRows, type OutOrder, type OutRow } from './export-rows.js';
import { guarded } from './guard.js';
import { ITEM_MEMBERS, MEMBERS, type Kind } from './members.js';
import type { Format } from './source-file.js';

/** Where rows are written to. A file gets its name when it is complete; `-` is the standard output. */
export class ExportFile {
  readonly #name: string;
  readonly #unfinished: string;
  readonly #stream: Writable;
  #error: Error | undefined;

  constructor(name: string) {
    this.#name = name;
    this.#unfinished = `${name}.${process.pid}.part`;
    this.#stream = name === '-' ? process.stdout : createWriteStream(this.#unfinished);
    if (name !== '-') this.#stream.on('error', (error) => (this.#error = error));
  }

  /** Waits for a reader that is slower than the database, so that memory stays flat. */
  async write(text: string): Promise<void> {
    this.#requireSound();
    if (text === '' || this.#stream.write(text)) return;
    await once(this.#stream, 'drain').catch(() => undefined);
    this.#requireSound();
  }

  async finish(): Promise<void> {
    if (this.#name === '-') return;
    this.#stream.end();
    await finished(this.#stream).catch(() => undefined);
    this.#requireSound();
    await rename(this.#unfinished, this.#name);
  }

  async abandon(): Promise<void> {
    if (this.#name !== '-') await rm(this.#unfinished, { force: true });
  }

  #requireSound(): void {
    if (this.#error === undefined) return;
    throw new CommandFailed(`${this.#name} could not be written: ${this.#error.message}.`);
  }
}

/**
 * Writes all rows of a kind. In NDJSON orders have their lines inside; in CSV these go to a file of their own.
 *
 * @param progress is told how many rows there are so far
 * @returns how many rows, and lines of orders, were written
 */
export async function exportRows(
  rows: ExportRows,
  kind: Kind,
  format: Format,
  file: ExportFile,
  itemsFile: ExportFile | null,
  progress: (count: number) => void,
): Promise<{ rows: number; items: number }> {
  const written = { rows: 0, items: 0 };
  try {
    if (format === 'csv') await file.write(stringify([CSV_COLUMNS[kind]]));
    await itemsFile?.write(stringify([ITEM_COLUMNS]));
    for await (const batch of rows.of(kind)) {
      const items = batch.flatMap((each) => each.items);
      // Lines first, so that a pair of files that was cut off has no order without its lines.
      await itemsFile?.write(csv(items, ITEM_COLUMNS));
      await file.write(
        format === 'csv'
          ? csv(
              batch.map(({ row }) => row),
              CSV_COLUMNS[kind],
            )
          : batch.map((each) => `${json(each, kind)}\n`).join(''),
      );
      written.rows += batch.length;
      written.items += items.length;
      progress(written.rows);
    }
    await itemsFile?.finish();
    await file.finish();
    return written;
  } finally {
    await itemsFile?.abandon();
    await file.abandon();
  }
}

const CSV_COLUMNS: Readonly<Record<Kind, readonly string[]>> = {
  products: Object.keys(MEMBERS.products),
  users: Object.keys(MEMBERS.users),
  orders: Object.keys(MEMBERS.orders),
};
/** An exported line has its total, which no discount could give more exactly. */
const ITEM_COLUMNS = Object.keys(ITEM_MEMBERS).filter((name) => name !== 'discount');

function csv(rows: readonly OutRow[], columns: readonly string[]): string {
  return stringify(rows.map((row) => columns.map((column) => csvCell(row[column] ?? null))));
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Amount) return cell.text;
  return typeof cell === 'string' ? guarded(cell) : String(cell);
}

function json({ row, items }: OutOrder, kind: Kind): string {
  const lines = items.map(({ order_id: _order, ...item }) => item);
  return JSON.stringify(kind === 'orders' ? { ...row, items: lines } : row, (_name, value: unknown) =>
    value instanceof Amount ? Number(value.text) : value,
  );
}
