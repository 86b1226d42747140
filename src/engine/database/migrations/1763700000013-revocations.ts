import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { id, instant, reference, tableColumns, text } from '../columns.js';

/**
 * The revocation of the tokens of a holder, which is a user, a client or a subject of an outside issuer. Tokens that
 * were issued up to the moment `not_before` are no longer valid.
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
