import type { Statement } from 'better-sqlite3';
import { type Row, Round, Sql } from './sql.js';
import { isBusy } from './busy.js';
import { DatabaseUnavailable } from './faults.js';
import { type Act, type Origin, Transaction } from './transaction.js';
import type { SameFiles } from './same-files.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { ACT, apart, currentSpan, type Span } from '../tracing/span.js';
import { spanOf, StatementTimes } from './statement-times.js';
import { announce, begun, fail, requireSql, type RunOptions, SERVICE, UnitOfWork } from './unit-of-work.js';

interface Waiting {
  readonly origin: Origin;
  /** The span of the act, if the request is recorded. */
  readonly span: Span | undefined;
  /** Runs the act, and returns the function that answers after the COMMIT. */
  perform: (tx: Transaction) => () => void;
  refuse: (error: unknown) => void;
  deadline: number;
}

// A batch blocks the event loop. So a batch takes no further act after this number of acts, or after this time.
const BATCH_ACTS = 128;
const BATCH_MS = 10;
const BUSY_MS = 5_000;
const BUSY_PAUSE_MS = 10;

/**
 * Runs acts one after another on the one write connection, without ever waiting inside a transaction. Acts that are
 * waiting are committed together. One disk flush serves all of these acts, and no act is answered before the flush.
 */
