import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { snapshotsOf, type Snapshots } from '../database/snapshots.js';
import { all, later, one, run, sql, Text, type Steps, UNPLANNED } from '../database/sql.js';
import type { Transaction } from '../database/transaction.js';
import { Causes } from './causes.js';
import { kindOf, type EventKind } from './event-kinds.js';
import { StoreEvent, type EventRow } from './store-event.js';
import type { EventType, EventTypes } from './topics.js';

interface Entity {
  readonly id: number;
  readonly version: number;
}

// On PostgreSQL, an event gets its number only after the commit. Until it has a number, it waits in the outbox.
const WRITTEN = new Text('events', 'event_outbox');
/** The columns of the log, without the position. */
export const COLUMNS = new Text(
  'type, kind, entity_id, entity_version, person_id, data, actor, request_id, occurred_at',
);
const EACH = new Text('json_each', 'json_array_elements');
const [ID, VERSION, DATA, PERSON] = [
  new Text('value ->> 0', '(value ->> 0)::bigint'),
  new Text('value ->> 1', '(value ->> 1)::integer'),
  new Text('value ->> 2'),
  new Text('value ->> 3', '(value ->> 3)::bigint'),
];
const [AS_TEXT, AS_INSTANT] = [new Text('', '::text'), new Text('', '::timestamptz')];
/** An expression for the position of the newest event that was ever in the log; 0 before the first event. */
export const HEAD = new Text(
  `coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)`,
  '(SELECT position FROM event_log_head)',
);
/**
 * `outbox` counts at most this number of events, because a scrape of the metrics must be cheap even while the outbox
 * grows.
 */
const MOST_COUNTED = 10_000;
const PATCHED = new Text('json_patch(data, ', '(data::jsonb || ');
const PATCH_END = new Text(')', '::jsonb)::text');

/**
 * The changes of the data, numbered without gaps. So a reader that has read up to a position has missed no earlier
 * event. An event is in the log if and only if its act was committed. See ADR 12.
 */
@Injectable()
export class EventLog {
  readonly causes = new Causes();
  readonly #snapshots = new WeakMap<EventKind, Snapshots<object>>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly database: Database) {}

