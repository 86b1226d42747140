import type pg from 'pg';
import { Trip, type Asked, type Prepared } from './postgres-trip.js';
import { type Row, type Sql, textOf } from './sql.js';

// The names and texts of statements, by call site. One map for the whole process is enough, because a statement is
// prepared on a connection at its first use there.
const preparedBySite = new WeakMap<TemplateStringsArray, Prepared>();
let namesGiven = 0;

/** A name for a prepared statement, unique in this process. It is short, because it is sent with each use. */
export function newStatementName(): string {
  namesGiven += 1;
  return `s${namesGiven}`;
}

/** A statement as it is sent. */
export function askedBy(statement: Sql): Asked {
  const { name, text } = prepared(statement);
  return { name, text, values: statement.values };
}

/** Runs one statement on a connection. @throws NoAnswer, and the errors of the server */
export async function ask<R extends object = Row>(
  client: pg.PoolClient,
  asked: Asked,
  patienceMs: number,
): Promise<R[]> {
  const trip = new Trip([asked]);
  await trip.sent(client, patienceMs);
  return trip.answers[0] as R[];
}

/**
 * Runs one statement on a connection of a pool. After an error the connection leaves the pool.
 *
 * @throws NoAnswer, and the errors of the server and of the pool
 */
export async function askPool<R extends object = Row>(
  pool: pg.Pool,
  asked: Asked,
  patienceMs: number,
): Promise<R[]> {
  const limits = limitsOf(pool);
  return onPool(pool, limits === null ? [asked] : [limits, asked], patienceMs);
}

/**
 * Like `askPool`, for a statement that cannot be in a transaction with others, such as VACUUM. Through a pooler, the
 * statement has no limits of time on the server.
 */
export function askPoolAlone(pool: pg.Pool, asked: Asked, patienceMs: number): Promise<Row[]> {
  return onPool(pool, [asked], patienceMs);
}

/** Runs statements in one round trip, in a transaction of their own. Returns the rows of the last one. */
async function onPool<R extends object>(
  pool: pg.Pool,
  statements: readonly Asked[],
  patienceMs: number,
): Promise<R[]> {
  const trip = new Trip(statements);
  const client = await pool.connect();
  let isUsable = false;
  try {
    await trip.sent(client, patienceMs);
    isUsable = true;
  } finally {
    client.release(!isUsable);
  }
  return trip.answers.at(-1) as R[];
}

/** The limits of time for the work of the server, in milliseconds, by the names of its settings. */
export interface Limits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/**
 * The limits as expressions that set them for the present transaction; null if the sessions of the pool have limits of
 * their own. Behind a connection pooler, the sessions have no limits of their own.
 */
export function limitsText(pool: pg.Pool): string | null {
  const { limits } = pool.options as { limits?: Limits };
  if (limits === undefined) return null;
  return Object.entries(limits)
    .map(([name, ms]) => `set_config('${name}', '${ms}', true)`)
    .join(', ');
}

const limitsByPool = new WeakMap<pg.Pool, Asked | null>();

function limitsOf(pool: pg.Pool): Asked | null {
  let known = limitsByPool.get(pool);
  if (known === undefined) {
    const text = limitsText(pool);
    known = text === null ? null : { name: '', text: `SELECT ${text}`, values: [] };
    limitsByPool.set(pool, known);
  }
  return known;
}

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** The address without its limits. The driver would send the limits to a pooler at the beginning of each connection. */
export function withoutLimits(url: string): string {
  const { searchParams, href } = new URL(url);
  if (!LIMITS.some((name) => searchParams.has(name))) return url;
  const result = new URL(href);
  for (const name of LIMITS) result.searchParams.delete(name);
  return result.href;
}

const STATEMENT_MS = 15_000;
/** The additional time in which an answer reaches this process and is read. */
const WAY_MS = 2_000;

/** The longest time for which the server may work on a statement. The URL may set this time; 0 means forever. */
export function statementMsOf(url: string): number {
  const given = Number.parseInt(new URL(url).searchParams.get('statement_timeout') ?? '', 10);
  return Number.isNaN(given) ? STATEMENT_MS : given;
}

/**
 * The time for which the process waits for an answer; 0 means forever. This time is longer than the time limit of the
 * server for a statement, so that the server itself can report that it has ended the statement.
 */
export function patienceOf(pool: pg.Pool): number {
  const { limits } = pool.options as { limits?: Limits };
  const statementMs = limits?.statement_timeout ?? Number(pool.options.statement_timeout);
  return statementMs && statementMs + WAY_MS;
}

// A statement with a finished text (`raw`) gets no name, because a server keeps named statements until the connection
// ends.
function prepared(statement: Sql): Prepared {
  const { source } = statement;
  if (typeof source === 'string') return { name: '', text: textOf(statement, 'postgres') };
  let known = preparedBySite.get(source);
  if (known === undefined) {
    known = { name: newStatementName(), text: textOf(statement, 'postgres') };
    preparedBySite.set(source, known);
  }
  return known;
}
