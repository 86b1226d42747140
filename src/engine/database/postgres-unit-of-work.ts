import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseError } from 'pg';
import { DatabaseUnavailable, isConnectionLost, NoAnswer } from './faults.js';
import { type Act, type Origin, Transaction } from './transaction.js';
import { ask, isSilent, patienceOf, query } from './postgres-connection.js';
import { announce, begun, fail, requireSql, type RunOptions, SERVICE, UnitOfWork } from './unit-of-work.js';

const ATTEMPTS = 8;
const OUTCOME_MS = 5_000;
/**
 * The longest wait for BEGIN. It is the same as the longest wait for a connection, because a reachable server begins a
 * transaction at once.
 */
const BEGIN_MS = 5_000;

/** The transaction stored nothing, and another attempt may succeed. */
class Conflict extends Error {}

/**
 * Runs each act in a transaction of its own, on a connection of the pool. An act that conflicts with another one is
 * repeated.
 */
export class PostgresUnitOfWork extends UnitOfWork {
  readonly #pool: pg.Pool;
  readonly #patienceMs: number;
  readonly #running = new Set<Promise<unknown>>();
  readonly #afterCommit: (() => void)[] = [];
  #stopping = false;

  constructor(pool: pg.Pool) {
    super();
    this.#pool = pool;
    this.#patienceMs = patienceOf(pool);
  }

  override async run<T>(
    act: Act<T>,
    { isolation = 'read committed', origin = SERVICE }: RunOptions = {},
  ): Promise<T> {
    if (this.#stopping) throw new DatabaseUnavailable('The service is shutting down');
    const running = this.#repeat(act, isolation, origin);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  override async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.allSettled(this.#running);
  }

  /** Calls `callback` after every act of this process that was committed. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback);
  }

  async #repeat<T>(act: Act<T>, isolation: string, origin: Origin): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(act, isolation, origin);
      } catch (error) {
        if (!(error instanceof Conflict)) throw this.refusalOf(error);
        if (attempt === ATTEMPTS) {
          throw new DatabaseUnavailable('The act conflicted with other acts at every attempt', {
            cause: error.cause,
          });
        }
      }
      // Acts that conflicted wait for different times, so that they do not conflict again.
      await sleep(Math.random() * 2 ** attempt * 2);
    }
  }

  async #attempt<T>(act: Act<T>, isolation: string, origin: Origin): Promise<T> {
    const client = await this.#pool.connect();
    // Without a listener, an error of the connection would end the process. The running statement rejects with the same
    // error.
    let lost: Error | undefined;
    const onError = (error: Error) => {
      lost = error;
    };
    client.on('error', onError);
    let isReleased = false;
    const release = (isUsable: boolean) => {
      if (isReleased) return;
      isReleased = true;
      client.off('error', onError);
      // A dead connection may still emit an error.
      if (!isUsable) client.on('error', () => undefined);
      client.release(!isUsable || lost !== undefined);
    };
    try {
      const transaction = await begin(client, isolation);
      const callbacks = [...this.#afterCommit];
      const tx = new Transaction('postgres', origin, callbacks);
      const result = await drive(client, act, tx, this.#patienceMs);
      try {
        await ask(client, { text: 'COMMIT' }, this.#patienceMs);
      } catch (error) {
        if (!isConnectionLost(error))
          throw curable(error) ? new Conflict('at commit', { cause: error }) : error;
        // The broken connection leaves the pool first, so that the pool can open another connection for the question.
        // Otherwise, if all connections broke at once, all acts would ask, and no connection would be left for their
        // questions.
        release(false);
        if (!(await this.#wasCommitted(transaction, error)))
          throw new Conflict('commit lost', { cause: error });
      }
      announce(callbacks);
      return result;
    } catch (error) {
      if (!isReleased) release(await rolledBack(client, this.#patienceMs));
      throw error;
    } finally {
      release(true);
    }
  }

  /**
   * Asks on another connection whether the transaction was committed. The question is repeated, because the server
   * needs some time to notice that the first connection is gone. A server that crashed meanwhile may have forgotten the
   * transaction and given its id to another transaction. Then `committed` may be the status of the other transaction,
   * and proves nothing. `aborted` always proves that nothing was stored, because the id of a committed transaction is
   * not given again.
   */
  async #wasCommitted(transaction: Begun, cause: unknown): Promise<boolean> {
    const deadline = performance.now() + OUTCOME_MS;
    while (performance.now() < deadline) {
      const { status, went_on: wentOn } = await this.#statusOf(
        transaction,
        Math.max(1, deadline - performance.now()),
      );
      if (status === 'aborted') return false;
      if (status === 'committed') {
        if (wentOn) return true;
        break;
      }
      await sleep(50);
    }
    throw new DatabaseUnavailable(
      'The connection broke during the commit, and it is not known whether the act was stored',
      { cause },
      'unknown',
    );
  }

  async #statusOf({ id, at }: Begun, patienceMs: number): Promise<Outcome> {
    try {
      const { rows } = await ask<Outcome>(this.#pool, { text: OUTCOME, values: [id, at] }, patienceMs);
      return rows[0] ?? NO_ANSWER;
    } catch {
      // After any error, the question is repeated. (A server that took over may not even know the id.)
      return NO_ANSWER;
    }
  }
}

