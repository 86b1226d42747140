import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { id, instant, reference, tableColumns, text } from '../columns.js';

/** The keys that sign tokens, and one number that rises with every change that affects credentials. */
export class SigningKeys1763700000012 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'signing_keys',
        columns: tableColumns(queryRunner, {
          id: id(),
          kid: text({ unique: true }),
          private_key: text(),
          created_at: instant(),
          good_until: instant({ nullable: true }),
        }),
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'credential_changes',
        columns: tableColumns(queryRunner, { number: reference() }),
      }),
    );
    await queryRunner.query('INSERT INTO credential_changes (number) VALUES (0)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('credential_changes');
    await queryRunner.dropTable('signing_keys');
  }
}
