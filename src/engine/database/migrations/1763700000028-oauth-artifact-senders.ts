import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * If an artifact belongs to no user and no client, its row names the sender of the request that stored it. So the
 * artifacts of one sender can be counted.
 */
export class OAuthArtifactSenders1763700000028 implements MigrationInterface {
  // The statements are written in SQL, because the schema builder would copy the whole table on SQLite.
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE oauth_artifacts ADD COLUMN sender text');
    await queryRunner.query(
      'CREATE INDEX oauth_artifacts_by_sender ON oauth_artifacts (sender, expires_at) WHERE sender IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX oauth_artifacts_by_sender');
    await queryRunner.query('ALTER TABLE oauth_artifacts DROP COLUMN sender');
  }
}
