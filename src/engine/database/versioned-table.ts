import type { Context, Precondition, Wanted } from '../contract/context.js';
import { kindOfEntity } from '../events/event-kinds.js';
import type { EventLog } from '../events/event-log.js';
import type { EventType } from '../events/topics.js';
import type { Page, Slice, Soon } from '../../generated/contract.js';
import type { CountedTable } from './counted-table.js';
import type { TableParts } from './table-parts.js';
import { EntityTable, type Keyed, type TableOptions, type Values } from './entity-table.js';
import type { Span } from './filtered-page.js';
import type { Piece } from './slices.js';
import type { Steps } from './sql.js';
import type { Transaction } from './transaction.js';

export interface Versioned extends Keyed {
  readonly version: number;
  readonly updatedAt?: Date;
}

type Guard = Pick<Context, 'precondition' | 'origin'>;

/**
 * The rows of an entity. A new row, each change of a shown value and each removal is an event. If the name of the
 * entity in the log is `category`, the events are `category.created`, `category.updated` and `category.deleted`. Each
 * change or removal is one act, which reads and locks the row, checks the precondition of the caller, writes the row,
 * and writes the event. The migration of the table calls `createCounts`.
 */
export class VersionedTable<E extends Versioned> extends EntityTable<E> {
  readonly #counted: CountedTable<E>;
  readonly #log: EventLog;
  readonly #name: string;

  constructor(parts: TableParts, entity: new () => E, options?: TableOptions<E>) {
    super(parts, entity, options);
    this.#counted = this.database.countedTables.of(entity);
    this.#log = parts.log;
    this.#name = kindOfEntity(entity).name;
  }

  override find(id: number): Soon<E | null> {
    return this.#counted.find(id);
  }

  /** A page in the order of ids. Every page costs the same, and the total is exact. */
  page({ page, limit }: Span): Soon<Page<E>> {
    return this.#counted.page((page - 1) * limit, limit);
  }

  /** The slice after or before a cursor, in the order of ids. The total is exact. */
  slice(piece: Piece): Promise<Slice<E>> {
    return this.#counted.slice(piece);
  }

  /** The rows with the highest ids, the highest first. */
  newest(limit: number): Promise<readonly E[]> {
    return this.#counted.newest(limit);
  }

  total(): Promise<number> {
    return this.#counted.total();
  }

  /**
   * Changes a row; null when there is no such row.
   *
   * @throws PreconditionFailed, PreconditionRequired
   * @throws Conflict, ValidationFailed or NotFound, as the contract states
   * @throws ValidationFailed or PatchConflict from `wanted`, if it is a function and the request does not fit the row
   */
  update(id: number, wanted: Wanted<Values<E>, E>, { precondition, origin }: Guard): Promise<E | null> {
    return this.database.unitOfWork.run((tx) => this.updating(tx, id, wanted, precondition), { origin });
  }

  /**
   * Removes a row and returns it as it was; null when there is no such row.
   *
   * @throws PreconditionFailed, PreconditionRequired
   * @throws Conflict when another row refers to the row
   */
  override delete(id: number, { precondition, origin }: Guard): Promise<E | null> {
    return this.database.unitOfWork.run((tx) => this.deleting(tx, id, precondition), { origin });
  }

  /** The steps of `update`. */
  *updating(
    tx: Transaction,
    id: number,
    wanted: Wanted<Values<E>, E>,
    precondition: Precondition,
  ): Steps<E | null> {
    const row = yield* this.lockAndCheck(id, precondition);
    return row && (yield* this.write(tx, row, typeof wanted === 'function' ? wanted(row) : wanted));
  }

  /** The steps of `delete`. */
  *deleting(tx: Transaction, id: number, precondition: Precondition): Steps<E | null> {
    const row = yield* this.lockAndCheck(id, precondition, true);
    if (row) yield* this.remove(tx, row);
    return row;
  }

  /** Reads and locks a row (see `lock`). @throws PreconditionFailed, PreconditionRequired */
  *lockAndCheck(id: number, precondition: Precondition, isRemoved = false): Steps<E | null> {
    const row = yield* this.lock(id, isRemoved);
    if (row) precondition.check(row, `The ${this.#name}`);
    return row;
  }

  override *insert(tx: Transaction, values: Values<E>): Steps<E> {
    const row = yield* super.insert(tx, values);
    yield* this.#tell(tx, 'created', row);
    return row;
  }

  override *write(tx: Transaction, row: E, values: Values<E>): Steps<E> {
    const changed = yield* super.write(tx, row, values);
    if (changed.version !== row.version) yield* this.#tell(tx, 'updated', changed);
    return changed;
  }

  override *remove(tx: Transaction, row: E): Steps<void> {
    yield* this.removeRow(row);
    yield* this.#tell(tx, 'deleted', this.removed(row));
  }

  /**
   * The row as the event of the removal shows it. The removal counts as one more version, so that the events of a row
   * have an order.
   */
  protected removed(row: E): E {
    return Object.assign(new this.entity(), row, { version: row.version + 1 });
  }

  #tell(tx: Transaction, what: string, row: E): Steps<void> {
    return this.#log.write(tx, `${this.#name}.${what}` as EventType, row as never);
  }
}
