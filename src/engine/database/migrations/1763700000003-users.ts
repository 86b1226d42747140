import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { id, instant, tableColumns, text, version } from '../columns.js';
import { createCounts, dropCounts } from '../counts.js';

export class Users1763700000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'users',
        columns: tableColumns(queryRunner, {
          id: id(),
          name: text(),
          email: text(),
          email_key: text({ unique: true }),
          version: version(),
          created_at: instant(),
          updated_at: instant(),
        }),
      }),
    );
    await createCounts(queryRunner, 'users');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropCounts(queryRunner, 'users');
    await queryRunner.dropTable('users');
  }
}
