import type { DataSource, EntityMetadata } from 'typeorm';
import { Text, type Row } from './sql.js';

type Compiled<E> = ((row: Row) => E) & ((values: readonly unknown[]) => E);
type ColumnMetadata = EntityMetadata['columns'][number];

/** The way between the rows of handwritten SQL and an entity, compiled once from TypeORM's metadata. */
export interface Mapping<E> {
  readonly table: string;
  /**
   * The columns of the entity, for `SELECT ${columns}` and `RETURNING ${columns}`. Never `*`: a column that a newer
   * release adds would change the result of statements that this process has prepared, which PostgreSQL refuses.
   */
  readonly columns: Text;
  readonly fromRow: (row: Row) => E;
  /** From bare values, in the order of `columns`. */
  readonly fromValues: (values: readonly unknown[]) => E;
}

/** Columns with `select: false` are written, and searched, but are no part of what is read. */
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
 * Straight-line code makes objects of one shape; a loop over names makes the engine look every name up, which costs
 * as much as reading the row. Only names from our own entities are in the text.
 */
function compile<E>(
  entity: new () => E,
  columns: readonly ColumnMetadata[],
  key: (column: ColumnMetadata, index: number) => string,
): Compiled<E> {
  const converters = columns.map(conversion);
  const lines = columns.map((column, index) => {
    const value = `source[${key(column, index)}]`;
    const converted = converters[index]
      ? `${value} == null ? ${value} : converters[${index}](${value})`
      : value;
    return `entity[${JSON.stringify(column.propertyName)}] = ${converted};`;
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- see above
  return new Function(
    'Entity',
    'converters',
    `return (source) => { const entity = new Entity(); ${lines.join(' ')} return entity; };`,
  )(entity, converters) as Compiled<E>;
}

function conversion(column: ColumnMetadata): ((value: unknown) => unknown) | undefined {
  // PostgreSQL gives booleans already; the comparison leaves them as they are.
  if (column.type === 'boolean') return (value) => value === true || value === 1;
  const { transformer } = column;
  if (transformer === undefined) return undefined;
  if (Array.isArray(transformer)) throw new TypeError(`${column.propertyPath} has several transformers`);
  return (value): unknown => transformer.from(value);
}
