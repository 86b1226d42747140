import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';

/** An index that finds the events of one resource in the order of the log. See ADR 63. */
export class EventsByEntity1763700000025 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // On SQLite, the last part of each entry of an index is the row id, which is the position.
    const columns =
      engineOf(queryRunner.dataSource) === 'sqlite' ? 'kind, entity_id' : 'kind, entity_id, position';
    await queryRunner.query(`CREATE INDEX events_by_entity ON events (${columns})`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX events_by_entity');
  }
}
