import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { tableColumns, text } from '../columns.js';

/** Settings of the data, not of a process, such as the currency of the prices. */
export class Settings1763700000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'settings',
        columns: tableColumns(queryRunner, { name: text({ unique: true }), value: text() }),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('settings');
  }
}
