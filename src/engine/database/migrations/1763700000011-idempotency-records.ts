import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { instant, reference, tableColumns, text } from '../columns.js';

/** The results of requests with an `Idempotency-Key`. Records with data of a user are deleted with the user. */
export class IdempotencyRecords1763700000011 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'idempotency_records',
        columns: tableColumns(queryRunner, {
          id: text({ primary: true }),
          fingerprint: text(),
          result: text(),
          user_id: reference({ nullable: true }),
          expires_at: instant(),
        }),
        foreignKeys: [
          {
            columnNames: ['user_id'],
            referencedTableName: 'users',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
        indices: [
          { name: 'idempotency_records_by_user', columnNames: ['user_id'] },
          { name: 'idempotency_records_by_end', columnNames: ['expires_at'] },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('idempotency_records');
  }
}
