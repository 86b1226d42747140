import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { raw, type Sql, type Value } from './sql.js';

/**
 * A query of the query builder as a statement. On SQLite, TypeORM writes each number into the text of the statement,
 * but binds a bigint as a parameter. If the texts contained numbers, each id would give another text, and a connection
 * would prepare and keep each of these texts. So TypeORM gets bigints instead of numbers, and the statement gets the
 * numbers again.
 *
 * @param around puts the text of the query into a larger text
 */
export function built<E extends ObjectLiteral>(
  query: SelectQueryBuilder<E>,
  around: (text: string) => string = (text) => text,
): Sql {
  const parameters = Object.entries(query.getParameters() as Record<string, Value>).map(
    ([name, value]) => [name, Number.isSafeInteger(value) ? BigInt(value as number) : value] as const,
  );
  const { driver } = query.dataSource;
  const [text, values] = driver.escapeQueryWithParameters(query.getQuery(), Object.fromEntries(parameters));
  const numbers = (values as Value[]).map((value) => (typeof value === 'bigint' ? Number(value) : value));
  return raw(around(text), numbers);
}
