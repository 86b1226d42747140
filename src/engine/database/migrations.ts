import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { withPatience } from './busy.js';
import { engineOf } from './engine.js';

/**
 * Runs the pending migrations in one transaction. Processes that start at the same time wait for one another. The first
 * process runs the migrations, and the others find nothing to do.
 *
 * @returns the names of the migrations that were run
 */
export async function migrate(dataSource: DataSource): Promise<readonly string[]> {
  const run = await alone(dataSource, (executor) => executor.executePendingMigrations());
  return run.map(({ name }) => name);
}

/** Reverts the newest migration. */
export async function revertLastMigration(dataSource: DataSource): Promise<void> {
  await alone(dataSource, (executor) => executor.undoLastMigration());
}

async function alone<T>(
  dataSource: DataSource,
  work: (executor: MigrationExecutor) => Promise<T>,
): Promise<T> {
  const queryRunner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, queryRunner);
  executor.transaction = 'none';
  try {
    // TypeORM rebuilds a table on SQLite to change it. With foreign keys on, this would delete rows of other tables
    // that refer to this table.
    await queryRunner.beforeMigration();
    await begin(queryRunner);
    try {
      const result = await work(executor);
      await requireSoundReferences(queryRunner);
      await queryRunner.query('COMMIT');
      return result;
    } catch (error) {
      await queryRunner.query('ROLLBACK');
      throw error;
    }
  } finally {
    await queryRunner.afterMigration();
    await queryRunner.release();
  }
}

async function begin(queryRunner: QueryRunner): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'sqlite') {
    await withPatience(() => queryRunner.query('BEGIN IMMEDIATE'));
    return;
  }
  await queryRunner.query('BEGIN');
  // The time-outs are switched off, because the migration of a large table may take long, and so may the wait for
  // another instance that migrates.
  await queryRunner.query('SET LOCAL statement_timeout = 0');
  await queryRunner.query('SET LOCAL lock_timeout = 0');
  await queryRunner.query(`SELECT pg_advisory_xact_lock(hashtext('store migrations'))`);
}

async function requireSoundReferences(queryRunner: QueryRunner): Promise<void> {
  if (engineOf(queryRunner.dataSource) !== 'sqlite') return;
  const dangling = (await queryRunner.query('PRAGMA foreign_key_check')) as {
    table: string;
    parent: string;
  }[];
  const first = dangling[0];
  if (first === undefined) return;
  throw new Error(
    `A migration left ${dangling.length} rows that refer to a missing row; the first refers from ${first.table} to ${first.parent}`,
  );
}
