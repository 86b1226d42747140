import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ActTurns } from './act-turns.js';
import { DatabaseUnavailable, isConnectionLost } from './faults.js';
import { Attempt, Conflict, type Begun, idQueryOn, type Isolation } from './postgres-attempt.js';
import type { Asked } from './postgres-trip.js';
import { askPool, patienceOf } from './postgres-connection.js';
import { ACT, currentSpan } from '../tracing/span.js';
import { StatementTimes } from './statement-times.js';
import { type Act, type Origin, Transaction } from './transaction.js';
import { announce, type RunOptions, SERVICE, UnitOfWork } from './unit-of-work.js';

const ATTEMPTS = 8;
const OUTCOME_MS = 5_000;
/**
 * The connections of the pool that acts leave to the others: to reads, to the check of readiness and to
 * `PostgresFolds`. With fewer connections for acts, each act takes more processor time.
 */
const LEFT_TO_OTHERS = 1;
/** The longest wait for a turn. It is as long as the longest wait for a connection of the pool. */
const TURN_MS = 5_000;
/**
 * Runs each act in a transaction of its own, on a connection of the pool. An act that conflicts with another one is
 * repeated.
 */
export class PostgresUnitOfWork extends UnitOfWork {
  override readonly statements = new StatementTimes('postgres');
  readonly #pool: pg.Pool;
  readonly #patienceMs: number;
  readonly #idQuery: Asked;
  readonly #turns: ActTurns;
  readonly #running = new Set<Promise<unknown>>();
  readonly #afterCommit: (() => void)[] = [];
  #stopping = false;

  constructor(pool: pg.Pool) {
    super();
    this.#pool = pool;
    this.#patienceMs = patienceOf(pool);
    this.#idQuery = idQueryOn(pool);
    this.#turns = new ActTurns(pool.options.max - LEFT_TO_OTHERS, TURN_MS);
  }

  override get pending(): number {
    return this.#running.size;
  }

  /** The number of acts that wait because too many other acts run. */
  get waitingForTurn(): number {
    return this.#turns.waiting;
  }

  override async run<T>(
    act: Act<T>,
    { isolation = 'read committed', origin = SERVICE, isAtOnce = false }: RunOptions = {},
  ): Promise<T> {
    if (this.#stopping) throw new DatabaseUnavailable('The service is shutting down');
    const span = currentSpan()?.child(ACT);
    const attempt = () => this.#attempt(act, isolation, origin);
    const repeat = () => this.#repeat(isAtOnce ? attempt : () => this.#inTurn(attempt));
    const running = span === undefined ? repeat() : span.around(repeat);
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

  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Conflict)) throw this.refusalOf(error);
        if (attempts === ATTEMPTS) {
          throw new DatabaseUnavailable('The act conflicted with other acts at every attempt', {
            cause: error.cause,
          });
        }
      }
      this.conflicts.add();
      // Each act waits for a random time, so that two acts that conflicted do not conflict again.
      await sleep(Math.random() * 2 ** attempts * 2);
    }
  }

  async #inTurn<T>(attempt: () => Promise<T>): Promise<T> {
    await this.#turns.begin();
    try {
      return await attempt();
    } finally {
      this.#turns.end();
    }
  }

  async #attempt<T>(act: Act<T>, isolation: Isolation, origin: Origin): Promise<T> {
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
    const attempt = new Attempt(client, isolation, this.#idQuery, this.#patienceMs, this.statements);
    try {
      const callbacks = [...this.#afterCommit];
      const result = await attempt.drive(act, new Transaction('postgres', origin, callbacks));
      const begunAt = performance.now();
      try {
        await attempt.commit();
        this.commits.observe((performance.now() - begunAt) / 1_000);
      } catch (error) {
        const { begun } = attempt;
        if (error instanceof Conflict || begun === null || !isConnectionLost(error)) throw error;
        // The broken connection leaves the pool first, so that the pool can open another one for `#wasCommitted`.
        // Otherwise, if all connections broke at once, each act would keep its broken connection while it asks, and no
        // connection would be left for the questions.
        release(false);
        if (!(await this.#wasCommitted(begun, error))) throw new Conflict('commit lost', { cause: error });
      }
      this.acts.add('committed');
      announce(callbacks);
      return result;
    } catch (error) {
      if (!isReleased) release(await attempt.rolledBack());
      throw error;
    } finally {
      release(true);
    }
  }

  /**
   * Asks on another connection whether the transaction was committed. The question is repeated, because the server
   * needs some time to notice that the first connection is gone. A server that crashed meanwhile may have lost the
   * transaction, and have given its id to another transaction. The same is true for a replica that took over. Then
   * `committed` may be the status of the other transaction, and proves nothing. The status `aborted` always proves that
   * nothing was stored: if our transaction was committed, its id is never given to another transaction.
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

  async #statusOf({ id, at, server }: Begun, patienceMs: number): Promise<Outcome> {
    try {
      const question = { name: '', text: OUTCOME, values: [id, at, server] };
      const [outcome] = await askPool<Outcome>(this.#pool, question, patienceMs);
      return outcome ?? NO_ANSWER;
    } catch {
      // After any error, the question is repeated. (A server that took over may not even know the id.)
      return NO_ANSWER;
    }
  }
}

interface Outcome {
  readonly status: string | null;
  readonly went_on: boolean;
}

const NO_ANSWER: Outcome = { status: null, went_on: false };

/**
 * No connection outlives a crash of the server. So a connection that is older than the transaction proves that there
 * was no crash. A replica that has taken the place of the server has old connections too, but it was started at another
 * time.
 */
const OUTCOME = `SELECT pg_xact_status($1::xid8) AS status,
  pg_postmaster_start_time() = $3::timestamptz
    AND EXISTS (SELECT FROM pg_stat_activity WHERE backend_start < $2::timestamptz) AS went_on`;
