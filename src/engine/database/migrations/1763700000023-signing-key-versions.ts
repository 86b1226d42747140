import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each change of a signing key raises its version. */
export class SigningKeyVersions1763700000023 implements MigrationInterface {
  // Plain SQL, because the schema builder would copy the whole table on SQLite.
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE signing_keys ADD COLUMN version integer NOT NULL DEFAULT 1');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE signing_keys DROP COLUMN version');
  }
}
