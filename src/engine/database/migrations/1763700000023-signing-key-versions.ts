import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';

/** Each change of a signing key raises its version. A revoked key is marked. */
export class SigningKeyVersions1763700000023 implements MigrationInterface {
  // The statements are written in SQL, because the schema builder would copy the whole table on SQLite.
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE signing_keys ADD COLUMN version integer NOT NULL DEFAULT 1');
    const instant = engineOf(queryRunner.dataSource) === 'sqlite' ? 'bigint' : 'timestamp(3) with time zone';
    await queryRunner.query(`ALTER TABLE signing_keys ADD COLUMN revoked_at ${instant}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE signing_keys DROP COLUMN revoked_at');
    await queryRunner.query('ALTER TABLE signing_keys DROP COLUMN version');
  }
}
