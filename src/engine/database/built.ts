import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { raw, type Sql, type Value } from './sql.js';

/**
 * A query of the query builder as a statement. On SQLite, TypeORM writes a number into the text, so each id would make
 * a text of its own, which a connection prepares and keeps. TypeORM binds a bigint. So a number is made a bigint for
 * TypeORM, and a number again after that.
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
