import { Table, type QueryRunner } from 'typeorm';
import { reference, tableColumns } from './columns.js';

type Kind = ReturnType<typeof reference>;
type OnDelete = 'CASCADE' | 'RESTRICT' | 'SET NULL';

/** A column with the id of a row of another table; see `createTable`. */
interface Reference extends Kind {
  readonly refersTo: { readonly table: string; readonly onDelete: OnDelete };
}

/** @param onDelete what happens to this row when the other row is deleted */
export function refersTo(table: string, onDelete: OnDelete, options: Kind = {}): Reference {
  return { ...reference(options), refersTo: { table, onDelete } };
}

/**
 * For migrations: creates a table. Each column of `refersTo` gets a foreign key and an index. The first column of the
 * primary key needs no index of its own.
 */
export async function createTable(
  queryRunner: QueryRunner,
  name: string,
  columns: Readonly<Record<string, Kind | Reference>>,
): Promise<void> {
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
        .map(({ column }) => ({ columnNames: [column] })),
    }),
  );
}
