import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';
import { reference, tableColumns } from './columns.js';
import { createCounts, dropCounts } from './counts.js';

type Kind = ReturnType<typeof reference>;
type OnDelete = 'CASCADE' | 'RESTRICT' | 'SET NULL';

/** A column with the id of another row; see `createTable`. */
interface Reference extends Kind {
  readonly refersTo: { readonly table: string; readonly onDelete: OnDelete };
}

type Columns = Readonly<Record<string, Kind | Reference>>;

/**
 * A migration that creates tables in the given order, and calls `createCounts` for those in `counted`. It does nothing
 * else. Its `down` drops the tables, the last one first. See `createTable` for the columns.
 */
export abstract class NewTables implements MigrationInterface {
  abstract readonly tables: Readonly<Record<string, Columns>>;
  /** The tables that `VersionedTable` or `CountedTable` reads; see `createCounts`. */
  readonly counted: readonly string[] = [];

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(this.tables)) {
      // oxlint-disable-next-line no-await-in-loop -- a table may refer to the one before it
      await createTable(queryRunner, name, columns);
    }
    // oxlint-disable-next-line no-await-in-loop -- a connection runs one statement at a time
    for (const name of this.counted) await createCounts(queryRunner, name);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- a connection runs one statement at a time
    for (const name of this.counted.toReversed()) await dropCounts(queryRunner, name);
    // oxlint-disable-next-line no-await-in-loop -- a table may refer to the one before it
    for (const name of Object.keys(this.tables).toReversed()) await queryRunner.dropTable(name);
  }
}

/** @param onDelete what happens to a row when the row to which it refers is deleted */
export function refersTo(table: string, onDelete: OnDelete, options: Kind = {}): Reference {
  return { ...reference(options), refersTo: { table, onDelete } };
}

/**
 * For migrations: creates a table. Each column that `refersTo` makes gets a foreign key and an index. The first column
 * of the primary key needs no index of its own. If a later column of the primary key is a reference, its index has two
 * columns: this column, and then the first column of the primary key. So a table of pairs of ids can be read from both
 * sides (see `JoinTable`): for an id in either column, an index gives the pairs in the order of the other id.
 */
export async function createTable(queryRunner: QueryRunner, name: string, columns: Columns): Promise<void> {
  const references = Object.entries(columns).flatMap(([column, kind]) =>
    'refersTo' in kind ? [{ column, ...kind.refersTo }] : [],
  );
  const first = Object.keys(columns).find((column) => columns[column]?.primary === true);
  await queryRunner.createTable(
    new Table({
      name,
      columns: tableColumns(queryRunner, columns),
      foreignKeys: references.map(({ column, table, onDelete }) => ({
        columnNames: [column],
        referencedTableName: table,
        referencedColumnNames: ['id'],
        onDelete,
      })),
      indices: references
        .filter(({ column }) => column !== first)
        .map(({ column }) => ({
          columnNames: columns[column]?.primary === true && first ? [column, first] : [column],
        })),
    }),
  );
}
