import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';
import { createTrigrams, dropTrigrams } from '../trigrams.js';

/**
 * An index of trigrams for searches on SQLite. For a million products, its creation takes about ten seconds, and its
 * size is 120 MB.
 */
export class ProductTrigramsOnSqlite1763700000019 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'sqlite')
      await createTrigrams(queryRunner, 'products', 'name_search');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'sqlite') await dropTrigrams(queryRunner, 'products');
  }
}
