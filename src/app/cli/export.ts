import { Argument, Command, Option } from 'commander';
import type { Kind } from '../../store/transfer/members.js';
import type { Format } from '../../store/transfer/source-file.js';
import { WrongUsage } from '../../store/transfer/failure.js';
import { number, Progress } from './progress.js';
import { tell } from '../terminal.js';

interface Options {
  readonly items?: string;
  readonly format?: Format;
  readonly force: boolean;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('Writes all products, users or orders of the store to FILE, as CSV or NDJSON.')
    .addArgument(new Argument('<kind>', 'the kind of the rows').choices(['products', 'users', 'orders']))
    .argument('[file]', 'the file to write; - or no argument is the standard output', '-')
    .option('--items <file>', 'the file for the lines of the orders, in CSV')
    .addOption(
      new Option(
        '--format <format>',
        'the format; by default the name of the file tells it, and the standard output is CSV',
      ).choices(['csv', 'ndjson']),
    )
    .option('--force', 'replace files that exist already', false)
    .addHelpText(
      'after',
      `
A file gets its name when it is complete. Until then, it has a name that ends in .part. Data for a pipe or a device is
written directly. Rows are sorted by their ids. The command reads them batch by batch while the service continues. So a
row that changes meanwhile is exported as it was before or after the change. "store import" reads the files into another
store. In CSV, the command puts an apostrophe before a text that a spreadsheet would take for a formula. The import
removes this apostrophe.

Examples:
  $ npm run store -- export products products.csv
  $ npm run store -- export orders orders.csv --items order-items.csv
  $ npm run --silent store -- export orders - --format ndjson | gzip > orders.ndjson.gz`,
    )
    .action(exportFile);
}

async function exportFile(kind: Kind, name: string, { items, format: asked, force }: Options): Promise<void> {
  const format = asked ?? (/\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : 'csv');
  if (asked === undefined && name !== '-' && !/\.(csv|ndjson|jsonl)$/i.test(name)) {
    throw new WrongUsage(`The name ${name} does not tell the format. Add --format csv or --format ndjson.`);
  }
  if (items !== undefined && (kind !== 'orders' || format !== 'csv')) {
    throw new WrongUsage('--items is only for orders in CSV. In NDJSON, an order has its lines inside.');
  }
  if (items === undefined && kind === 'orders' && format === 'csv') {
    throw new WrongUsage('In CSV, the lines of orders are in a file of their own. Name it with --items.');
  }
  const [
    { withStore },
    { ExportRows },
    { exportRows },
    { OutputFile },
    { databaseFiles, isSameFile },
    { loadConfig },
  ] = await Promise.all([
    import('./store.js'),
    import('../transfer/export-rows.js'),
    import('../transfer/export-file.js'),
    import('../transfer/output-file.js'),
    import('../transfer/same-file.js'),
    import('../../engine/config/config.js'),
  ]);
  const target = name === '-' ? '/dev/stdout' : name;
  if (items !== undefined && (items === '-' || isSameFile(items, target))) {
    throw new WrongUsage('--items must name a different file.');
  }
  const ofDatabase = databaseFiles(loadConfig(process.env).database.url);
  OutputFile.requireFree(name, ofDatabase, force);
  if (items !== undefined) OutputFile.requireFree(items, ofDatabase, force);
  const progress = new Progress();
  const written = await withStore(
    ({ config, database }) =>
      exportRows(
        new ExportRows(database, config.currency.toMinor(1, {})),
        kind,
        format,
        new OutputFile(name),
        items === undefined ? null : new OutputFile(items),
        (count) => progress.show(kind, count, 0),
      ),
    { mustExist: true },
  );
  progress.end();
  const lines = kind === 'orders' ? ` with ${number(written.items)} lines` : '';
  tell(`${number(written.rows)} ${kind}${lines} written.\n`);
}
