import { Column, Entity, type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { onTestFinished } from 'vitest';
import {
  counter,
  flag,
  id,
  instant,
  money,
  tableColumns,
  text,
  version,
} from '../../../src/engine/database/columns.js';
import { createCounts, dropCounts } from '../../../src/engine/database/counts.js';
import { Database } from '../../../src/engine/database/database.js';
import { all, type Engine, one, run, sql } from '../../../src/engine/database/sql.js';
import type { Act } from '../../../src/engine/database/transaction.js';
import { type FreshDatabase, freshDatabase } from '../../support/fixtures/database.js';

@Entity('items')
export class Item {
  @Column(id()) id!: number;
  @Column(text({ unique: true })) name!: string;
  @Column(flag()) listed!: boolean;
  @Column(counter({ nullable: true })) stock!: number | null;
  @Column(money({ name: 'price_minor' })) priceMinor!: number;
  @Column(instant({ name: 'created_at', nullable: true })) createdAt!: Date | null;
  @Column(instant({ name: 'seen_at', nullable: true })) seenAt!: Date | null;
  @Column(version()) version!: number;
}

export class CreateItems1700000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'items',
        columns: tableColumns(queryRunner, {
          id: id(),
          name: text({ unique: true }),
          listed: flag({ default: true }),
          stock: counter({ nullable: true }),
          price_minor: money({ default: 0 }),
          created_at: instant({ nullable: true }),
          seen_at: instant({ nullable: true }),
          version: version(),
        }),
        checks: [{ name: 'items_price_not_negative', expression: 'price_minor >= 0' }],
      }),
    );
    await createCounts(queryRunner, 'items');
    // This foreign key is checked only at COMMIT. The store has no such key, but the unit of work must handle such a
    // key.
    await queryRunner.query(
      `CREATE TABLE links (item_id bigint NOT NULL REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED)`,
    );
    await queryRunner.query(`CREATE TABLE tags (item_id bigint NOT NULL REFERENCES items (id))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('tags');
    await queryRunner.dropTable('links');
    await dropCounts(queryRunner, 'items');
    await queryRunner.dropTable('items');
  }
}

/** A new migrated database, closed and dropped after the test. */
export async function itemsDatabase(engine: Engine): Promise<{ database: Database; fresh: FreshDatabase }> {
  const fresh = await freshDatabaseFor(engine);
  return { database: await openItems(fresh.url), fresh };
}

export async function freshDatabaseFor(engine: Engine): Promise<FreshDatabase> {
  const fresh = await freshDatabase(engine);
  onTestFinished(() => fresh.drop());
  return fresh;
}

export async function openItems(url: string): Promise<Database> {
  const database = await Database.open({ url, entities: [Item], migrations: [CreateItems1700000000000] });
  onTestFinished(async () => {
    if (database.dataSource.isInitialized) await database.close();
  });
  return database;
}

export function insert(name: string): Act<number> {
  return function* () {
    const row = yield* one<{ id: number }>(sql`INSERT INTO items (name) VALUES (${name}) RETURNING id`);
    return row?.id ?? 0;
  };
}

export const remove = (itemId: number): Act<void> =>
  function* () {
    yield* run(sql`DELETE FROM items WHERE id = ${itemId}`);
  };

export async function names(database: Database): Promise<string[]> {
  const rows = await database.unitOfWork.run(() =>
    all<{ name: string }>(sql`SELECT name FROM items ORDER BY id`),
  );
  return rows.map(({ name }) => name);
}

export async function namesRead(database: Database): Promise<string[]> {
  const rows = await database.reads.all<{ name: string }>(sql`SELECT name FROM items ORDER BY id`);
  return rows.map(({ name }) => name);
}

/** Calls `look` again and again while other things happen. Returns a function that stops these calls. */
export function watch(look: () => Promise<unknown>): () => Promise<void> {
  const state = { watching: true };
  const watching = (async () => {
    while (state.watching) {
      await look();
      await new Promise(setImmediate);
    }
  })();
  return async () => {
    state.watching = false;
    await watching;
  };
}
