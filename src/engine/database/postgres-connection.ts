import type pg from 'pg';
import { NoAnswer } from './faults.js';
import { AnyOf, requireExact, type Row, type Sql, textOf, type Value } from './sql.js';

interface Prepared {
  name: string;
  text: string;
}

// For the whole process: the driver prepares a name on each connection when it first meets it there.
const preparedBySite = new WeakMap<TemplateStringsArray, Prepared>();
let namesGiven = 0;

/** Short, because it is sent each time, and different from all others in this process. */
export function newStatementName(): string {
  namesGiven += 1;
  return `s${namesGiven}`;
}

export async function query(
  client: pg.Pool | pg.PoolClient,
  statement: Sql,
  patienceMs: number,
): Promise<readonly Row[]> {
  const config = { ...prepared(statement), values: statement.values.map(bound) };
  return (await ask<Row>(client, config, patienceMs)).rows;
}

/** Nothing more is asked on these: the answer could be that to an earlier statement, and most likely there is none. */
const silent = new WeakSet<pg.PoolClient>();

export function isSilent(client: pg.PoolClient): boolean {
  return silent.has(client);
}

/**
 * Does not wait for ever, as a server does that is frozen, or that cannot be reached any more and does not say so.
 *
 * @throws NoAnswer
 */
export async function ask<R extends pg.QueryResultRow>(
  client: pg.Pool | pg.PoolClient,
  config: pg.QueryConfig,
  patienceMs: number,
): Promise<pg.QueryResult<R>> {
  try {
    return await client.query<R>({ ...config, query_timeout: patienceMs } as pg.QueryConfig);
  } catch (error) {
    // The driver has no class for it.
    if (!(error instanceof Error) || error.message !== 'Query read timeout') throw error;
    if ('release' in client) silent.add(client);
    throw new NoAnswer(`The database did not answer within ${patienceMs} ms`, { cause: error });
  }
}

const STATEMENT_MS = 15_000;
/** What an answer may take on its way, and this process to read it. */
const WAY_MS = 2_000;

/** For how long the server works on a statement, unless the URL says otherwise; 0 is for ever. */
export function statementMsOf(url: string): number {
  const given = Number.parseInt(new URL(url).searchParams.get('statement_timeout') ?? '', 10);
  return Number.isNaN(given) ? STATEMENT_MS : given;
}

/** How long an answer is waited for: longer than the server works, which says by itself that it gave up. 0 is for ever. */
export function patienceOf(pool: pg.Pool): number {
  const statementMs = Number(pool.options.statement_timeout);
  return statementMs && statementMs + WAY_MS;
}

// Finished texts stay nameless: a server keeps named ones until the connection ends.
function prepared(statement: Sql): Prepared | { text: string } {
  const { source } = statement;
  if (typeof source === 'string') return { text: textOf(statement, 'postgres') };
  let known = preparedBySite.get(source);
  if (known === undefined) {
    known = { name: newStatementName(), text: textOf(statement, 'postgres') };
    preparedBySite.set(source, known);
  }
  return known;
}

function bound(value: Value | AnyOf): unknown {
  if (typeof value === 'number') return requireExact(value);
  if (typeof value === 'bigint') return requireExact(Number(value));
  if (value instanceof AnyOf) return value.ids.map(requireExact);
  if (value instanceof Date) requireExact(value.getTime());
  return value;
}
