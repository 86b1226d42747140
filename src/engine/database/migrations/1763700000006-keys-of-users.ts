import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An API key may belong to a user. An API key without a user belongs to a client of the interface. */
export class KeysOfUsers1763700000006 implements MigrationInterface {
  // The statements are written in SQL, because the schema builder would copy the whole table on SQLite.
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE api_keys ADD COLUMN user_id bigint REFERENCES users (id) ON DELETE CASCADE',
    );
    await queryRunner.query('CREATE INDEX api_keys_by_user ON api_keys (user_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX api_keys_by_user');
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN user_id');
  }
}
