import type { DataSource, EntityMetadata } from 'typeorm';
import { Text, type Row } from './sql.js';

type Compiled<E> = ((row: Row) => E) & ((values: readonly unknown[]) => E);
type ColumnMetadata = EntityMetadata['columns'][number];

/** Converts rows of handwritten SQL to entities. It is compiled once from TypeORM's metadata. */
export interface Mapping<E> {
  readonly table: string;
  /**
   * The columns of the entity, for `SELECT ${columns}` and `RETURNING ${columns}`. They are never `*`. With `*`, a
   * column that a newer release adds would change the result type of prepared statements of this process, and
   * PostgreSQL refuses this change.
   */
  readonly columns: Text;
  readonly fromRow: (row: Row) => E;
  /** Makes an entity from bare values, in the order of `columns`. */
  readonly fromValues: (values: readonly unknown[]) => E;
}

/** Columns with `select: false` are written and searched, but not read. */
export function mappingOf<E extends object>(dataSource: DataSource, entity: new () => E): Mapping<E> {
  const { tableName, columns } = dataSource.getMetadata(entity);
  const read = columns.filter((column) => column.isSelect);
  return {
    table: tableName,
    columns: new Text(read.map((column) => column.databaseName).join(', ')),
    fromRow: compile(entity, read, (column) => JSON.stringify(column.databaseName)),
    fromValues: compile(entity, read, (_column, index) => String(index)),
  };
}

/**
 * Generates straight-line code, which makes objects of one shape. A loop over names makes the JavaScript engine look up
 * every name, which costs as much as reading the row. The text contains only names from our own entities.
 *
 * On SQLite, an instant that equals the first instant of its row shares the `Date` of that instant. A row that
 * was never changed usually has equal times of creation and last change, so it needs only one `Date`. A `Date` takes as
 * much memory as the entity.
 */
function compile<E>(
  entity: new () => E,
  columns: readonly ColumnMetadata[],
  key: (column: ColumnMetadata, index: number) => string,
): Compiled<E> {
  const converters = columns.map(conversion);
  const lines = columns.map((column, index) => {
    const value = `source[${key(column, index)}]`;
    const name = JSON.stringify(column.propertyName);
    if (converters[index] === undefined) return `entity[${name}] = ${value};`;
    const converted = `${value} == null ? ${value} : converters[${index}](${value})`;
    const first = columns.findIndex(
      ({ transformer }) => transformer !== undefined && transformer === column.transformer,
    );
    const twin = columns[first];
    if (twin === undefined || twin === column) return `entity[${name}] = ${converted};`;
    const shared = `entity[${JSON.stringify(twin.propertyName)}]`;
    return `entity[${name}] = ${value} === source[${key(twin, first)}] ? ${shared} : ${converted};`;
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- see above
  return new Function(
    'Entity',
    'converters',
    `return (source) => { const entity = new Entity(); ${lines.join(' ')} return entity; };`,
  )(entity, converters) as Compiled<E>;
}

function conversion(column: ColumnMetadata): ((value: unknown) => unknown) | undefined {
  // PostgreSQL already gives booleans; the comparison does not change them.
  if (column.type === 'boolean') return (value) => value === true || value === 1;
  const { transformer } = column;
  if (transformer === undefined) return undefined;
  if (Array.isArray(transformer)) throw new TypeError(`${column.propertyPath} has several transformers`);
  return (value): unknown => transformer.from(value);
}
