import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The line at which an import failed, in the file of the import. */
export class LinesOfFailedImports1763700000026 implements MigrationInterface {
  // The statements are written in SQL, because the schema builder would copy the whole table on SQLite.
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE imports ADD COLUMN problem_line integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE imports DROP COLUMN problem_line');
  }
}
