import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseError } from 'pg';
import { DatabaseUnavailable, isConnectionLost, NoAnswer } from './faults.js';
import { type Act, type Origin, Transaction } from './transaction.js';
import { ask, isSilent, patienceOf, query } from './postgres-connection.js';
import { announce, begun, fail, requireSql, type RunOptions, SERVICE, UnitOfWork } from './unit-of-work.js';

const ATTEMPTS = 8;
const OUTCOME_MS = 5_000;
/** As long as a connection may take: a server that is there begins a transaction at once. */
const BEGIN_MS = 5_000;

/** The transaction is gone without a trace, and another attempt may well succeed. */
class Conflict extends Error {}

/** Each act in a transaction of its own, on a connection of the pool, repeated when it met another's. */
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
          throw new DatabaseUnavailable('The act kept meeting others', { cause: error.cause });
        }
      }
      // Those that met must not meet again, so each waits for a different time.
      await sleep(Math.random() * 2 ** attempt * 2);
    }
  }

  async #attempt<T>(act: Act<T>, isolation: string, origin: Origin): Promise<T> {
    const client = await this.#pool.connect();
    // The statement under way rejects with the same error; without a listener it would end the process.
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
      // A dead connection may still say so.
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
        // Its place in the pool is needed to ask: when all connections break at once, all of them ask.
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
   * Asks on another connection, for as long as the server takes to notice that the first one is gone. A server that went
   * down meanwhile may have forgotten the transaction and given its id to another one, so that `committed` is then no answer;
   * `aborted` is, since an id is not given twice to what was committed.
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
      'The connection broke while committing, and whether the act was stored could not be found out',
      { cause },
      'unknown',
    );
  }

  async #statusOf({ id, at }: Begun, patienceMs: number): Promise<Outcome> {
    try {
      const { rows } = await ask<Outcome>(this.#pool, { text: OUTCOME, values: [id, at] }, patienceMs);
      return rows[0] ?? NO_ANSWER;
    } catch {
      // Whatever the reason (a server that took over may not even know the id): ask again.
      return NO_ANSWER;
    }
  }
}

/** What the outcome of a broken COMMIT is asked by. */
interface Begun {
  readonly id: string;
  /** By the clock of the server, which has the connections that are compared with it. */
  readonly at: string;
}

interface Outcome {
  readonly status: string | null;
  readonly went_on: boolean;
}

const NO_ANSWER: Outcome = { status: null, went_on: false };

/** No connection outlives a crash of the server, so that one that is older than the transaction shows that there was none. */
const OUTCOME = `SELECT pg_xact_status($1::xid8) AS status,
  EXISTS (SELECT FROM pg_stat_activity WHERE backend_start < $2::timestamptz) AS went_on`;

/** One round trip. */
async function begin(client: pg.PoolClient, isolation: string): Promise<Begun> {
  const text = `BEGIN ISOLATION LEVEL ${isolation}; SELECT pg_current_xact_id()::text AS id, now()::text AS at`;
  try {
    const results = (await ask(client, { text }, BEGIN_MS)) as unknown as pg.QueryResult<Begun>[];
    const known = results[1]?.rows[0];
    if (known === undefined) throw new TypeError('PostgreSQL gave no transaction id');
    return known;
  } catch (error) {
    // Another attempt might wait as long.
    if (error instanceof NoAnswer) throw error;
    // A connection that died while it was idle in the pool; nothing has happened yet.
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
      // The act is not asked: it must not mistake for an answer what another attempt will cure.
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

/** False when the connection has to be thrown away. */
async function rolledBack(client: pg.PoolClient, patienceMs: number): Promise<boolean> {
  if (isSilent(client)) return false;
  try {
    await ask(client, { text: 'ROLLBACK' }, patienceMs);
    return true;
  } catch {
    // The error that led here is the one to report, and the server rolls back by itself.
    return false;
  }
}
