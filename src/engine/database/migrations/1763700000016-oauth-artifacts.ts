import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { instant, reference, tableColumns, text } from '../columns.js';

/**
 * The data of the authorization server: sessions, codes, tokens and consents of users. The key of a row is its model
 * and a hash of its id, because most ids are secrets.
 */
export class OAuthArtifacts1763700000016 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'oauth_artifacts',
        columns: tableColumns(queryRunner, {
          model: text({ primary: true }),
          id_hash: text({ primary: true }),
          payload: text(),
          uid_hash: text({ nullable: true }),
          grant_hash: text({ nullable: true }),
          user_id: reference({ nullable: true }),
          client_id: text({ nullable: true }),
          expires_at: instant({ nullable: true }),
          consumed_at: instant({ nullable: true }),
        }),
        foreignKeys: [
          {
            name: 'oauth_artifacts_user',
            columnNames: ['user_id'],
            referencedTableName: 'users',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
        indices: ['uid_hash', 'grant_hash', 'user_id', 'client_id', 'expires_at'].map(
          (column) => new TableIndex({ name: `oauth_artifacts_by_${column}`, columnNames: [column] }),
        ),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('oauth_artifacts');
  }
}
