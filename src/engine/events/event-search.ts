import { Injectable } from '@nestjs/common';
import type { Asker } from '../database/asker.js';
import { eachText } from '../database/bulk.js';
import { Database } from '../database/database.js';
import type { ScansOfOne } from '../database/long-reads.js';
import { sql, type Sql } from '../database/sql.js';
import { COLUMNS, EventLog } from './event-log.js';
import type { EventRow, StoreEvent } from './store-event.js';

/**
 * The maximum number of events that one search passes over. A search that stops at this number answers with the
 * position after which the next search continues.
 */
const MOST_PASSED = 10_000;
/**
 * The events in the log are not exactly in the order of their times, because acts overlap and clocks differ. A search
 * by time assumes that two events are in the right order if their times differ by more than this.
 */
const DISORDER_MS = 300_000;

const EARLIEST = new Date(0);
const LATEST = new Date(253_402_300_799_000);

export interface EventPeriod {
  /** Only events after this time; undefined for all. */
  readonly after: Date | undefined;
  /** Only events before this time; undefined for all. */
  readonly before: Date | undefined;
}

/**
 * The events of some types. With `entityId`, only the events about the resources with this id, which may be of several
 * kinds. With `kind` and `entityId`, only the events about one resource. `kind` without `entityId` has no effect.
 */
export interface EventSubject {
  readonly types: readonly string[];
  readonly kind: string | undefined;
  readonly entityId: number | undefined;
}

export interface Found {
  readonly events: readonly StoreEvent[];
  /** The position after which the next search begins. No event up to this position is left to find. */
  readonly next: number;
}

interface Ends {
  readonly oldest: number | null;
  readonly head: number | null;
}

/**
 * Finds events in the log. A search costs about the same in a log of any length, because it ends after a fixed number
 * of events.
 */
@Injectable()
export class EventSearch {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
  ) {}

  /**
   * The next events of a period, in the order of the log.
   *
   * @param subject null for all events. Then `next` does not depend on the types and ids of events, so it tells nothing
   * about events that the caller may not see.
   */
  async find(
    after: number,
    limit: number,
    { after: from, before }: EventPeriod,
    subject: EventSubject | null,
    asker: Asker,
  ): Promise<Found> {
    const { reads } = this.database;
    // The head is read before the events. So an event that is stored in the meantime is not skipped.
    const ends = await reads.one<Ends>(
      sql`SELECT (SELECT min(position) FROM events) AS oldest, (SELECT max(position) FROM events) AS head`,
    );
    const head = ends?.head ?? 0;
    const oldest = ends?.oldest ?? head + 1;
    const firstAt = (time: number) => this.firstAt(oldest, head, time);
    const begin = from === undefined ? 0 : (await firstAt(from.getTime() - DISORDER_MS)) - 1;
    const start = Math.max(after, begin);
    const end = before === undefined ? head : (await firstAt(before.getTime() + DISORDER_MS)) - 1;
    const scans = this.database.scans.of(asker);
    const last = await lastPassed(scans, start, end, subject, limit);
    const rows = await scans.all<EventRow>(
      this.statement(start, last, limit, { after: from, before }, subject),
    );
    const events = rows.map((row) => this.log.eventIn(row));
    const isFull = subject !== null && events.length === limit;
    const next = isFull ? (events.at(-1)?.position ?? last) : last === end ? head : last;
    return { events, next: Math.max(next, after) };
  }

  /**
   * The position of the first event at or after a time, as if the log were in the order of times. Each step reads one
   * row by its position, so the search needs no turn among the long reads.
   */
  private async firstAt(oldest: number, head: number, time: number): Promise<number> {
    let [low, high] = [oldest, head + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const event = await this.database.reads.one<Pick<EventRow, 'occurred_at'>>(
        sql`SELECT occurred_at FROM events WHERE position >= ${middle} ORDER BY position LIMIT 1`,
      );
      if (event !== undefined && new Date(event.occurred_at).getTime() < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private statement(
    start: number,
    last: number,
    limit: number,
    { after = EARLIEST, before = LATEST }: EventPeriod,
    subject: EventSubject | null,
  ): Sql {
    if (subject === null) {
      return sql`
        SELECT position, ${COLUMNS} FROM events WHERE position > ${start} AND position <= ${last}
          AND occurred_at > ${after} AND occurred_at < ${before} ORDER BY position`;
    }
    const { kind, entityId } = subject;
    const types = JSON.stringify(subject.types);
    if (kind === undefined || entityId === undefined) {
      const [lowest, highest] = [entityId ?? 0, entityId ?? Number.MAX_SAFE_INTEGER];
      return sql`
        SELECT position, ${COLUMNS} FROM events WHERE position > ${start} AND position <= ${last}
          AND type IN (SELECT value FROM ${eachText}(${types}))
          AND entity_id BETWEEN ${lowest} AND ${highest}
          AND occurred_at > ${after} AND occurred_at < ${before} ORDER BY position LIMIT ${limit}`;
    }
    return sql`
      SELECT position, ${COLUMNS} FROM events WHERE kind = ${kind} AND entity_id = ${entityId}
        AND position > ${start} AND position <= ${last} AND type IN (SELECT value FROM ${eachText}(${types}))
        AND occurred_at > ${after} AND occurred_at < ${before} ORDER BY position LIMIT ${limit}`;
  }
}

/** The last position that a search compares. */
async function lastPassed(
  scans: ScansOfOne,
  start: number,
  end: number,
  subject: EventSubject | null,
  limit: number,
): Promise<number> {
  if (subject === null) return Math.min(end, start + limit);
  const { kind, entityId } = subject;
  if (kind === undefined || entityId === undefined) return Math.min(end, start + MOST_PASSED);
  const last = await scans.one<{ position: number }>(sql`
    SELECT position FROM events WHERE kind = ${kind} AND entity_id = ${entityId}
      AND position > ${start} AND position <= ${end} ORDER BY position LIMIT 1 OFFSET ${MOST_PASSED - 1}`);
  return last?.position ?? end;
}
