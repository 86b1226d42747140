import type pg from 'pg';
import { Histogram } from '../metrics/instruments.js';
import { translated } from './faults.js';
import { askedBy, askPool, patienceOf } from './postgres-connection.js';
import type { Mapping } from './mapping.js';
import type { Row, Sql } from './sql.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { STATEMENT_BOUNDS } from './unit-of-work.js';

/**
 * Reads committed data. Each statement has a snapshot of its own. If an act depends on data, read this data inside the
 * act.
 */
export abstract class Reads {
  readonly statements = new Histogram(STATEMENT_BOUNDS);

  abstract all<R = Row>(statement: Sql): Promise<readonly R[]>;

  /** The entities of a statement that selects exactly `mapping.columns`. */
  abstract entities<E>(mapping: Mapping<E>, statement: Sql): Promise<E[]>;

  /** The first row, if there is one. */
  abstract one<R = Row>(statement: Sql): Promise<R | undefined>;

  /**
   * The first value of the first row, if there is one. On SQLite there is no promise.
   *
   * @throws DatabaseUnavailable, or the promise is rejected with it
   */
  abstract value(statement: Sql): unknown;
}

/**
 * Reads on a read-only connection of its own, so that uncommitted data is not visible. A read has ended before the
 * method returns.
 */
export class SqliteReads extends Reads {
  readonly #reader: SqliteConnection;

  constructor(reader: SqliteConnection) {
    super();
    this.#reader = reader;
  }

  override all<R = Row>(statement: Sql): Promise<readonly R[]> {
    try {
      const begunAt = performance.now();
      const rows = this.#reader.all(statement) as readonly R[];
      return this.#read(rows, begunAt);
    } catch (error) {
      return Promise.reject(translated(error));
    }
  }

  override entities<E>(mapping: Mapping<E>, statement: Sql): Promise<E[]> {
    try {
      const begunAt = performance.now();
      const rows = this.#reader.values(statement);
      return this.#read(rows.map(mapping.fromValues), begunAt);
    } catch (error) {
      return Promise.reject(translated(error));
    }
  }

  override one<R = Row>(statement: Sql): Promise<R | undefined> {
    try {
      const begunAt = performance.now();
      return this.#read(this.#reader.one(statement) as R | undefined, begunAt);
    } catch (error) {
      return Promise.reject(translated(error));
    }
  }

  override value(statement: Sql): unknown {
    try {
      const begunAt = performance.now();
      const value = this.#reader.value(statement);
      this.statements.observe((performance.now() - begunAt) / 1_000);
      return value;
    } catch (error) {
      throw translated(error);
    }
  }

  #read<T>(result: T, begunAt: number): Promise<T> {
    this.statements.observe((performance.now() - begunAt) / 1_000);
    return Promise.resolve(result);
  }
}

export class PostgresReads extends Reads {
  readonly #pool: pg.Pool;
  readonly #patienceMs: number;

  constructor(pool: pg.Pool) {
    super();
    this.#pool = pool;
    this.#patienceMs = patienceOf(pool);
  }

  override async all<R = Row>(statement: Sql): Promise<readonly R[]> {
    try {
      const begunAt = performance.now();
      const rows = await askPool(this.#pool, askedBy(statement), this.#patienceMs);
      this.statements.observe((performance.now() - begunAt) / 1_000);
      return rows as unknown as readonly R[];
    } catch (error) {
      throw translated(error);
    }
  }

  override async entities<E>(mapping: Mapping<E>, statement: Sql): Promise<E[]> {
    return (await this.all(statement)).map(mapping.fromRow);
  }

  override async one<R = Row>(statement: Sql): Promise<R | undefined> {
    return (await this.all<R>(statement))[0];
  }

  override async value(statement: Sql): Promise<unknown> {
    const row = await this.one(statement);
    return row && Object.values(row)[0];
  }
}
