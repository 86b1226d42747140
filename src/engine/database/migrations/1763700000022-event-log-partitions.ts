import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';
import { sequenceEvents } from '../sequence-events.js';

/**
 * On PostgreSQL, the log of events is stored in partitions: tables `events_<first position>`. A partition holds about
 * as many events as a day has. So old events are removed by dropping a partition, and not row by row. SQLite keeps one
 * table. See ADR 58.
 */
export class EventLogPartitions1763700000022 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) !== 'postgres') return;
    for (const statement of [...PARTED, OPENED, SEQUENCED, DROPPED]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) !== 'postgres') return;
    for (const statement of [...WHOLE, sequenceEvents()]) await queryRunner.query(statement);
  }
}

const INDEXED = [
  'ALTER TABLE events ADD PRIMARY KEY (position)',
  // Most events concern no person, and need no index entry.
  'CREATE INDEX events_by_person ON events (person_id) WHERE person_id IS NOT NULL',
];
const LEAST = 10_000;
const MOST = 10_000_000;

const PARTED = [
  // A partition has the positions from `first` to the one before `next`.
  `CREATE TABLE event_log_partitions (
    first bigint PRIMARY KEY,
    next bigint NOT NULL,
    opened_at timestamp(3) with time zone NOT NULL DEFAULT now()
  )`,
  'ALTER INDEX events_by_person RENAME TO events_1_by_person',
  'ALTER TABLE events RENAME TO events_1',
  'CREATE TABLE events (LIKE events_1) PARTITION BY RANGE (position)',
  ...INDEXED,
  // The present log becomes the first partition. This partition also has room for the next 10,000 events (`LEAST`).
  `INSERT INTO event_log_partitions (first, next, opened_at)
    SELECT 1, position + ${LEAST + 1}, coalesce((SELECT occurred_at FROM events_1 ORDER BY position LIMIT 1), now())
    FROM event_log_head`,
  `DO $$ BEGIN
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_1 FOR VALUES FROM (1) TO (%s)',
      (SELECT next FROM event_log_partitions));
  END $$`,
];

/**
 * Opens the next partition. The next partition gets as many positions as the last partition would have used in a day,
 * but at most eight times as many as the last partition, and at most `MOST`. It gets at least `LEAST` positions, and at
 * least `fewest`, whatever the upper bounds are. The table is created first and then attached. So others can read and
 * write the log in the meantime (`CREATE TABLE … PARTITION OF` would stop them).
 */
const OPENED = `CREATE FUNCTION open_event_log_partition(fewest bigint) RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    last event_log_partitions;
    size bigint;
  BEGIN
    SELECT * INTO STRICT last FROM event_log_partitions ORDER BY first DESC LIMIT 1;
    size := (last.next - last.first) * least(8, 86400 / greatest(1, extract(epoch FROM now() - last.opened_at)));
    size := greatest(fewest, ${LEAST}, least(size, ${MOST}));
    EXECUTE format('CREATE TABLE events_%s (LIKE events INCLUDING ALL)', last.next);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_%1$s FOR VALUES FROM (%1$s) TO (%2$s)',
      last.next, last.next + size);
    INSERT INTO event_log_partitions (first, next) VALUES (last.next, last.next + size);
    RETURN last.next + size;
  END $$`;

/**
 * Counts the waiting events, and opens a partition if the batch might not fit into the last one. A batch may take more
 * than `most` events, but never more than all waiting events. Further events may be committed after the count, so
 * `most` is added to the count as a margin. If the batch still does not fit, the call fails, and the next call opens a
 * partition for it.
 */
const SEQUENCED = sequenceEvents(
  `
    waiting bigint;`,
  `
    SELECT count(*) + most INTO waiting FROM event_outbox;
    IF (SELECT max(next) FROM event_log_partitions) <= head + waiting THEN
      PERFORM open_event_log_partition(waiting);
    END IF;`,
);

/**
 * Drops the oldest partition if all of its events happened before a moment. It reads only the newest events of the
 * partition. This is enough, because an event can have a later time than the events after it only if transactions
 * overlapped.
 *
 * @returns
 * - `dropped`
 * - `due`: the partition will be old enough within a day; or it is old enough, but a long read of the log, such as a
 *   backup, still uses it; or another instance has just dropped it
 * - `none`: the partition is still being filled, or it is not old enough. So old events can only be removed row by row
 */
const DROPPED = `CREATE FUNCTION drop_event_log_partition(before timestamp with time zone) RETURNS text
  LANGUAGE plpgsql AS $$
  DECLARE
    oldest event_log_partitions;
    newest timestamp with time zone;
  BEGIN
    SELECT * INTO oldest FROM event_log_partitions ORDER BY first LIMIT 1;
    IF oldest.next > (SELECT position FROM event_log_head) THEN RETURN 'none'; END IF;
    EXECUTE format('SELECT max(occurred_at) FROM events_%s WHERE position >= $1', oldest.first)
      INTO newest USING oldest.next - ${LEAST};
    -- An event with a wrong time may be among the newest ones. The next partition was opened at the time of the server.
    newest := greatest(newest, (SELECT opened_at FROM event_log_partitions WHERE first = oldest.next));
    IF newest >= before + interval '1 day' THEN RETURN 'none'; END IF;
    IF newest >= before THEN RETURN 'due'; END IF;
    -- While this function waits for the lock, reads of the log wait too. So it waits only for a moment.
    PERFORM set_config('lock_timeout', '100ms', true);
    EXECUTE format('DROP TABLE events_%s', oldest.first);
    DELETE FROM event_log_partitions WHERE first = oldest.first;
    RETURN 'dropped';
  EXCEPTION WHEN lock_not_available OR undefined_table THEN
    -- Somebody uses the log, or another instance has just dropped the partition.
    RETURN 'due';
  END $$`;

const WHOLE = [
  'DROP FUNCTION drop_event_log_partition(timestamp with time zone)',
  'DROP FUNCTION open_event_log_partition(bigint)',
  'ALTER TABLE events RENAME TO events_in_partitions',
  'CREATE TABLE events (LIKE events_in_partitions)',
  'INSERT INTO events SELECT * FROM events_in_partitions',
  'DROP TABLE events_in_partitions',
  'DROP TABLE event_log_partitions',
  ...INDEXED,
];
