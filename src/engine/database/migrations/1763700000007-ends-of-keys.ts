import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';

/**
 * An API key can end: at a time, or by revocation. After a change of its secret, the old and the new secret are both
 * valid for a while. The time of the last use of the key is stored. Each change of a key raises its version.
 */
export class EndsOfKeys1763700000007 implements MigrationInterface {
  // The statements are written in SQL, because the schema builder would copy the whole table on SQLite.
  async up(queryRunner: QueryRunner): Promise<void> {
    const isSqlite = engineOf(queryRunner.dataSource) === 'sqlite';
    const instant = isSqlite ? 'integer' : 'timestamp(3) with time zone';
    const text = isSqlite ? 'text' : 'text COLLATE "C"';
    for (const column of [
      'version integer NOT NULL DEFAULT 1',
      `expires_at ${instant}`,
      `revoked_at ${instant}`,
      `last_used_at ${instant}`,
      `previous_hash ${text}`,
      `previous_until ${instant}`,
    ]) {
      await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN ${column}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of [
      'previous_until',
      'previous_hash',
      'last_used_at',
      'revoked_at',
      'expires_at',
      'version',
    ]) {
      await queryRunner.query(`ALTER TABLE api_keys DROP COLUMN ${column}`);
    }
  }
}
