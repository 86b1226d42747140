import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { reference, tableColumns, text } from '../columns.js';

/** Which of our rows came from which row of another system, and what was in it when it was read last. */
export class ExternalIds1763700000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'external_ids',
        columns: tableColumns(queryRunner, {
          source: text({ primary: true }),
          kind: text({ primary: true }),
          external_id: text({ primary: true }),
          // No foreign key: what was deleted here is not to come back by the next import.
          entity_id: reference(),
          fingerprint: text(),
        }),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('external_ids');
  }
}
