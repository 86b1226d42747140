import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the tokens that a client got for itself, to count them and to remove those that expire first. */
export class OAuthClientTokens1763700000029 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX oauth_artifacts_by_own_client ON oauth_artifacts (client_id, expires_at)
         WHERE model = 'ClientCredentials'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX oauth_artifacts_by_own_client');
  }
}
