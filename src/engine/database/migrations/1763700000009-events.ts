import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { counter, id, instant, reference, tableColumns, text } from '../columns.js';
import { engineOf } from '../engine.js';

/**
 * The log of events. On SQLite an act writes into the log, and AUTOINCREMENT gives numbers without gaps, because acts
 * run one at a time, and a number that was rolled back is given again. On PostgreSQL acts write into the outbox, and
 * `sequence_events` moves committed events to the log.
 */
export class Events1763700000009 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const isSqlite = engineOf(queryRunner.dataSource) === 'sqlite';
    await queryRunner.createTable(
      new Table({
        name: 'events',
        columns: tableColumns(queryRunner, {
          position: isSqlite ? id() : reference({ primary: true }),
          type: text(),
          kind: text(),
          entity_id: reference(),
          entity_version: counter(),
          person_id: reference({ nullable: true }),
          data: text(),
          actor: text(),
          request_id: text({ nullable: true }),
          occurred_at: instant(),
        }),
      }),
    );
    // Most events concern no person, and need no index entry.
    await queryRunner.query(
      'CREATE INDEX events_by_person ON events (person_id) WHERE person_id IS NOT NULL',
    );
    if (!isSqlite) for (const statement of SEQUENCED) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'postgres') {
      await queryRunner.query('DROP FUNCTION sequence_events(integer)');
      await queryRunner.query('DROP TABLE event_outbox');
      await queryRunner.query('DROP TABLE event_log_head');
    }
    await queryRunner.dropTable('events');
  }
}

const COLUMNS = 'type, kind, entity_id, entity_version, person_id, data, actor, request_id, occurred_at';

/**
 * Moves events from the outbox to the log, in the order of (tx, id). The events of one entity swap places so that they
 * are in the order of its versions, because the transaction that began first may have changed the entity last. For the
 * same reason, a batch of `most` events is extended by the events of earlier versions of the same entities.
 */
const SEQUENCED = [
  `CREATE TABLE event_outbox (
    tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
    id bigint GENERATED ALWAYS AS IDENTITY,
    type text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    entity_id bigint NOT NULL,
    entity_version integer NOT NULL,
    person_id bigint,
    data text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    request_id text COLLATE "C",
    occurred_at timestamp(3) with time zone NOT NULL,
    PRIMARY KEY (tx, id)
  )`,
  // The number of the newest event. It stays when all events are purged. The lock of its row lets only one sequencer
  // work at a time.
  'CREATE TABLE event_log_head (position bigint NOT NULL)',
  'INSERT INTO event_log_head (position) VALUES (0)',
  // PostgreSQL makes a new plan at each call, because the outbox may be empty or have a million rows.
  `CREATE FUNCTION sequence_events(most integer) RETURNS integer
  LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
  DECLARE
    head bigint;
    count integer;
  BEGIN
    IF NOT EXISTS (SELECT FROM event_outbox) THEN RETURN 0; END IF;
    SELECT position INTO head FROM event_log_head FOR UPDATE;
    WITH first AS (
      SELECT tx, id, kind, entity_id, entity_version FROM event_outbox ORDER BY tx, id LIMIT most
    ), newest AS (
      SELECT kind, entity_id, max(entity_version) AS version FROM first GROUP BY kind, entity_id
    ), before AS (
      SELECT o.tx, o.id FROM event_outbox o JOIN newest USING (kind, entity_id) WHERE o.entity_version < version
    ), moved AS (
      DELETE FROM event_outbox WHERE (tx, id) IN (SELECT tx, id FROM first UNION SELECT tx, id FROM before)
      RETURNING *
    ), ranked AS (
      SELECT *,
        row_number() OVER (ORDER BY tx, id) AS place,
        row_number() OVER (PARTITION BY kind, entity_id ORDER BY tx, id) AS slot,
        row_number() OVER (PARTITION BY kind, entity_id ORDER BY entity_version, tx, id) AS turn
      FROM moved
    )
    INSERT INTO events (position, ${COLUMNS})
    SELECT head + slots.place, ${COLUMNS.replaceAll(/(\w+)/g, 'turns.$1')}
    FROM ranked slots JOIN ranked turns
      ON turns.kind = slots.kind AND turns.entity_id = slots.entity_id AND turns.turn = slots.slot;
    GET DIAGNOSTICS count = ROW_COUNT;
    UPDATE event_log_head SET position = head + count;
    PERFORM pg_notify('store_events', (head + count)::text);
    RETURN count;
  END $$`,
];
