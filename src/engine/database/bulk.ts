import type { DataSource, EntityMetadata } from 'typeorm';
import { engineOf } from './engine.js';
import { all, one, run, type Sql, sql, Text, type Engine, type Steps } from './sql.js';

type ColumnMetadata = EntityMetadata['columns'][number];

/**
 * One INSERT statement for any number of rows. The rows are one JSON parameter, so the statement does not depend on
 * their number, and the engines' limits of parameters do not matter. All columns of the entity are written; absent
 * values are NULL. A few thousand rows at once are a good size.
 */
export class BulkInsert<E extends object> {
  readonly #columns: readonly ColumnMetadata[];
  readonly #text: TemplateStringsArray;

  constructor(dataSource: DataSource, entity: new () => E) {
    const { tableName, columns } = dataSource.getMetadata(entity);
    this.#columns = columns;
    this.#text = textOf(engineOf(dataSource), tableName, columns);
  }

  /** @param rows with their ids; see `reserveIds` */
  of(rows: readonly Partial<E>[]): Sql {
    const tuples = rows.map((row) => this.#columns.map((column) => jsonValueOf(column, row)));
    return sql(this.#text, JSON.stringify(tuples));
  }
}

/**
 * Reserves ids, in ascending order, for rows that are about to be inserted. No other insert gets these ids, even if
 * they are not used. On PostgreSQL, other inserts may get ids in between.
 */
export function* reserveIds(engine: Engine, table: string, count: number): Steps<readonly number[]> {
  if (engine === 'postgres') {
    const rows = yield* all<{ id: number }>(sql`
      SELECT nextval(pg_get_serial_sequence(${table}, 'id')) AS id FROM generate_series(1, ${count}::integer)`);
    return rows.map(({ id }) => id).toSorted((left, right) => left - right);
  }
  const raised = yield* one<{ seq: number }>(
    sql`UPDATE sqlite_sequence SET seq = seq + ${count} WHERE name = ${table} RETURNING seq`,
  );
  // A table has no sequence before its first row.
  if (!raised) yield* run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${count})`);
  const last = raised?.seq ?? count;
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
}

/** A JSON list of texts as rows with a column `value`: `FROM ${eachText}(${JSON.stringify(texts)})`. */
export const eachText = new Text('json_each', 'json_array_elements_text');

/**
 * The text of the statement. It is made once for each table, because the identity of the text is the key of the
 * prepared statement.
 */
function textOf(engine: Engine, table: string, columns: readonly ColumnMetadata[]): TemplateStringsArray {
  const names = columns.map(({ databaseName }) => databaseName).join(', ');
  const values = columns.map((column, index) => selected(engine, column, index)).join(', ');
  const [rows, end] =
    engine === 'sqlite' ? ['json_each(', ')'] : ['json_array_elements(', '::json) AS rows (value)'];
  const strings = [`INSERT INTO ${table} (${names}) SELECT ${values} FROM ${rows}`, end];
  return Object.assign(strings, { raw: strings });
}

/** On SQLite, JSON values have the types of the columns. On PostgreSQL, `->>` gives texts, which have to be cast. */
function selected(engine: Engine, column: ColumnMetadata, index: number): string {
  return engine === 'sqlite' ? `value ->> ${index}` : `(value ->> ${index})${cast(column)}`;
}

function cast({ type }: ColumnMetadata): string {
  if (type === 'text') return '';
  if (type === 'boolean') return '::boolean';
  if (type === 'integer') return '::integer';
  return type === Number ? '::bigint' : '::timestamptz';
}

/**
 * The value of a column in the JSON. An instant becomes milliseconds if the column has a transformer (on SQLite),
 * otherwise a text in ISO 8601.
 */
function jsonValueOf(column: ColumnMetadata, row: object): unknown {
  const value: unknown = (row as Record<string, unknown>)[column.propertyName] ?? null;
  const { transformer } = column;
  return transformer === undefined || Array.isArray(transformer) ? value : transformer.to(value);
}
