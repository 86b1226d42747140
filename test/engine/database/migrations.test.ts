import type { MigrationInterface, QueryRunner } from 'typeorm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataSourceOptions, openDataSource } from '../../../src/engine/database/data-source.js';
import { Database } from '../../../src/engine/database/database.js';
import { migrate, revertLastMigration } from '../../../src/engine/database/migrations.js';
import { DatabaseSettingsError } from '../../../src/engine/database/settings-error.js';
import { sql } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import {
  CreateItems1700000000000,
  freshDatabaseFor,
  insert,
  Item,
  itemsDatabase,
  names,
  openItems,
} from './items.js';

class Broken1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE half_done (id integer)');
    await queryRunner.query('SELECT nonsense');
  }

  async down(): Promise<void> {}
}

class Mended1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE half_done (id integer)');
  }

  async down(): Promise<void> {}
}

const DANGLING = 'INSERT INTO tags (item_id) VALUES (7)';

/** SQLite does not refuse the row, because foreign keys are off while migrations run. */
class Dangling1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DANGLING);
  }

  async down(): Promise<void> {}
}

class DanglingDown1700000000001 implements MigrationInterface {
  async up(): Promise<void> {}

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DANGLING);
  }
}

describeOnEachEngine('migrations', (engine) => {
  it('run up, down and up again', async () => {
    const { database } = await itemsDatabase(engine);
    await database.unitOfWork.run(insert('a'));
    await revertLastMigration(database.dataSource);
    await expect(database.reads.all(sql`SELECT name FROM items`)).rejects.toThrow(/items/);
    await migrate(database.dataSource);
    await database.unitOfWork.run(insert('b'));
    expect(await names(database)).toEqual(['b']);
    expect((await database.countedTables.of(Item).page(0, 1)).total).toBe(1);
  });

  it('run once when several instances start together', async () => {
    const fresh = await freshDatabaseFor(engine);
    const started = await Promise.all(Array.from({ length: 4 }, () => openItems(fresh.url)));
    for (const [index, database] of started.entries()) await database.unitOfWork.run(insert(`${index}`));
    const [first] = started;
    expect(await first?.reads.all(sql`SELECT name FROM migrations`)).toEqual([
      { name: 'CreateItems1700000000000' },
    ]);
    expect(await first?.reads.all(sql`SELECT name FROM items`)).toHaveLength(4);
  });

  it('leave no change of a migration that fails, and run the corrected migration at the next start', async () => {
    const fresh = await freshDatabaseFor(engine);
    const migrations = [CreateItems1700000000000, Broken1700000000001];
    await expect(Database.open({ url: fresh.url, entities: [Item], migrations })).rejects.toThrow(/nonsense/);
    const dataSource = await openDataSource(dataSourceOptions({ url: fresh.url, migrations: [] }));
    // On SQLite, all pending migrations share one transaction.
    const left = engine === 'sqlite' ? [] : ['CreateItems1700000000000'];
    await expect(dataSource.query('SELECT id FROM half_done')).rejects.toThrow(/half_done/);
    const tables = await dataSource.createQueryRunner().hasTable('items');
    await dataSource.destroy();
    expect(tables).toBe(left.length > 0);
    const mended = await Database.open({
      url: fresh.url,
      entities: [Item],
      migrations: [CreateItems1700000000000, Mended1700000000001],
    });
    onTestFinished(() => mended.close());
    expect(mended.dataSource.migrated).toEqual(
      ['CreateItems1700000000000', 'Mended1700000000001'].filter((name) => !left.includes(name)),
    );
    expect(await names(mended)).toEqual([]);
    expect(await mended.reads.all(sql`SELECT id FROM half_done`)).toEqual([]);
  });
});

describeOnEachEngine('the first migrations', (engine) => {
  const openBeside = async (table: string) => {
    const { url } = await freshDatabaseFor(engine);
    const other = await openDataSource(dataSourceOptions({ url, migrations: [] }));
    onTestFinished(() => other.destroy());
    await other.query(`CREATE TABLE ${table} (other integer)`);
    return {
      other,
      opened: Database.open({ url, entities: [Item], migrations: [CreateItems1700000000000] }),
    };
  };

  it('are run in a database with the tables of another program', async () => {
    const database = await (await openBeside('cats')).opened;
    onTestFinished(() => database.close());
    expect(await names(database)).toEqual([]);
  });

  it('add nothing to a database in which another program has a table with the name of ours', async () => {
    const { other, opened } = await openBeside('items');
    await expect(opened).rejects.toThrow(/ has a table items of another program\./);
    await expect(opened).rejects.toBeInstanceOf(DatabaseSettingsError);
    expect(await other.createQueryRunner().hasTable('migrations')).toBe(false);
  });

  it('name a table of another program that has the name of a table without an entity', async () => {
    const { url } = await freshDatabaseFor(engine);
    const other = await openDataSource(dataSourceOptions({ url, migrations: [] }));
    onTestFinished(() => other.destroy());
    await other.query('CREATE TABLE items (other integer)');
    const opened = Database.open({ url, entities: [], migrations: [CreateItems1700000000000] });
    await expect(opened).rejects.toThrow(/ has a table items of another program\./);
    await expect(opened).rejects.toBeInstanceOf(DatabaseSettingsError);
  });
});

describe('migrations on SQLite', () => {
  it('fail if they leave a row that refers to a missing row', async () => {
    const fresh = await freshDatabaseFor('sqlite');
    const migrations = [CreateItems1700000000000, Dangling1700000000001];
    await expect(Database.open({ url: fresh.url, entities: [Item], migrations })).rejects.toThrow(
      'A migration left rows that refer to a missing row, 1 in total; the first of them is in tags, and refers to items',
    );
  });

  it('are not reverted if this leaves a row that refers to a missing row', async () => {
    const { url } = await freshDatabaseFor('sqlite');
    const migrations = [CreateItems1700000000000, DanglingDown1700000000001];
    const database = await Database.open({ url, entities: [Item], migrations });
    onTestFinished(() => database.close());
    await expect(revertLastMigration(database.dataSource)).rejects.toThrow('A migration left rows');
    expect(await database.reads.all(sql`SELECT item_id FROM tags`)).toEqual([]);
  });

  it('are not followed by a check of all rows when there was nothing to migrate', async () => {
    const { database, fresh } = await itemsDatabase('sqlite');
    await database.dataSource.query('PRAGMA foreign_keys = OFF');
    await database.dataSource.query(DANGLING);
    await database.close();
    // The check would find the row, and the start would fail.
    expect(await names(await openItems(fresh.url))).toEqual([]);
  });
});