/** The data with which the outcome of a broken COMMIT is looked up. */
interface Begun {
  readonly id: string;
  /**
   * The time of the server when the transaction began. It is compared with the times at which the connections of the
   * server began.
   */
  readonly at: string;
}

interface Outcome {
  readonly status: string | null;
  readonly went_on: boolean;
}

const NO_ANSWER: Outcome = { status: null, went_on: false };

/**
 * No connection outlives a crash of the server. So a connection that is older than the transaction proves that there
 * was no crash.
 */
const OUTCOME = `SELECT pg_xact_status($1::xid8) AS status,
  EXISTS (SELECT FROM pg_stat_activity WHERE backend_start < $2::timestamptz) AS went_on`;

/** Begins a transaction in one round trip. */
async function begin(client: pg.PoolClient, isolation: string): Promise<Begun> {
  const text = `BEGIN ISOLATION LEVEL ${isolation}; SELECT pg_current_xact_id()::text AS id, now()::text AS at`;
  try {
    const results = (await ask(client, { text }, BEGIN_MS)) as unknown as pg.QueryResult<Begun>[];
    const known = results[1]?.rows[0];
    if (known === undefined) throw new TypeError('PostgreSQL gave no transaction id');
    return known;
  } catch (error) {
    // There is no second attempt, because it might wait as long as this one.
    if (error instanceof NoAnswer) throw error;
    // The connection died while it was idle in the pool; nothing has happened yet.
    throw isConnectionLost(error) ? new Conflict('connection was stale', { cause: error }) : error;
  }
}

async function drive<T>(client: pg.PoolClient, act: Act<T>, tx: Transaction, patienceMs: number): Promise<T> {
  const { steps, step: first } = begun(act, tx);
  let step = first;
  while (step.done !== true) {
    let rows;
    try {
      rows = await query(client, requireSql(step.value), patienceMs);
    } catch (fault) {
      if (!curable(fault)) return fail(steps, fault);
      // The act does not get the error, because it must not treat the error as a result. Another attempt may succeed.
      steps.return(undefined as never);
      throw new Conflict('serialisation failure or deadlock', { cause: fault });
    }
    step = steps.next(rows);
  }
  return step.value;
}

function curable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** Rolls back. Returns false when the connection has to be discarded. */
async function rolledBack(client: pg.PoolClient, patienceMs: number): Promise<boolean> {
  if (isSilent(client)) return false;
  try {
    await ask(client, { text: 'ROLLBACK' }, patienceMs);
    return true;
  } catch {
    // The original error is the one to report, and the server rolls back without a command.
    return false;
  }
}
