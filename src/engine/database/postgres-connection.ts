import type pg from 'pg';
import { NoAnswer } from './faults.js';
import { AnyOf, requireExact, type Row, type Sql, textOf, type Value } from './sql.js';

interface Prepared {
  name: string;
  text: string;
}

// The names and texts of statements, by call site. One map for the whole process is enough, because the driver prepares
// a statement on a connection at its first use there.
const preparedBySite = new WeakMap<TemplateStringsArray, Prepared>();
let namesGiven = 0;

/** A name for a prepared statement, unique in this process. It is short, because it is sent with each use. */
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

/**
 * Connections on which a statement got no answer in time. They are not used any more, because a late answer to that
 * statement could be mistaken for the answer to a later one.
 */
const silent = new WeakSet<pg.PoolClient>();

export function isSilent(client: pg.PoolClient): boolean {
  return silent.has(client);
}

/**
 * Bounds the wait for an answer, because a server that is frozen or unreachable may never answer, and never report an
 * error.
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
    // The driver has no class for this error.
    if (!(error instanceof Error) || error.message !== 'Query read timeout') throw error;
    if ('release' in client) silent.add(client);
    throw new NoAnswer(`The database did not answer within ${patienceMs} ms`, { cause: error });
  }
}

const STATEMENT_MS = 15_000;
/** The additional time in which an answer reaches this process and is read. */
const WAY_MS = 2_000;

/** Returns how long the server may work on a statement, from the URL if it sets this time; 0 means forever. */
export function statementMsOf(url: string): number {
  const given = Number.parseInt(new URL(url).searchParams.get('statement_timeout') ?? '', 10);
  return Number.isNaN(given) ? STATEMENT_MS : given;
}

/**
 * The time for which the process waits for an answer; 0 means forever. This is longer than the server may work on a
 * statement, so that the server itself can report that it has ended the statement.
 */
export function patienceOf(pool: pg.Pool): number {
  const statementMs = Number(pool.options.statement_timeout);
  return statementMs && statementMs + WAY_MS;
}

// A statement with a finished text (`raw`) gets no name, because a server keeps named statements until the connection
// ends.
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
