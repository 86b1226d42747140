import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { counter, id, instant, reference, tableColumns, text } from '../columns.js';
import { engineOf } from '../engine.js';
import { sequenceEvents } from '../sequence-events.js';

/**
 * The log of events. On SQLite an act writes into the log. AUTOINCREMENT gives numbers without gaps, because acts run
 * one at a time, and a number that was rolled back is given again. On PostgreSQL acts write into the outbox, and
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
  sequenceEvents(),
];
