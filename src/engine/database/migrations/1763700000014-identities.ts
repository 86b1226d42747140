import {
  type MigrationInterface,
  type QueryRunner,
  Table,
  TableForeignKey,
  TableIndex,
  TableUnique,
} from 'typeorm';
import { id, instant, reference, tableColumns, text, version } from '../columns.js';

/** Maps the subjects of outside issuers to users. */
export class Identities1763700000014 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'identities',
        columns: tableColumns(queryRunner, {
          id: id(),
          issuer: text(),
          subject: text(),
          user_id: reference(),
          version: version(),
          created_at: instant(),
        }),
        uniques: [new TableUnique({ name: 'identities_of_issuers', columnNames: ['issuer', 'subject'] })],
        foreignKeys: [
          new TableForeignKey({
            columnNames: ['user_id'],
            referencedTableName: 'users',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          }),
        ],
        indices: [new TableIndex({ name: 'identities_by_user', columnNames: ['user_id'] })],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('identities');
  }
}
