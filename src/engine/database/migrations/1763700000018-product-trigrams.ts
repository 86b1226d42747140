import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';

/**
 * An index of trigrams for searches on PostgreSQL, if the server has the extension `pg_trgm` and the database user may
 * create extensions. Otherwise searches look at all rows. On SQLite, the next migration makes such an index (ADR 30).
 */
export class ProductTrigrams1763700000018 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) !== 'postgres') return;
    // The extension gets a schema of its own, which can be dropped as a whole. If the extension is already installed,
    // the index uses it from its present schema.
    await queryRunner.query(`
      DO $$
      DECLARE place name;
      BEGIN
        SELECT nspname INTO place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
          WHERE extname = 'pg_trgm';
        IF place IS NULL THEN
          place := 'store_trigrams';
          CREATE SCHEMA store_trigrams;
          CREATE EXTENSION pg_trgm SCHEMA store_trigrams;
        END IF;
        EXECUTE format('CREATE INDEX products_by_trigrams ON products USING gin (name_search %I.gin_trgm_ops)', place);
      EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
        NULL;
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) !== 'postgres') return;
    await queryRunner.query('DROP INDEX IF EXISTS products_by_trigrams');
    await queryRunner.query('DROP SCHEMA IF EXISTS store_trigrams CASCADE');
  }
}
