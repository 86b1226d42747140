import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { withPatience } from './busy.js';
import { engineOf } from './engine.js';
import { DatabaseSettingsError } from './settings-error.js';
import { shownUrl } from '../config/shown-url.js';

/**
 * Runs the pending migrations. On PostgreSQL, each migration has a transaction of its own. So the lock of a table ends
 * with the migration that needs it, and not with the last migration. If a migration fails, the earlier migrations stay,
 * and the next start continues. On SQLite, all pending migrations share one transaction.
 *
 * A lock makes processes that start at the same time wait for one another. Each process holds this lock while it reads
 * which migrations are pending, and while it runs them. This lock belongs to the transaction, because a connection
 * pooler may give each transaction another session.
 *
 * @returns the names of the migrations that this process has run
 * @throws DatabaseSettingsError when another program has a table with the name of a table of the store. If it is not
 *   the table of an entity, the earlier tables of the store may have been added
 */
export async function migrate(dataSource: DataSource): Promise<readonly string[]> {
  const atOnce = engineOf(dataSource) === 'sqlite' ? Infinity : 1;
  return alone(dataSource, async (executor, queryRunner) => {
    const names: string[] = [];
    for (;;) {
      const run = await inTransaction(queryRunner, async () => {
        const all = await executor.getPendingMigrations();
        if (all.length > 0 && all.length === dataSource.migrations.length)
          await requireFreeNames(queryRunner);
        const pending = all.slice(0, atOnce);
        for (const migration of pending) {
          await executor.executeMigration(migration).catch((error: unknown) => {
            throw nameTaken(dataSource, error) ?? error;
          });
        }
        // The check reads every row that refers to another row, so it is left out if nothing was changed.
        if (pending.length > 0) await requireSoundReferences(queryRunner);
        return pending;
      });
      if (run.length === 0) return names;
      names.push(...run.map(({ name }) => name));
    }
  });
}

/** Reverts the newest migration. */
export async function revertLastMigration(dataSource: DataSource): Promise<void> {
  await alone(dataSource, (executor, queryRunner) =>
    inTransaction(queryRunner, async () => {
      await executor.undoLastMigration();
      await requireSoundReferences(queryRunner);
    }),
  );
}

async function alone<T>(
  dataSource: DataSource,
  work: (executor: MigrationExecutor, queryRunner: QueryRunner) => Promise<T>,
): Promise<T> {
  const queryRunner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, queryRunner);
  executor.transaction = 'none';
  try {
    // On SQLite, `beforeMigration` switches foreign keys off. TypeORM rebuilds a table to change it, and with foreign
    // keys on, this would delete rows of other tables that refer to this table.
    await queryRunner.beforeMigration();
    return await work(executor, queryRunner);
  } finally {
    await queryRunner.afterMigration();
    await queryRunner.release();
  }
}

async function inTransaction<T>(queryRunner: QueryRunner, steps: () => Promise<T>): Promise<T> {
  await begin(queryRunner);
  try {
    const result = await steps();
    await queryRunner.query('COMMIT');
    return result;
  } catch (error) {
    await queryRunner.query('ROLLBACK');
    throw error;
  }
}

async function begin(queryRunner: QueryRunner): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'sqlite') {
    await withPatience(() => queryRunner.query('BEGIN IMMEDIATE'));
    return;
  }
  await queryRunner.query('BEGIN');
  // The time-outs are switched off, because two things may take long: the migration of a large table, and the wait for
  // another instance that migrates.
  await queryRunner.query('SET LOCAL statement_timeout = 0');
  await queryRunner.query('SET LOCAL lock_timeout = 0');
  await queryRunner.query(`SELECT pg_advisory_xact_lock(hashtext('store migrations'))`);
}

/** Other programs may have tables in the same database, but not with the names of our tables. */
async function requireFreeNames(queryRunner: QueryRunner): Promise<void> {
  for (const { tableName } of queryRunner.dataSource.entityMetadatas)
    if (await queryRunner.hasTable(tableName)) throw ofAnotherProgram(queryRunner.dataSource, tableName);
}

/** The reason for an error of a migration, if this reason is a table of another program; otherwise null. */
function nameTaken(dataSource: DataSource, error: unknown): DatabaseSettingsError | null {
  const [, name] = /\b(?:relation|table) "?(\w+)"? already exists/.exec((error as Error).message) ?? [];
  return name === undefined ? null : ofAnotherProgram(dataSource, name, error);
}

function ofAnotherProgram({ options }: DataSource, table: string, cause?: unknown): DatabaseSettingsError {
  const database = options.type === 'postgres' ? shownUrl(options.url ?? '') : String(options.database);
  return new DatabaseSettingsError(
    `The database ${database} has a table ${table} of another program. ` +
      'Set STORE_DATABASE_URL to the URL of your store, or of a database without such a table.',
    { cause },
  );
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
    `A migration left rows that refer to a missing row, ${dangling.length} in total; the first of them is in ${first.table}, and refers to ${first.parent}`,
  );
}
