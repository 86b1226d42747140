import { Logger } from '@nestjs/common';
import { Counter, Counters, Histogram } from '../metrics/instruments.js';
import { faultOf, translated } from './faults.js';
import { type Act, type Origin, ownOrigin, type Transaction } from './transaction.js';
import { Round, Sql, type Steps } from './sql.js';
import { STATEMENT_BOUNDS, type StatementTimes } from './statement-times.js';

export interface RunOptions {
  /** The isolation level on PostgreSQL, `read committed` if absent. SQLite always runs acts one after another. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  /** The origin of the act; the service itself if absent. */
  origin?: Origin;
  /**
   * On PostgreSQL, the act does not wait for a turn. So it runs even if the acts that have a turn wait for a lock. Only
   * the check of readiness may use this.
   */
  isAtOnce?: boolean;
}

const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128];

export const SERVICE = ownOrigin('service');

/**
 * The only way to change the database. A failed statement throws at the `yield` of the act. The act may catch this
 * error, and throw its own error or clean up, but it cannot continue. PostgreSQL ends a transaction when a statement
 * fails, so a failed statement ends the act on both engines.
 */
export abstract class UnitOfWork {
  /** The time at which an act was last refused because the disk was full, on the clock of `performance`. */
  withoutRoomAt = Number.NEGATIVE_INFINITY;
  readonly acts = new Counters(['committed', 'refused']);
  readonly conflicts = new Counter();
  /** The durations of COMMIT, which waits for the disk. */
  readonly commits = new Histogram(STATEMENT_BOUNDS);
  /** The numbers of acts that were committed together. */
  readonly batches = new Histogram(BATCH_BOUNDS);
  abstract readonly statements: StatementTimes;

  /** The number of acts that run or wait. */
  abstract get pending(): number;

  /**
   * Resolves after the COMMIT, with the result of the act.
   *
   * @throws DatabaseUnavailable when the act may be tried again later
   */
  abstract run<T>(act: Act<T>, options?: RunOptions): Promise<T>;

  /** Finishes the acts that have begun or are waiting, and refuses later ones. */
  abstract stop(): Promise<void>;

  /** The error with which the promise of a failed act rejects. */
  protected refusalOf(error: unknown): unknown {
    this.acts.add('refused');
    if (faultOf(error).kind === 'full') this.withoutRoomAt = performance.now();
    return translated(error);
  }
}

/** Starts an act and returns its first step. */
export function begun<T>(
  act: Act<T>,
  tx: Transaction,
): { steps: Steps<T>; step: IteratorResult<Sql | Round, T> } {
  const { keyed } = tx.origin;
  const steps = keyed === null ? act(tx) : keyed.around(act, tx);
  return { steps, step: steps.next() };
}

/** @throws TypeError when an act yields a value that is not SQL */
export function requireSql(value: unknown): Sql | Round {
  if (value instanceof Sql || value instanceof Round) return value;
  throw new TypeError('An act may only yield SQL; use yield* for one, all, run and other acts');
}

/**
 * Tells an act that its statement failed. This function always throws. If the act throws its own error, this function
 * throws that error. Otherwise it throws the fault, even if the act tries to continue.
 */
export function fail(steps: Steps<unknown>, fault: unknown): never {
  const step = steps.throw(fault);
  if (step.done !== true) steps.return(undefined);
  throw fault;
}

const logger = new Logger('UnitOfWork');

/**
 * Calls the callbacks after a COMMIT. The data is already committed when a callback fails. So the error is logged as a
 * bug, and the act still succeeds.
 */
export function announce(callbacks: readonly (() => void)[]): void {
  for (const callback of callbacks) {
    try {
      callback();
    } catch (error) {
      logger.error(error);
    }
  }
}
