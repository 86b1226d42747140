import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { id, instant, tableColumns, text } from '../columns.js';

export class ApiKeys1763700000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'api_keys',
        columns: tableColumns(queryRunner, {
          id: id(),
          name: text(),
          secret_hash: text(),
          scopes: text(),
          created_at: instant(),
        }),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('api_keys');
  }
}
