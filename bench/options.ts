import { parseArgs } from 'node:util';
import { LADDER } from './ladder.ts';
import { MEMORY_AFTER_READS } from './memory-after-reads.ts';
import { POSTGRES_ROWS, ROWS, START_ROWS } from './rows.ts';

export interface Options {
  readonly products: number;
  readonly rounds: number;
  readonly seconds: number;
  /** The length of the reads, in seconds. After these reads, the row `memory-after-reads` measures the memory. */
  readonly reads: number;
  readonly only: ReadonlySet<string>;
  readonly keep: string | null;
  readonly json: string | null;
  readonly profile: string | null;
  readonly check: boolean;
  /** A PostgreSQL server on which databases may be created. */
  readonly postgres: string | null;
}

const USUAL = [...ROWS.map(({ name }) => name), ...START_ROWS, MEMORY_AFTER_READS];
const ON_POSTGRES = POSTGRES_ROWS.map(({ name }) => name);
const NAMES = [...USUAL, ...ON_POSTGRES, LADDER];

const INDENT = `,\n${' '.repeat(18)}`;
const inLines = (list: readonly string[]): string =>
  list.join(', ').replaceAll(/(.{70,90}), /g, `$1${INDENT}`);

export const HELP = `npm run bench -- [options]      (after npm run build)

Compares the processor time per request of the built service with that of LIMIT, a bare server with the same data.

  --products N    products in the databases, 40 to 10000000 (100000)
  --rounds N      measured rounds for each row; each round measures both servers once (5)
  --seconds S     length of one measurement (3)
  --reads S       length of the reads before ${MEMORY_AFTER_READS} is measured (120)
  --only A,B      only these rows:
                  ${inLines(USUAL)};
                  with --postgres also ${ON_POSTGRES.join(' and ')};
                  and ${LADDER}: the share of each step in the processor time of a request
  --except A,B    all rows except these
  --keep DIR      keep the databases in this folder, and use them again
  --json FILE     write the result to this file as well
  --profile DIR   write CPU profiles of the servers to this folder; the processor times are then too high
  --postgres URL  also measure ${ON_POSTGRES.join(' and ')} on this server, in new databases
  --check         exit with 1 if a target is missed
`;

/**
 * @returns null when help is asked for
 * @throws Error with a readable message for options that are not understood
 */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      products: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      reads: { type: 'string', default: '120' },
      only: { type: 'string' },
      except: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      postgres: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    products: integer('--products', values.products, 40, 10_000_000),
    rounds: integer('--rounds', values.rounds, 1, 1000),
    seconds: integer('--seconds', values.seconds, 1, 600),
    reads: integer('--reads', values.reads, 1, 3600),
    only: names(
      values.only ?? [...USUAL, ...(values.postgres === undefined ? [] : ON_POSTGRES)].join(','),
    ).difference(values.except === undefined ? new Set() : names(values.except)),
    keep: values.keep ?? null,
    json: values.json ?? null,
    profile: values.profile ?? null,
    check: values.check,
    postgres: values.postgres ?? null,
  };
}

function integer(name: string, text: string, minimum: number, maximum: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new Error(`${name} must be an integer from ${minimum} to ${maximum}, not "${text}".`);
}

function names(text: string): ReadonlySet<string> {
  const chosen = new Set(text.split(','));
  for (const name of chosen) {
    if (!NAMES.includes(name))
      throw new Error(`--only and --except take ${NAMES.join(', ')}, not "${name}".`);
  }
  return chosen;
}
