import type { Database as SqliteHandle, Statement } from 'better-sqlite3';
import { AnyOf, requireExact, type Row, type Sql, textOf, type Value } from './sql.js';

/** A value that the driver accepts. */
export type Bound = string | number | bigint | Buffer | null;
type Prepared = Statement<[Bound[]], Row>;

// The maximum number of cached texts of the query builder. In practice there are fewer texts, but this is not
// guaranteed.
const CACHED_TEXTS = 200;

/** One connection with its prepared statements. All methods are synchronous. */
export class SqliteConnection {
  readonly #bySite = new WeakMap<TemplateStringsArray, Prepared>();
  readonly #byText = new Map<string, Prepared>();

  #dataVersion: Statement<[]> | undefined;

  constructor(readonly handle: SqliteHandle) {}

  /** A number that changes when another connection commits, in this process or in another process. */
  dataVersion(): unknown {
    this.#dataVersion ??= this.handle.prepare<[]>('PRAGMA data_version').pluck();
    return this.#dataVersion.get();
  }

  all(query: Sql): readonly Row[] {
    const statement = this.#prepared(query);
    if (statement.reader) return statement.all(query.values.map(bound));
    statement.run(query.values.map(bound));
    return [];
  }

  /** Returns each row as a list of values, without the names of the columns. This costs less than `all`. */
  values(query: Sql): readonly unknown[][] {
    const statement = this.#prepared(query);
    try {
      return statement.raw(true).all(query.values.map(bound)) as unknown as unknown[][];
    } finally {
      // Other calls may need the rows of the same statement as objects.
      statement.raw(false);
    }
  }

  one(query: Sql): Row | undefined {
    return this.#prepared(query).get(query.values.map(bound));
  }

  /** The first value of the first row; undefined without a row. */
  value(query: Sql): unknown {
    const statement = this.#prepared(query);
    try {
      return statement.pluck(true).get(query.values.map(bound));
    } finally {
      statement.pluck(false);
    }
  }

  #prepared(query: Sql): Prepared {
    const { source } = query;
    if (typeof source === 'string') return this.#preparedText(source, query);
    let statement = this.#bySite.get(source);
    if (statement === undefined) {
      statement = this.handle.prepare<[Bound[]], Row>(textOf(query, 'sqlite'));
      this.#bySite.set(source, statement);
    }
    return statement;
  }

  #preparedText(text: string, query: Sql): Prepared {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const statement = this.handle.prepare<[Bound[]], Row>(textOf(query, 'sqlite'));
    if (this.#byText.size >= CACHED_TEXTS) {
      const [oldest] = this.#byText.keys();
      if (oldest !== undefined) this.#byText.delete(oldest);
    }
    this.#byText.set(text, statement);
    return statement;
  }
}

export function bound(value: Value | AnyOf): Bound {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0;
    case 'number':
      return whole(requireExact(value));
    case 'bigint':
      requireExact(Number(value));
      return value;
    case 'string':
      return value;
    default:
      if (value instanceof Date) return whole(requireExact(value.getTime()));
      if (value instanceof AnyOf) return JSON.stringify(value.ids.map(requireExact));
      return value;
  }
}

// The driver binds each number as floating point, and only a BigInt as an integer. For a column of integers, SQLite
// converts the number to an integer. Elsewhere the number stays floating point, and SQLite divides it without
// truncating. A number within 32 bits is not made a BigInt, because this takes time. So a statement that divides such a
// number has to cast it.
function whole(value: number): number | bigint {
  return Number.isInteger(value) && value !== (value | 0) ? BigInt(value) : value;
}
