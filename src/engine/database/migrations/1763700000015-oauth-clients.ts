import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { flag, id, instant, tableColumns, text, version } from '../columns.js';

export class OAuthClients1763700000015 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'oauth_clients',
        columns: tableColumns(queryRunner, {
          id: id(),
          client_id: text({ unique: true }),
          name: text(),
          secret_hash: text({ nullable: true }),
          previous_hash: text({ nullable: true }),
          previous_until: instant({ nullable: true }),
          redirect_uris: text(),
          grant_types: text(),
          scopes: text(),
          may_introspect: flag(),
          version: version(),
          created_at: instant(),
          revoked_at: instant({ nullable: true }),
        }),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('oauth_clients');
  }
}
