import type pg from 'pg';
import { DatabaseError } from 'pg';
import { isConnectionLost, NoAnswer } from './faults.js';
import { askedBy, limitsText } from './postgres-connection.js';
import { isFresh, isSilent, Trip, type Asked } from './postgres-trip.js';
import { Round, type Row, type Sql } from './sql.js';
import { currentSpan } from '../tracing/span.js';
import { spanOf, type StatementTimes } from './statement-times.js';
import type { Act, Transaction } from './transaction.js';
import { begun, fail, requireSql, type RunOptions } from './unit-of-work.js';

export type Isolation = NonNullable<RunOptions['isolation']>;

/**
 * The longest wait for BEGIN, on a connection that may be dead. It is as short as the longest wait for a new
 * connection, because a reachable server begins a transaction at once.
 */
const BEGIN_MS = 5_000;

/** The transaction stored nothing, and another attempt may succeed. */
export class Conflict extends Error {}

/** The data with which the outcome of a broken COMMIT is looked up. */
export interface Begun {
  readonly id: string;
  /**
   * The time of the server when the transaction began. It is compared with the times at which the connections of the
   * server began.
   */
  readonly at: string;
  /** The time at which the server was started. It is different if another server has taken the place of this one. */
  readonly server: string;
}

const control = (name: string, text: string): Asked => ({ name, text, values: [] });
const ID_QUERY_TEXT = `SELECT pg_current_xact_id()::text AS id, now()::text AS at,
  pg_postmaster_start_time()::text AS server`;
const ID_QUERY = control('begun', ID_QUERY_TEXT);
const COMMIT = control('COMMIT', 'COMMIT');
const ROLLBACK = control('ROLLBACK', 'ROLLBACK');
const beginning = (name: string, isolation: Isolation): Asked =>
  control(name, `BEGIN ISOLATION LEVEL ${isolation}`);
const BEGIN: { readonly [I in Isolation]: Asked } = {
  'read committed': beginning('BEGIN rc', 'read committed'),
  'repeatable read': beginning('BEGIN rr', 'repeatable read'),
  serializable: beginning('BEGIN s', 'serializable'),
};

const NO_ROWS: readonly Row[] = [];

/** The second statement of each transaction. It also sets the limits, if the sessions of the pool have none. */
export function idQueryOn(pool: pg.Pool): Asked {
  const limits = limitsText(pool);
  return limits === null ? ID_QUERY : control('begun', `${ID_QUERY_TEXT}, ${limits}`);
}

/**
 * One attempt to run an act, in a transaction on one connection. It takes as few round trips as possible. If the server
 * answered on this connection a moment ago, BEGIN is sent with the first statements. Statements whose rows nobody needs
 * are sent with the next ones, or with the COMMIT.
 */
export class Attempt {
  readonly #client: pg.PoolClient;
  readonly #patienceMs: number;
  readonly #durations: StatementTimes;
  /** The statements that are sent with the next trip. */
  #waiting: Asked[];
  /** The statements of `#waiting` that the act has yielded, for the span of the trip. */
  #unsent: Sql[] = [];
  #begun: Begun | null = null;
  #hasSent = false;

  /**
   * @param idQuery from `idQueryOn`
   * @param durations of the statements; statements that are sent together count as one
   */
  constructor(
    client: pg.PoolClient,
    isolation: Isolation,
    idQuery: Asked,
    patienceMs: number,
    durations: StatementTimes,
  ) {
    this.#durations = durations;
    this.#client = client;
    this.#patienceMs = patienceMs;
    this.#waiting = [BEGIN[isolation], idQuery];
  }

  /** Null until the server has begun the transaction. */
  get begun(): Begun | null {
    return this.#begun;
  }

  /** Runs the act up to the COMMIT. */
  async drive<T>(act: Act<T>, tx: Transaction): Promise<T> {
    const { steps, step: first } = begun(act, tx);
    let step = first;
    while (step.done !== true) {
      const asked = requireSql(step.value);
      if (!(asked instanceof Round) && !asked.isAwaited) {
        this.#waiting.push(askedBy(asked));
        this.#unsent.push(asked);
        step = steps.next(NO_ROWS);
        continue;
      }
      const statements = asked instanceof Round ? asked.statements : [asked];
      let answers;
      try {
        answers = await this.#answersTo(statements);
      } catch (fault) {
        if (fault instanceof Refused) {
          if (asked instanceof Round) asked.failedAt = fault.index;
          return fail(steps, fault.cause);
        }
        // The act does not get this error, because it must not treat the error as a result.
        steps.return(undefined as never);
        throw fault;
      }
      step = steps.next((asked instanceof Round ? answers : answers[0]) as readonly Row[]);
    }
    return step.value;
  }

