import { Argument, Command, Option } from 'commander';
import type { Kind } from '../transfer/members.js';
import type { Format } from '../transfer/source-file.js';
import { WrongUsage } from '../transfer/failure.js';
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
    .addArgument(new Argument('<kind>', 'what to write').choices(['products', 'users', 'orders']))
    .argument('[file]', 'where to; - or nothing is the standard output', '-')
    .option('--items <file>', 'where the lines of the orders go, in CSV')
    .addOption(
      new Option(
        '--format <format>',
        'by default as the file is called, CSV for the standard output',
      ).choices(['csv', 'ndjson']),
    )
    .option('--force', 'replace files that are there', false)
    .addHelpText(
      'after',
      `
A file gets its name when it is complete; a pipe or a device is written straight into. Rows come in the order of their ids, read batch by batch while the service goes on: what changes meanwhile is in the
export as it was before or after. "store import" reads the files again, into another store. In CSV a text that a
spreadsheet would take for a formula begins with an apostrophe; import takes it away.

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
    throw new WrongUsage(
      `What ${name} is to be is not known by its name: say --format csv or --format ndjson.`,
    );
  }
  if (items !== undefined && (kind !== 'orders' || format !== 'csv')) {
    throw new WrongUsage('--items is for orders in CSV: in NDJSON they have their lines inside.');
  }
  if (items === undefined && kind === 'orders' && format === 'csv') {
    throw new WrongUsage('Orders in CSV have their lines in a file of their own: name it by --items.');
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
  if (items !== undefined && (items === '-' || isSameFile(items, name))) {
    throw new WrongUsage('--items must name a file of its own.');
  }
  const ofDatabase = databaseFiles(loadConfig(process.env).databaseUrl);
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