export class SqliteUnitOfWork extends UnitOfWork {
  override readonly statements = new StatementTimes('sqlite');
  readonly #writer: SqliteConnection;
  readonly #files: SameFiles;
  readonly #control: Record<'begin' | 'save' | 'keep' | 'undo' | 'commit' | 'rollback', Statement<[]>>;
  readonly #beforeCommit: (() => () => void)[] = [];
  #queue: Waiting[] = [];
  #scheduled = false;
  #drained: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(writer: SqliteConnection, files: SameFiles) {
    super();
    this.#writer = writer;
    this.#files = files;
    const prepare = (text: string): Statement<[]> => writer.handle.prepare(text);
    this.#control = {
      begin: prepare('BEGIN IMMEDIATE'),
      save: prepare('SAVEPOINT act'),
      keep: prepare('RELEASE act'),
      undo: prepare('ROLLBACK TO act'),
      commit: prepare('COMMIT'),
      rollback: prepare('ROLLBACK'),
    };
  }

  override get pending(): number {
    return this.#queue.length;
  }

  override run<T>(act: Act<T>, { origin = SERVICE }: RunOptions = {}): Promise<T> {
    if (this.#stopping !== undefined) {
      return Promise.reject(new DatabaseUnavailable('The service is shutting down'));
    }
    const deadline = performance.now() + BUSY_MS;
    const span = currentSpan()?.child(ACT);
    const outcome = new Promise<T>((resolve, refuse) => {
      const perform = (tx: Transaction) => {
        const result = this.#drive(act, tx, span);
        return () => resolve(result);
      };
      this.#queue.push({ origin, span, perform, refuse, deadline });
      this.#schedule(0);
    });
    return span === undefined ? outcome : span.timed(() => outcome);
  }

  override stop(): Promise<void> {
    this.#stopping ??= new Promise((resolve) => {
      if (this.#scheduled) this.#drained = resolve;
      else resolve();
    });
    return this.#stopping;
  }

  /**
   * Calls `hook` inside each transaction, right before its COMMIT. The function that `hook` returns is called right
   * after the COMMIT, before any callback or answer. Use this for state in memory that must change in the same tick as
   * the data that readers see.
   */
  beforeCommit(hook: () => () => void): void {
    this.#beforeCommit.push(hook);
  }

  // setImmediate runs after all input of this turn of the event loop, so the requests of this turn share a commit.
  #schedule(pauseMs: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = () => this.#flush();
    // A batch serves many requests, so it belongs to none of them.
    apart(() => (pauseMs === 0 ? setImmediate(flush) : setTimeout(flush, pauseMs)));
  }

  #flush(): void {
    const batch = this.#queue.slice(0, BATCH_ACTS);
    this.#queue = this.#queue.slice(BATCH_ACTS);
    const busy: Waiting[] = [];
    const left = this.#commitTogether(batch, busy);
    this.#queue = [...this.#stillInTime(busy), ...left, ...this.#queue];
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule(busy.length > 0 ? BUSY_PAUSE_MS : 0);
    else this.#drained?.();
  }

  /**
   * Answers the acts of a batch, with two exceptions. If the transaction cannot begin now (see `#begin`), the acts go
   * to `busy`. Acts for which the batch had no time left are returned.
   */
  #commitTogether(batch: readonly Waiting[], busy: Waiting[]): readonly Waiting[] {
    const answers: (() => void)[] = [];
    const callbacks: (() => void)[] = [];
    const spans: Span[] = [];
    let performed = 0;
    try {
      if (!this.#begin()) {
        busy.push(...batch);
        return [];
      }
      const end = performance.now() + BATCH_MS;
      for (const waiting of batch) {
        answers.push(this.#performApart(waiting, callbacks, spans));
        performed += 1;
        if (performance.now() > end) break;
      }
      const afterwards = this.#beforeCommit.map((hook) => hook());
      const begunAt = performance.now();
      this.#control.commit.run();
      this.commits.observe((performance.now() - begunAt) / 1_000);
      this.batches.observe(performed);
      for (const span of spans) spanOf(span, 'COMMIT', 'sqlite', begunAt).end();
      callbacks.unshift(...afterwards);
    } catch (error) {
      this.#recover(batch, error, busy);
      return [];
    }
    announce(callbacks);
    for (const answer of answers) answer();
    return batch.slice(performed);
  }

  /** Runs one act in a savepoint of its own. If the act fails, only the changes of this act are undone. */
  #performApart(waiting: Waiting, callbacks: (() => void)[], spans: Span[]): () => void {
    const own: (() => void)[] = [];
    this.#control.save.run();
    let answer: () => void;
    try {
      answer = waiting.perform(new Transaction('sqlite', waiting.origin, own));
    } catch (error) {
      // A full disk, for example, can roll back everything, with or without savepoints. The batch is then lost.
      if (!this.#writer.handle.inTransaction) throw error;
      this.#control.undo.run();
      this.#control.keep.run();
      return () => waiting.refuse(this.refusalOf(error));
    }
    this.#control.keep.run();
    callbacks.push(...own);
    if (waiting.span !== undefined) spans.push(waiting.span);
    return () => {
      this.acts.add('committed');
      answer();
    };
  }

  /**
   * Repeats a transaction that was lost as a whole. Nothing of it is stored, and no act was answered. So each act gets
   * a transaction of its own, and the failing act gets its error.
   */
  #recover(batch: readonly Waiting[], error: unknown, busy: Waiting[]): void {
    try {
      if (this.#writer.handle.inTransaction) this.#control.rollback.run();
    } catch (rollbackError) {
      for (const { refuse } of batch) refuse(this.refusalOf(rollbackError));
      return;
    }
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) only.refuse(this.refusalOf(error));
    else for (const waiting of batch) this.#commitTogether([waiting], busy);
  }

  /**
   * Returns false while another process writes, or while TypeORM's transactions are used on this connection.
   *
   * @throws DatabaseUnavailable when the file of the database was moved or removed, so that written data would be lost
   */
  #begin(): boolean {
    if (this.#writer.handle.inTransaction) return false;
    this.#files.require();
    try {
      this.#control.begin.run();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  #stillInTime(busy: readonly Waiting[]): readonly Waiting[] {
    const now = performance.now();
    return busy.filter(({ deadline, refuse }) => {
      if (now < deadline) return true;
      refuse(new DatabaseUnavailable('Another process has been writing to the database for too long'));
      return false;
    });
  }

  #drive<T>(act: Act<T>, tx: Transaction, span: Span | undefined): T {
    const { steps, step: first } = begun(act, tx);
    let step = first;
    while (step.done !== true) {
      let rows;
      let statement: Sql | Round | null = null;
      const begunAt = performance.now();
      try {
        statement = requireSql(step.value);
        rows = this.#rowsOf(statement);
        this.statements.took(statement, begunAt, span);
      } catch (fault) {
        if (statement !== null) this.statements.failed(statement, begunAt, fault, span);
        return fail(steps, fault);
      }
      step = steps.next(rows);
    }
    return step.value;
  }

  /** The rows of a statement, or a list of the rows of several statements. */
  #rowsOf(step: Sql | Round): readonly Row[] {
    if (step instanceof Sql) return this.#writer.all(step);
    const answers = step.statements.map((statement, index) => {
      step.failedAt = index;
      return this.#writer.all(statement);
    });
    return answers as unknown as readonly Row[];
  }
}
