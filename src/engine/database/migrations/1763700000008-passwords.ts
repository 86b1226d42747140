import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';

/** A user may have a password. Only a slow hash of it is stored. */
export class Passwords1763700000008 implements MigrationInterface {
  // The statements are written in SQL, because the schema builder would copy the whole table on SQLite.
  async up(queryRunner: QueryRunner): Promise<void> {
    const type = engineOf(queryRunner.dataSource) === 'sqlite' ? 'text' : 'text COLLATE "C"';
    await queryRunner.query(`ALTER TABLE users ADD COLUMN password_hash ${type}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN password_hash');
  }
}