  /**
   * Commits. If the act yielded no statement, there is nothing to commit.
   *
   * @throws Conflict when the act may be repeated
   */
  async commit(): Promise<void> {
    const [begin, idQuery, ...changes] = this.#hasSent ? [] : this.#waiting;
    if (begin !== undefined && idQuery !== undefined) {
      if (changes.length === 0) return;
      // The outcome of a broken COMMIT can be found only if the id of the transaction is known before the COMMIT.
      this.#waiting = [begin, idQuery];
      await this.#begin();
      this.#waiting = changes;
    }
    const trip = new Trip([...this.#waiting, COMMIT]);
    const span = currentSpan();
    const commit = span && spanOf(span, [...this.#unsent, COMMIT.text], 'postgres');
    try {
      await trip.sent(this.#client, this.#patienceMs);
      commit?.end();
    } catch (error) {
      commit?.endFailed(error);
      throw isRepeatable(error) ? new Conflict('at commit', { cause: error }) : error;
    }
    if (trip.command !== 'COMMIT') throw new Error(`The COMMIT was answered with ${trip.command}.`);
  }

  /** Rolls back. Returns false when the connection has to be discarded. */
  async rolledBack(): Promise<boolean> {
    if (isSilent(this.#client)) return false;
    if (!this.#hasSent) return true;
    try {
      await new Trip([ROLLBACK]).sent(this.#client, this.#patienceMs);
      return true;
    } catch {
      // The original error is reported, and the server rolls back automatically.
      return false;
    }
  }

  /** @throws Refused when one of these statements failed, and the act may handle its error */
  async #answersTo(statements: readonly Sql[]): Promise<readonly (readonly Row[])[]> {
    if (!this.#hasSent && !isFresh(this.#client)) await this.#begin();
    const asked = statements.map(askedBy);
    const before = this.#waiting;
    const isFirst = !this.#hasSent;
    this.#waiting = [];
    const trip = new Trip([...before, ...asked]);
    const together = [...this.#unsent, ...statements];
    this.#unsent = [];
    this.#hasSent = true;
    const begunAt = performance.now();
    try {
      await trip.sent(this.#client, this.#patienceMs);
      this.#durations.took(together, begunAt);
    } catch (error) {
      this.#durations.failed(together, begunAt, error);
      if (isFirst) requireAlive(error);
      if (isRepeatable(error)) throw new Conflict('serialisation failure or deadlock', { cause: error });
      if (trip.succeeded < before.length) throw error;
      throw new Refused(trip.succeeded - before.length, error);
    }
    if (isFirst) this.#begun = (trip.answers[1]?.[0] ?? null) as Begun | null;
    return trip.answers.slice(before.length);
  }

  /**
   * Begins the transaction in a round trip of its own. This trip shows whether the server is reachable, and gets the id
   * of the transaction.
   */
  async #begin(): Promise<void> {
    const [begin, idQuery, ...rest] = this.#waiting;
    const trip = new Trip([begin as Asked, idQuery as Asked]);
    this.#hasSent = true;
    try {
      await trip.sent(this.#client, BEGIN_MS);
    } catch (error) {
      requireAlive(error);
      throw error;
    }
    this.#begun = (trip.answers[1]?.[0] ?? null) as Begun | null;
    this.#waiting = rest;
  }
}

/** A statement of the act failed. */
class Refused extends Error {
  constructor(
    readonly index: number,
    override readonly cause: unknown,
  ) {
    super();
  }
}

/**
 * For an error of the first trip, which commits nothing.
 *
 * @throws Conflict when the connection is lost: usually it died while it was idle in the pool
 */
function requireAlive(error: unknown): void {
  // If the server was silent, there is no second attempt, because that attempt could wait as long as the first one.
  if (error instanceof NoAnswer || !isConnectionLost(error)) return;
  throw new Conflict('connection was stale', { cause: error });
}

function isRepeatable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01');
}
