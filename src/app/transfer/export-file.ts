import { stringify } from 'csv-stringify/sync';
import { Amount, type Cell, type ExportRows, type OutOrder, type OutRow } from './export-rows.js';
import { guarded } from '../../store/transfer/guard.js';
import { ITEM_MEMBERS, MEMBERS, type Kind } from '../../store/transfer/members.js';
import type { OutputFile } from './output-file.js';
import type { Format } from '../../store/transfer/source-file.js';

/**
 * Writes all rows of a kind. In NDJSON an order contains its lines; in CSV the lines go to a file of their own.
 *
 * @param progress is called with the number of rows that are written so far
 * @returns the numbers of rows and of lines of orders that were written
 */
export async function exportRows(
  rows: ExportRows,
  kind: Kind,
  format: Format,
  file: OutputFile,
  itemsFile: OutputFile | null,
  progress: (count: number) => void,
): Promise<{ rows: number; items: number }> {
  const written = { rows: 0, items: 0 };
  try {
    if (format === 'csv') await file.write(stringify([CSV_COLUMNS[kind]]));
    await itemsFile?.write(stringify([ITEM_COLUMNS]));
    for await (const batch of rows.of(kind)) {
      const items = batch.flatMap((each) => each.items);
      // Lines are written before their orders. So each order in the files has its lines, even if the export is
      // interrupted.
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
/**
 * The columns of the lines of orders. The discount has no column, because a line has its total: the discount could at
 * best give the same total after rounding.
 */
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
