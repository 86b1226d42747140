import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { id, instant, reference, tableColumns, text } from '../columns.js';

/**
 * The moment from which the tokens of a holder are valid. Tokens that were issued before this moment are no longer
 * valid.
 */
export class Revocations1763700000013 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'revocations',
        columns: tableColumns(queryRunner, {
          id: id(),
          holder: text({ unique: true }),
          not_before: instant(),
          changed: reference(),
        }),
        indices: [new TableIndex({ name: 'revocations_by_change', columnNames: ['changed'] })],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('revocations');
  }
}
