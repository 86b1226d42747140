import type { Engine } from '../database/sql.js';
import { fragment, type Fragment, type Parameter } from './fragment.js';
import type { Column } from './row-types.js';

/**
 * Marks a value that SQL cannot write as the service writes it, such as a moment after the year 9999. No JSON text
 * contains this character, because JSON writes it as `\u0001`.
 */
export const UNWRITABLE = '\u0001';

/** For each integer n from 0 to this number, JavaScript shows n / 100 with exactly the digits of n. */
const MOST_EXACT = 2 ** 46 * 100 - 1;
const MOST_MS = 253_402_300_799_999;

/**
 * Writes values as JSON in SQL. The texts are the same, byte for byte, as those of `JSON.stringify` and the scalars.
 */
export abstract class Dialect {
  static of(engine: Engine): Dialect {
    return engine === 'sqlite' ? new SqliteDialect() : new PostgresDialect();
  }

  abstract readonly unwritable: string;
  /** A whole number as a value of the statement. */
  abstract number(parameter: Parameter): Fragment;
  /** Joins the column `x` of a subquery with commas, in the order of its column `k`. The result is NULL for no rows. */
  abstract joined(rows: Fragment, isDescending: boolean): Fragment;
  protected abstract text(column: string): string;
  protected abstract moment(column: string): string;
  protected abstract decimals(column: string): string;
  protected abstract flag(column: string): string;
  protected abstract whole(column: string): string;

  /** A constant text of JSON. */
  literal(json: string): string {
    return `'${json.replaceAll("'", "''")}'`;
  }

  /** SQL for the value of a column, or for NULL if the column is null. Returns null if SQL cannot write this type. */
  value(name: string, { kind, isNullable }: Column, type: string): string | null {
    const text = this.writable(name, kind, type);
    if (text === null || !isNullable) return text;
    return `CASE WHEN ${name} IS NULL THEN NULL ELSE ${text} END`;
  }

  /** An amount in major units, as the division in JavaScript shows it. */
  major(name: string, minorPerMajor: number): string {
    if (minorPerMajor === 1) return this.between(name, 0, Number.MAX_SAFE_INTEGER, this.whole(name));
    return this.between(name, 0, MOST_EXACT, this.decimals(name));
  }

  private writable(name: string, kind: Column['kind'], type: string): string | null {
    switch (`${type} of ${kind}`) {
      case 'ID of id':
      case 'ID of integer':
        return `'"'||${this.whole(name)}||'"'`;
      case 'String of text':
        return this.text(name);
      case 'Int of integer':
        return this.between(name, -(2 ** 31), 2 ** 31 - 1, this.whole(name));
      case 'SafeInt of id':
      case 'SafeInt of integer':
        return this.between(name, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, this.whole(name));
      case 'Boolean of boolean':
        return this.flag(name);
      case 'DateTime of moment':
        return this.moment(name);
      default:
        return null;
    }
  }

  protected between(name: string, least: number | string, most: number | string, text: string): string {
    return `CASE WHEN ${name} BETWEEN ${least} AND ${most} THEN ${text} ELSE ${this.unwritable} END`;
  }
}

class SqliteDialect extends Dialect {
  override readonly unwritable = 'char(1)';

  override number(parameter: Parameter): Fragment {
    // See `UNPLANNED` of database/sql.ts.
    return fragment`(0 + ${parameter})`;
  }

  override joined(rows: Fragment): Fragment {
    // `group_concat` of SQLite keeps the order of the subquery. An ORDER BY inside `group_concat` would sort the texts
    // again.
    return fragment`SELECT group_concat(x) FROM (${rows})`;
  }

  protected override text(column: string): string {
    return `json_quote(${column})`;
  }

  protected override moment(column: string): string {
    const iso = `'"'||strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')||'"'`;
    return this.between(column, 0, MOST_MS, iso);
  }

  protected override decimals(column: string): string {
    const decimals = `'.'||rtrim(substr('0'||(${column} % 100), -2), '0')`;
    return `(${column} / 100)||CASE ${column} % 100 WHEN 0 THEN '' ELSE ${decimals} END`;
  }

  protected override flag(column: string): string {
    return `CASE ${column} WHEN 1 THEN 'true' ELSE 'false' END`;
  }

  protected override whole(column: string): string {
    return column;
  }
}

class PostgresDialect extends Dialect {
  override readonly unwritable = 'chr(1)';

  override number(parameter: Parameter): Fragment {
    return fragment`${parameter}::bigint`;
  }

  override joined(rows: Fragment, isDescending: boolean): Fragment {
    return fragment`SELECT string_agg(x, ',' ORDER BY k${isDescending ? ' DESC' : ''}) FROM (${rows}) r`;
  }

  protected override text(column: string): string {
    return `to_json(${column})::text`;
  }

  protected override moment(column: string): string {
    const iso = `'"'||to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')||'"'`;
    return this.between(column, "'1970-01-01T00:00:00Z'", "'9999-12-31T23:59:59.999Z'", iso);
  }

  protected override decimals(column: string): string {
    const decimals = `'.'||rtrim(lpad((${column} % 100)::text, 2, '0'), '0')`;
    return `(${column} / 100)::text||CASE ${column} % 100 WHEN 0 THEN '' ELSE ${decimals} END`;
  }

  protected override flag(column: string): string {
    return `CASE WHEN ${column} THEN 'true' ELSE 'false' END`;
  }

  protected override whole(column: string): string {
    return `${column}::text`;
  }
}
