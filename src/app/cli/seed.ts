import { Command, InvalidArgumentError } from 'commander';
import type { Fault } from '../../engine/database/faults.js';
import type { Amounts } from '../seed/seed.js';
import { CommandFailed, WrongUsage } from '../../store/transfer/failure.js';
import { onInterruption } from './interruption.js';
import { number, Progress } from './progress.js';
import { tell } from '../terminal.js';

interface Options {
  readonly products: number;
  readonly users: number;
  readonly orders: number;
  readonly seed: number;
  readonly append: boolean;
  readonly events: boolean;
}

export function seedCommand(): Command {
  return new Command('seed')
    .description('Fills the store with made-up products, users and orders.')
    .option('--products <count>', 'how many products', wholeNumber, 1_000)
    .option('--users <count>', 'how many users', wholeNumber, 100)
    .option('--orders <count>', 'how many orders, of one to five lines, over the year 2025', wholeNumber, 500)
    .option('--seed <number>', 'another number gives another store', wholeNumber, 1)
    .option('--append', 'add to a store that already has data', false)
    .option(
      '--events',
      'write an event for each product, user and order, for clients that follow the store',
      false,
    )
    .addHelpText(
      'after',
      `
In an empty store, the same numbers give exactly the same rows, on SQLite and on PostgreSQL. The data is written in
batches. If the command is stopped before its end, the written batches stay. Remove them, or add to them with --append.

Examples:
  $ npm run store -- seed
  $ STORE_DATABASE_URL=sqlite:./load.sqlite npm run store -- seed --products 1000000 --users 0 --orders 0
  $ npm run store -- seed --append --seed 2 --products 100 --users 10 --orders 50`,
    )
    .action(seed);
}

async function seed({ seed: chosen, append, events, ...amounts }: Options): Promise<void> {
  if (amounts.orders > 0 && (amounts.products === 0 || amounts.users === 0)) {
    throw new WrongUsage(
      'Orders need users and products of the same seed. Give at least one of each, or use --orders 0.',
    );
  }
  const [{ withStore }, { hasData, Seeding }, { faultOf }, { EventLog }] = await Promise.all([
    import('./store.js'),
    import('../seed/seed.js'),
    import('../../engine/database/faults.js'),
    import('../../engine/events/event-log.js'),
  ]);
  await withStore(async ({ config, database }) => {
    if (!append && (await database.unitOfWork.run(hasData))) {
      throw new CommandFailed(
        'The store has data already. Add --append to add to it, or name another database. ' +
          'An interrupted seed cannot be continued.',
      );
    }
    await database.keepMorePages();
    const progress = new Progress();
    const begin = performance.now();
    const stored = { products: 0, users: 0, orders: 0 };
    const forget = onInterruption(() => `Stopped. At least ${whatIsStored(stored)}`);
    try {
      const log = events ? new EventLog(database) : null;
      await new Seeding(database, config.currency, chosen, log).run(amounts, (table, done) => {
        stored[table] = done;
        progress.show(table, done, amounts[table]);
      });
    } catch (error) {
      throw stoppedBy(error, faultOf(error).kind, stored);
    } finally {
      forget();
      progress.end();
    }
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
    tell(`${told(amounts)} in ${seconds} s.\n`);
  });
}

function stoppedBy(error: unknown, kind: Fault['kind'], stored: Amounts): unknown {
  if (!(error instanceof Error) || (kind !== 'full' && kind !== 'unavailable')) return error;
  const reason = kind === 'full' ? 'The disk of the database is full' : error.message;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return new CommandFailed(`${reason}${cause}. ${whatIsStored(stored)}`, { cause: error });
}

function whatIsStored(stored: Amounts): string {
  return (
    `${told(stored)} are stored. The seed cannot be continued: ` +
    'start again on a new database, or add to this one with --append and another --seed.'
  );
}

function told({ products, users, orders }: Amounts): string {
  return `${number(products)} products, ${number(users)} users and ${number(orders)} orders`;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 1000.');
  return Number(text);
}
