import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Database } from '../../engine/database/database.js';
import { reserveIds } from '../../engine/database/bulk.js';
import { engineOf } from '../../engine/database/engine.js';
import { DatabaseUnavailable, faultOf, reasonOf } from '../../engine/database/faults.js';
import { type Act, ownOrigin, type Transaction } from '../../engine/database/transaction.js';
import { raw, run, type Engine, type Steps } from '../../engine/database/sql.js';
import type { Fault } from './raw-row.js';
import { ExternalIds, fingerprintOf, fingerprintWithNulls } from './external-ids.js';
import { ImportEvents } from './import-events.js';
import type { Kind } from './members.js';
import { OrdersTarget } from './orders.target.js';
import { ProductsTarget } from './products.target.js';
import type { StagedRow } from './staging.js';
import type { Changing, Target } from './target.js';
import { UsersTarget } from './users.target.js';

/**
 * The result of a row, or the faults of a row that was refused. `skipped`: the row was imported before, and was then
 * deleted in the store.
 */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | readonly Fault[];

type Also = (outcomes: readonly Outcome[]) => Steps<void>;

// oxlint-disable-next-line require-yield -- the command line adds no steps to a batch
function* nothing(): Steps<void> {}

const ATTEMPTS = 8;
const origin = ownOrigin('import');
const logger = new Logger('RowsImport');

interface Row extends Changing {
  readonly place: number;
  readonly fingerprint: string;
}

/**
 * Puts batches of rows into the store, each batch in one act. Either all rows of a batch that are not refused are
 * stored, together with their entries in `ExternalIds`, or nothing of the batch is stored.
 */
export class RowsImport {
  readonly #database: Database;
  readonly #kind: Kind;
  readonly #engine: Engine;
  readonly #externalIds: ExternalIds;
  readonly #target: Target<unknown>;
  readonly #events: ImportEvents | null;
  #created = 0;
  #analyseAt = 1;

  /** @param hasEvents whether an event is written for each row that is stored */
  constructor(database: Database, kind: Kind, source: string, hasEvents: boolean) {
    const { dataSource } = database;
    this.#database = database;
    this.#kind = kind;
    this.#engine = engineOf(dataSource);
    this.#externalIds = new ExternalIds(dataSource, source);
    this.#target = this.#targetOf(source);
    this.#events = hasEvents ? new ImportEvents(database, kind) : null;
  }

  #targetOf(source: string): Target<unknown> {
    const { dataSource } = this.#database;
    switch (this.#kind) {
      case 'products':
        return new ProductsTarget(dataSource);
      case 'users':
        return new UsersTarget(dataSource);
      default:
        return new OrdersTarget(dataSource, this.#engine, this.#externalIds, source);
    }
  }

  /**
   * @param isWriting whether the rows are written; if not, the outcomes are those that a write would have
   * @param also more steps of the same act
   * @returns the outcome of each row, in the order of the rows
   */
  async batch(
    rows: readonly StagedRow[],
    isWriting: boolean,
    also: Also = nothing,
  ): Promise<readonly Outcome[]> {
    const outcomes = await this.#repeat((tx) => this.#whole(tx, rows, isWriting, also));
    if (isWriting) await this.#keepStatistics(outcomes.filter((each) => each === 'created').length);
    return outcomes;
  }

