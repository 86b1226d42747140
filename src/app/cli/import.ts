import { basename } from 'node:path';
import { Argument, Command, Option } from 'commander';
import type { Format, SourceFile } from '../../store/transfer/source-file.js';
import type { Mapping } from '../../store/transfer/mapping.js';
import type { Kind } from '../../store/transfer/members.js';
import type { Consequence } from '../../store/transfer/raw-row.js';
import type { Summary } from '../../store/transfer/import-file.js';
import type { Refusals } from '../transfer/refusals.js';
import { WrongUsage } from '../../store/transfer/failure.js';
import { onInterruption } from './interruption.js';
import { number, Progress } from './progress.js';
import type { Store } from './store.js';
import { tell } from '../terminal.js';
import { shown } from '../../engine/values/shown.js';

interface Options {
  readonly items?: string;
  readonly map?: string;
  readonly source?: string;
  readonly format?: Format;
  readonly refused?: string;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly events: boolean;
}

const OPTIONAL: Readonly<Record<Kind, readonly string[]>> = {
  products: ['description', 'in_stock', 'stock', 'created_at', 'updated_at'],
  users: ['created_at', 'updated_at'],
  orders: ['status', 'created_at', 'updated_at'],
};

/** The words for one row, if they differ from the words for several rows. */
const OF_ONE_ROW: Readonly<Partial<Record<Consequence, string>>> = {
  'that repeat a refused row': 'that repeats a refused row',
  'that refer to the missing rows above': 'that refers to a missing row above',
};

export function importCommand(): Command {
  return new Command('import')
    .description('Brings products, users or orders into the store, from CSV or NDJSON of any size.')
    .addArgument(
      new Argument('<kind>', 'the kind of the rows in the file').choices(['products', 'users', 'orders']),
    )
    .argument('<file>', 'the file, .csv, .ndjson or .jsonl; - is the standard input')
    .option(
      '--items <file>',
      'the file with the lines of the orders, in any sequence, if the lines have a file of their own',
    )
    .option('--map <file>', 'a mapping (YAML) of the columns of another program; see docs/import.md')
    .option(
      '--source <name>',
      'the name of the source, instead of the name in the mapping (without a mapping: "store")',
    )
    .addOption(
      new Option(
        '--format <format>',
        'the format of the files, instead of the format that their names tell',
      ).choices(['csv', 'ndjson']),
    )
    .option('--refused <file>', 'the file that lists refused rows (default: FILE.refused.csv)')
    .option('--dry-run', 'check everything, and write nothing', false)
    .option('--strict', 'write nothing if any row is refused; the exit code is then 1', false)
    .option('--events', 'write an event for each stored row, for clients that follow the store', false)
    .addHelpText(
      'after',
      `
Without --map, the columns have the names of "store export" or of the HTTP interface. The columns name,price are enough
for products, and the store makes the ids. The store remembers the ids of the file by source and kind. So a second run
changes nothing. A changed row of the file updates its row in the store. A row that was deleted in the store is not made
again. Orders name users and products by their ids in the same source, so import users and products first. The import
takes nothing out of stock, and writes no events without --events. Amounts are in the store's currency.

Without --strict, the exit code is 0, even if rows were refused. With --strict, it is 1 if rows were refused. If the
mapping or the file is wrong, it is 2. "store --help" has all exit codes.

Examples:
  $ npm run store -- import products products.csv --dry-run
  $ npm run store -- import orders orders.csv --items order-details.csv --map examples/northwind/orders.yaml
  $ gunzip -c users.ndjson.gz | npm run store -- import users - --format ndjson --source crm`,
    )
    .action(importFile);
}

