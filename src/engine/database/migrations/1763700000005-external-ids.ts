import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { reference, tableColumns, text } from '../columns.js';

/** Maps rows of another system to our rows. The fingerprint is made of the other system's row at the last import. */
export class ExternalIds1763700000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'external_ids',
        columns: tableColumns(queryRunner, {
          source: text({ primary: true }),
          kind: text({ primary: true }),
          external_id: text({ primary: true }),
          // There is no foreign key, so this entry stays when our row is deleted. Without the entry, the next import
          // would restore the deleted row.
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