  async #repeat<T>(act: Act<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#database.unitOfWork.run(act, { origin });
      } catch (error) {
        // Two kinds of failure are temporary, so there is another attempt. In the first kind, another act inserted or
        // deleted a row between our read and our write. The next attempt sees this change. In the second kind, the
        // database could not be used for a moment, and the batch may have been stored. Then the next attempt knows its
        // rows by their ids, so no row is stored twice.
        const { kind } = faultOf(error);
        const isPassing = error instanceof DatabaseUnavailable || kind === 'unique' || kind === 'foreign_key';
        if (!isPassing || attempt === ATTEMPTS) throw error;
      }
      await sleep(50 * attempt);
    }
  }

  /**
   * During an import, PostgreSQL does not notice in time that a table grows. It would make plans for an empty table,
   * and scan the whole table for every batch. So ANALYZE runs again whenever the number of created rows has
   * doubled. If ANALYZE fails, for example because another session has a lock, the import is only slower.
   */
  async #keepStatistics(created: number): Promise<void> {
    this.#created += created;
    if (this.#engine !== 'postgres' || this.#created < this.#analyseAt) return;
    this.#analyseAt = this.#created * 2;
    const tables = this.#kind === 'orders' ? 'orders, order_items' : this.#kind;
    try {
      await this.#database.unitOfWork.run(() => run(raw(`ANALYZE external_ids, ${tables}`, [])));
    } catch (error) {
      logger.warn({ reason: reasonOf(error) }, 'The statistics of the database could not be renewed.');
    }
  }

  *#whole(
    tx: Transaction,
    rows: readonly StagedRow[],
    isWriting: boolean,
    also: Also,
  ): Steps<readonly Outcome[]> {
    const outcomes = yield* this.#act(tx, rows, isWriting);
    yield* also(outcomes);
    if (outcomes.includes('updated')) yield* this.#target.conclude?.() ?? nothing();
    return outcomes;
  }

  *#act(tx: Transaction, staged: readonly StagedRow[], isWriting: boolean): Steps<readonly Outcome[]> {
    yield* this.#externalIds.lock(this.#kind);
    const known = yield* this.#externalIds.find(
      this.#kind,
      staged.map(({ id }) => id),
    );
    const outcomes: Outcome[] = [];
    const changing: Row[] = [];
    for (const [place, row] of staged.entries()) {
      const before = known.get(row.id);
      const fingerprint = fingerprintOf(row.data);
      if (before !== undefined && before.name === null) outcomes[place] = 'skipped';
      else if (before?.fingerprint === fingerprint) outcomes[place] = 'unchanged';
      else if (before?.fingerprint === fingerprintWithNulls(this.#kind, row.data)) {
        outcomes[place] = 'unchanged';
        if (isWriting) yield* this.#externalIds.renew(this.#kind, row.id, fingerprint);
      } else changing.push({ ...row, place, fingerprint, ownId: before?.entityId ?? null });
    }
    if (changing.length === 0) return outcomes;
    const resolved = yield* this.#target.resolve(changing);
    const created: { row: Row; stored: unknown }[] = [];
    const updated: number[] = [];
    const moved: number[] = [];
    for (const [index, row] of changing.entries()) {
      const stored = resolved[index];
      if (Array.isArray(stored)) {
        outcomes[row.place] = stored as readonly Fault[];
      } else if (row.ownId === null) {
        outcomes[row.place] = 'created';
        created.push({ row, stored });
      } else {
        outcomes[row.place] = 'updated';
        if (!isWriting) continue;
        updated.push(row.ownId);
        if (yield* this.#target.update(row.ownId, stored)) moved.push(row.ownId);
        yield* this.#externalIds.renew(this.#kind, row.id, row.fingerprint);
      }
    }
    const ids = isWriting && created.length > 0 ? yield* this.#insert(created) : [];
    if (isWriting && this.#events) yield* this.#events.tell(tx, { created: ids, updated, moved });
    return outcomes;
  }

  *#insert(created: readonly { row: Row; stored: unknown }[]): Steps<readonly number[]> {
    const ids = yield* reserveIds(this.#engine, this.#kind, created.length);
    yield* this.#target.insert(
      created.map(({ stored }, index) => ({ id: ids[index] as number, row: stored })),
    );
    yield* this.#externalIds.add(
      this.#kind,
      created.map(({ row }, index) => ({
        externalId: row.id,
        entityId: ids[index] as number,
        fingerprint: row.fingerprint,
      })),
    );
    return ids;
  }
}