async function importFile(kind: Kind, name: string, options: Options): Promise<void> {
  const [{ readMapping, SOURCE }, { ownMapping }, { SourceFile: Source }] = await Promise.all([
    import('../../store/transfer/mapping-file.js'),
    import('../../store/transfer/mapping.js'),
    import('../../store/transfer/source-file.js'),
  ]);
  const { items, map, source, isStrict, isDryRun, hasEvents } = {
    ...options,
    isStrict: options.strict,
    isDryRun: options.dryRun,
    hasEvents: options.events,
  };
  if (source !== undefined && !SOURCE.test(source)) {
    throw new WrongUsage(
      '--source must be a name of at most 64 small letters, digits, dots, dashes and underscores, with a letter or digit first.',
    );
  }
  const mapping =
    map === undefined ? ownMapping(kind, source ?? 'store') : await readMapping(map, kind, source);
  const file = new Source(name, formatOf(name, options), mapping.delimiter);
  const itemsFile =
    items === undefined ? null : new Source(items, formatOf(items, options), mapping.delimiter);
  if (isStandardInput(name) && items !== undefined && isStandardInput(items)) {
    throw new WrongUsage(
      'Orders and their lines cannot both come from the standard input. Name a file for one of them.',
    );
  }
  requireItems(kind, file.format, options, mapping);
  const [
    { withStore },
    { importFile: importRows },
    { Refusals: List },
    { databaseFiles, isSameFile },
    { loadConfig },
  ] = await Promise.all([
    import('./store.js'),
    import('../../store/transfer/import-file.js'),
    import('../transfer/refusals.js'),
    import('../transfer/same-file.js'),
    import('../../engine/config/config.js'),
  ]);
  const refusals = new List(options.refused ?? `${placeOf(name)}.refused.csv`, [
    ...[name, items, map].filter((each): each is string => each !== undefined && each !== '-'),
    ...databaseFiles(loadConfig(process.env).database.url),
  ]);
  const progress = new Progress();
  const begin = performance.now();
  const work = async ({ config, database }: Store): Promise<Summary> => {
    await database.keepMorePages();
    return importRows(database, {
      kind,
      file,
      itemsFile,
      hasOrderLines: items !== undefined && name !== '-' && items !== '-' && isSameFile(name, items),
      mapping,
      currency: config.currency,
      isDryRun,
      isStrict,
      hasEvents,
      refusals,
      progress: (label, done, total) => {
        if (label === 'writing') written = done;
        progress.show(label, done, total);
      },
    });
  };
  let written = 0;
  const forget = onInterruption(() =>
    written === 0
      ? 'Stopped before the first batch was reported as stored. The same command starts again.'
      : `Stopped after ${number(written)} ${kind}. The same command continues from there.`,
  );
  const summary = await withStore(work, { orEmpty: isDryRun }).finally(forget);
  progress.end();
  const isNothingWritten = isDryRun || (isStrict && summary.refused > 0);
  tell(told(kind, summary, (performance.now() - begin) / 1_000, isNothingWritten));
  if (mapping.isOwn) tellAbsent(kind, file);
  tellRefusals(refusals);
  if (isStrict && summary.refused > 0) process.exitCode = 1;
}

/**
 * The path of the list of refused rows, without its ending. The list is beside the file. For a device or the standard
 * input, the list is in the current folder.
 */
function placeOf(name: string): string {
  if (name === '-') return 'stdin';
  return name.startsWith('/dev/') && !name.startsWith('/dev/shm/') ? basename(name) : name;
}

/** Reports the optional members that the file lacks. For example, a file from version 1 of REST has fewer members. */
function tellAbsent(kind: Kind, { name, members }: SourceFile): void {
  const absent = OPTIONAL[kind].filter((member) => members !== undefined && !members.includes(member));
  if (absent.length === 0) return;
  tell(
    `${shown(name)} has no ${absent.join(', ')}: existing rows keep their values, new rows get the defaults.\n`,
  );
}

/** Reports the first faults that have to be corrected. The consequences of faults are only counted. */
function tellRefusals({ first, faults, consequences, path }: Refusals): void {
  for (const { file, line, column, value, reason } of first) {
    const what = column === '' ? 'it' : `${shown(column)} "${shown(value)}"`;
    tell(`  ${shown(file)}, line ${line}: ${what} ${shown(reason)}\n`);
  }
  for (const [what, rows] of consequences) {
    tell(rows === 1 ? `  and 1 row ${OF_ONE_ROW[what] ?? what}\n` : `  and ${number(rows)} rows ${what}\n`);
  }
  if (faults === 0 && consequences.size === 0) return;
  const [all, them] = faults === 1 ? ['The fault is', 'it'] : [`All ${number(faults)} faults are`, 'them'];
  const others = consequences.size > 0 ? `, with the rows that are refused because of ${them}` : '';
  tell(`${all} listed in ${shown(path)}${others}.\n`);
}

function formatOf(name: string, { format }: Options): Format {
  if (format !== undefined) return format;
  if (/\.csv$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  throw new WrongUsage(`The name ${name} does not tell the format. Add --format csv or --format ndjson.`);
}

function requireItems(kind: Kind, format: Format, { items, map }: Options, mapping: Mapping): void {
  if (kind !== 'orders') {
    if (items !== undefined) throw new WrongUsage('--items is only for orders.');
    return;
  }
  if (mapping.items === null)
    throw new WrongUsage(`${map ?? 'The mapping'} has no «items», but an order needs lines.`);
  if (items === undefined && format === 'csv' && !mapping.isOwn) {
    throw new WrongUsage('In CSV, the lines of orders are in a file of their own. Name it with --items.');
  }
}

function told(kind: Kind, summary: Summary, seconds: number, isNothingWritten: boolean): string {
  const lines = kind === 'orders' ? ` (${number(summary.items)} lines)` : '';
  const repeated = summary.repeated > 0 ? `, ${number(summary.repeated)} repeated an earlier row` : '';
  const skipped = summary.skipped > 0 ? `, ${number(summary.skipped)} skipped (deleted in the store)` : '';
  return (
    `${kind}: ${number(summary.read)} read${lines}, ${number(summary.created)} created, ` +
    `${number(summary.updated)} updated, ${number(summary.unchanged)} unchanged${skipped}, ` +
    `${number(summary.refused)} refused${repeated}, in ${seconds.toFixed(1)} s${isNothingWritten ? '; nothing was written' : ''}.\n`
  );
}

function isStandardInput(name: string): boolean {
  return name === '-' || name === '/dev/stdin';
}
