import { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { dataSourceOptions, openDataSource } from '../../../src/engine/database/data-source.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { migrate, revertLastMigration } from '../../../src/engine/database/migrations.js';
import { startApp } from '../../support/clients/app.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

describeOnEachEngine('the migrations of the store', (engine) => {
  /** The tables, columns, indexes, triggers and functions, as the database describes them. */
  async function schemaOf(dataSource: DataSource): Promise<unknown> {
    return engine === 'sqlite'
      ? dataSource.query(
          `SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`,
        )
      : dataSource.query(`
          SELECT 'column' AS kind, table_name || '.' || column_name AS name,
            concat_ws(' ', data_type, is_nullable, column_default, collation_name) AS what
          FROM information_schema.columns WHERE table_schema = 'public'
          UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes
            WHERE schemaname = 'public' AND tablename <> 'migrations'
          UNION ALL SELECT 'trigger', trigger_name || event_manipulation, action_statement
            FROM information_schema.triggers WHERE trigger_schema = 'public'
          UNION ALL SELECT 'routine', routine_name, NULL
            FROM information_schema.routines WHERE routine_schema = 'public'
          ORDER BY 1, 2`);
  }

  it('run up, down to an empty database, and up again with the same result', async () => {
    const { migrations } = await importedFeatures();
    const database = await freshDatabase(engine);
    const dataSource = await openDataSource(dataSourceOptions({ url: database.url, migrations }));
    try {
      const up = await schemaOf(dataSource);
      for (const _ of migrations) await revertLastMigration(dataSource);
      const down = (await schemaOf(dataSource)) as { name: string }[];
      expect(down.map(({ name }) => name).filter((name) => !/migrations/i.test(name))).toEqual([]);
      await migrate(dataSource);
      expect(await schemaOf(dataSource)).toEqual(up);
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });

  it('are the same in the application and in commands, which import only the entities and migrations of the features', async () => {
    const store = await startApp(engine);
    try {
      const run = await store.app.get(DataSource).query('SELECT name FROM migrations ORDER BY name');
      const { migrations } = await importedFeatures();
      expect(run).toEqual(migrations.map(({ name }) => ({ name })).toSorted(byName));
    } finally {
      await store.close();
    }
  });
});
