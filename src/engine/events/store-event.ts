import type { Actor } from '../database/transaction.js';
import type { Span } from '../tracing/span.js';

/** The row of an event, as it is read. */
export interface EventRow {
  readonly position: number;
  readonly type: string;
  readonly kind: string;
  readonly entity_id: number;
  readonly entity_version: number;
  readonly data: string;
  readonly actor: string;
  readonly request_id: string | null;
  readonly occurred_at: Date | number;
}

const eventsBySnapshot = new WeakMap<object, StoreEvent>();

/** The event that has this entity as its snapshot; undefined if the entity is no snapshot. */
export function eventOf(entity: object): StoreEvent | undefined {
  return eventsBySnapshot.get(entity);
}

/** One event of the log. */
export class StoreEvent<E = unknown> {
  /** The span in which this process hands the event to its subscribers; null if no trace of the event is recorded. */
  delivery: Span | null = null;
  #snapshot: E | undefined;
  readonly #row: EventRow;
  readonly #read: (data: string) => E;

  constructor(row: EventRow, read: (data: string) => E) {
    this.#row = row;
    this.#read = read;
  }

  /**
   * The number of the event in the log. The numbers have no gaps. The number is also the cursor of a reader that has
   * received the event.
   */
  get position(): number {
    return this.#row.position;
  }

  /** The type of the event, such as `order.created`. */
  get type(): string {
    return this.#row.type;
  }

  /** The kind of the entity, such as `order`. */
  get kind(): string {
    return this.#row.kind;
  }

  get entityId(): number {
    return this.#row.entity_id;
  }

  /**
   * The version of the entity after the change. It never falls from one event of an entity to the next. One act may
   * write two events with the same version: an import does so when it changes the status of an order.
   */
  get version(): number {
    return this.#row.entity_version;
  }

  /**
   * The length of the stored data, in characters. The memory that the event takes grows with it; see
   * `BYTES_OF_A_CHARACTER` in event-feed.ts.
   */
  get size(): number {
    return this.#row.data.length;
  }

  /** The same event as a new object. The trace and the results that are kept for this object are not copied. */
  again(): StoreEvent<E> {
    return new StoreEvent(this.#row, this.#read);
  }

  get actor(): Actor {
    return JSON.parse(this.#row.actor) as Actor;
  }

  get requestId(): string | null {
    return this.#row.request_id;
  }

  get occurredAt(): Date {
    return new Date(this.#row.occurred_at);
  }

  /**
   * The entity as it was right after the change. The object is made at the first access, because most events have no
   * reader. All readers get the same object, because some events have many readers.
   */
  get snapshot(): E {
    if (this.#snapshot === undefined) {
      this.#snapshot = this.#read(this.#row.data);
      eventsBySnapshot.set(this.#snapshot as object, this);
    }
    return this.#snapshot;
  }
}
