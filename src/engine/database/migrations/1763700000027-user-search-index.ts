import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchTextOf } from '../../values/search-text.js';
import { engineOf } from '../engine.js';
import { createPersonalTrigrams, dropTrigrams } from '../trigrams.js';

const BATCH = 1_000;

interface Named {
  readonly id: number | string;
  readonly name: string;
  readonly email: string;
}

/**
 * Computes the search texts of the existing users, and makes an index of their trigrams. On PostgreSQL, the index needs
 * the extension `pg_trgm`. The migration of the products has created it, if the database user may create extensions.
 * Without it, searches look at all users (ADR 30).
 */
export class UserSearchIndex1763700000027 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const isSqlite = engineOf(queryRunner.dataSource) === 'sqlite';
    // Changes of users wait, so that no text is computed from an old name. Reads and new orders of the users do not
    // wait.
    if (!isSqlite) await queryRunner.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    const update = isSqlite
      ? `UPDATE users SET search_text = new.value ->> 1 FROM json_each(?) AS new WHERE users.id = new.value ->> 0`
      : `UPDATE users SET search_text = new.value ->> 1 FROM json_array_elements($1::json) AS new (value)
           WHERE users.id = (new.value ->> 0)::bigint`;
    for (let last = 0; ;) {
      const users = (await queryRunner.query(
        `SELECT id, name, email FROM users WHERE id > ${last} ORDER BY id LIMIT ${BATCH}`,
      )) as readonly Named[];
      const end = users.at(-1);
      if (end === undefined) break;
      const texts = users.map(({ id, name, email }) => [Number(id), searchTextOf(name, email)]);
      await queryRunner.query(update, [JSON.stringify(texts)]);
      last = Number(end.id);
    }
    if (isSqlite) return createPersonalTrigrams(queryRunner, 'users', 'search_text');
    await queryRunner.query(`
      DO $$
      DECLARE place name;
      BEGIN
        SELECT nspname INTO place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
          WHERE extname = 'pg_trgm';
        IF place IS NOT NULL THEN
          EXECUTE format('CREATE INDEX users_by_trigrams ON users USING gin (search_text %I.gin_trgm_ops)', place);
        END IF;
      EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
        NULL;
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'sqlite') await dropTrigrams(queryRunner, 'users');
    else await queryRunner.query('DROP INDEX IF EXISTS users_by_trigrams');
  }
}