  /** Writes an event. Call this in the act that changed the entity, with the present state of the entity. */
  *write<T extends EventType>(tx: Transaction, type: T, entity: EventTypes[T] & Entity): Steps<void> {
    const kind = requireKind(type);
    const { actor, requestId } = tx.origin;
    yield* later(sql`
      INSERT INTO ${WRITTEN} (${COLUMNS})
      VALUES (${type}, ${kind.name}, ${entity.id}, ${entity.version}, ${personIn(kind, entity.id)}, ${this.#snapshotsOf(kind).write(entity)},
        ${JSON.stringify(actor)}, ${requestId}, ${new Date()})`);
    this.#remember(tx);
    tx.afterCommit(this.#announce);
  }

  /** Writes the events of many entities in one statement. */
  *writeAll<T extends EventType>(
    tx: Transaction,
    type: T,
    entities: readonly (EventTypes[T] & Entity)[],
  ): Steps<void> {
    if (entities.length === 0) return;
    const kind = requireKind(type);
    const { write } = this.#snapshotsOf(kind);
    const { actor, requestId } = tx.origin;
    const rows = JSON.stringify(
      entities.map((entity) => [entity.id, entity.version, write(entity), personIn(kind, entity.id)]),
    );
    yield* later(sql`
      INSERT INTO ${WRITTEN} (${COLUMNS})
      SELECT ${type}${AS_TEXT}, ${kind.name}${AS_TEXT}, ${ID}, ${VERSION}, ${PERSON}, ${DATA},
        ${JSON.stringify(actor)}${AS_TEXT}, ${requestId}${AS_TEXT}, ${new Date()}${AS_INSTANT}
      FROM ${EACH}(${rows}${new Text('', '::json')})`);
    this.#remember(tx);
    tx.afterCommit(this.#announce);
  }

  /**
   * Overwrites members in all snapshots of a person. The act must have locked the row of the person, so that no other
   * act writes an event about the person at the same time.
   *
   * @param members such as `{ email: '' }`
   */
  *overwrite({ engine }: Transaction, personId: number, members: object): Steps<void> {
    const patch = JSON.stringify(members);
    // The outbox comes first, because its statement waits for an event that is being moved to the log. The next
    // statement then finds the event in the log.
    if (engine === 'postgres') {
      yield* run(sql`
        UPDATE event_outbox SET data = ${PATCHED}${patch}${PATCH_END} WHERE person_id = ${personId}`);
    }
    yield* run(sql`
      UPDATE events SET data = ${PATCHED}${patch}${PATCH_END} WHERE person_id = ${personId}`);
  }

  /** At most `limit` events after a position, in order. */
  async after(position: number, limit: number): Promise<readonly StoreEvent[]> {
    const rows = await this.database.replicaReads.all<EventRow>(sql`
      SELECT position, ${COLUMNS} FROM events
      WHERE position > ${position} ORDER BY position LIMIT ${UNPLANNED} ${limit}`);
    return rows.map((row) => this.eventIn(row));
  }

  /**
   * At most `limit` events after a position, in order, with at most `bytes` bytes together, but at least one event. The
   * database reads the data of the returned events only. To choose them, it needs only the lengths of texts, which are
   * stored before the texts.
   */
  async page(position: number, limit: number, bytes: number): Promise<readonly StoreEvent[]> {
    const rows = await this.database.replicaReads.all<EventRow>(sql`
      SELECT position, ${COLUMNS} FROM events WHERE position > ${position} AND position <= (
        SELECT max(position) FROM (
          SELECT position, row_number() OVER (ORDER BY position) AS place, sum(size) OVER (ORDER BY position) AS bytes FROM (
            SELECT position, octet_length(data) AS size FROM events
            WHERE position > ${position} ORDER BY position LIMIT ${limit}) AS sizes) AS sums
        WHERE bytes <= ${bytes} OR place = 1)
      ORDER BY position`);
    return rows.map((row) => this.eventIn(row));
  }

  /** The position of the newest event that was ever in the log; 0 before the first one. */
  async latest(): Promise<number> {
    const row = await this.database.reads.one<{ position: number }>(sql`SELECT ${HEAD} AS position`);
    return row?.position ?? 0;
  }

  /**
   * The number of events in the outbox, up to a bound, and the age of the oldest one in seconds. On SQLite there is no
   * outbox.
   */
  async outbox(): Promise<{ readonly length: number; readonly ageSeconds: number }> {
    const row = await this.database.reads.one<{ length: number; age: number | null }>(sql`
      SELECT count(*) AS length, extract(epoch FROM now() - min(occurred_at))::float8 AS age
      FROM (SELECT occurred_at FROM event_outbox ORDER BY tx, id LIMIT ${MOST_COUNTED}) AS oldest`);
    return { length: row?.length ?? 0, ageSeconds: Math.max(0, row?.age ?? 0) };
  }

  /**
   * The position of the oldest kept event, or of the next event when none is kept. A reader that has not read all
   * events before this position has missed some of them, and can no longer get them.
   */
  async oldest(): Promise<number> {
    const row = await this.database.reads.one<{ position: number }>(sql`
      SELECT coalesce((SELECT min(position) FROM events), ${HEAD} + 1) AS position`);
    return row?.position ?? 1;
  }

  /**
   * Removes the oldest events that happened before a moment. It never removes an event that comes after a kept event.
   * On PostgreSQL, it drops the oldest partition of the log, if all events of this partition are old enough. If they
   * will be old enough within a day, or if the partition is in use, nothing is removed now. In all other cases, and on
   * SQLite, it deletes rows one by one.
   *
   * @param most the maximum number of events that are deleted one by one; a small number keeps other acts from waiting
   *   long
   * @returns the number of removed events; `most` if a partition was dropped
   */
  purge(before: Date, most: number): Promise<number> {
    return this.database.unitOfWork.run(function* ({ engine }) {
      if (engine === 'postgres') {
        const dropped = yield* one<{ state: string }>(
          sql`SELECT drop_event_log_partition(${before}) AS state`,
        );
        if (dropped?.state !== 'none') return dropped?.state === 'dropped' ? most : 0;
      }
      const rows = yield* all<Pick<EventRow, 'position' | 'occurred_at'>>(
        sql`SELECT position, occurred_at FROM events ORDER BY position LIMIT ${most}`,
      );
      const kept = rows.findIndex(({ occurred_at }) => new Date(occurred_at) >= before);
      const old = kept === -1 ? rows : rows.slice(0, kept);
      const last = old.at(-1);
      if (last) yield* run(sql`DELETE FROM events WHERE position <= ${last.position}`);
      return old.length;
    });
  }

  /**
   * Calls `listener` after the commit of an act of this process, once for each `write` and `writeAll` of the act. On
   * PostgreSQL the events are then in the outbox.
   */
  onWrite(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #remember(tx: Transaction): void {
    const { span, requestId } = tx.origin;
    if (span !== null && requestId !== null) tx.afterCommit(() => this.causes.add(requestId, span));
  }

  readonly #announce = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** The event of a row of the log. */
  eventIn(row: EventRow): StoreEvent {
    return new StoreEvent(row, this.#readerOf(row.type));
  }

  #readerOf(type: string): (data: string) => unknown {
    const kind = kindOf(type);
    return kind ? this.#snapshotsOf(kind).read : (data) => JSON.parse(data) as unknown;
  }

  #snapshotsOf(kind: EventKind): Snapshots<object> {
    let snapshots = this.#snapshots.get(kind);
    if (snapshots === undefined) {
      snapshots = snapshotsOf(this.database.dataSource, kind.entity, kind.lists);
      this.#snapshots.set(kind, snapshots);
    }
    return snapshots;
  }
}

function personIn({ isPerson }: EventKind, id: number): number | null {
  return isPerson === true ? id : null;
}

function requireKind(type: string): EventKind {
  const kind = kindOf(type);
  if (kind === undefined) throw new TypeError(`No feature has defined the event ${type}.`);
  return kind;
}
