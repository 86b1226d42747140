import type pg from 'pg';
import { translated } from './faults.js';
import { askedBy, askPool, patienceOf } from './postgres-connection.js';
import type { Mapping } from './mapping.js';
import type { Row, Sql } from './sql.js';
import type { SqliteConnection } from './sqlite-connection.js';

/**
 * Reads committed data. Each statement has a snapshot of its own. If an act depends on data, read this data inside the
 * act.
 */
export abstract class Reads {
  abstract all<R = Row>(statement: Sql): Promise<readonly R[]>;

  /** The entities of a statement that selects exactly `mapping.columns`. */
  abstract entities<E>(mapping: Mapping<E>, statement: Sql): Promise<E[]>;

  /** The first row, if there is one. */
  abstract one<R = Row>(statement: Sql): Promise<R | undefined>;
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
      return Promise.resolve(this.#reader.all(statement) as readonly R[]);
    } catch (error) {
      return Promise.reject(translated(error));
    }
  }

  override entities<E>(mapping: Mapping<E>, statement: Sql): Promise<E[]> {
    try {
      return Promise.resolve(this.#reader.values(statement).map(mapping.fromValues));
    } catch (error) {
      return Promise.reject(translated(error));
    }
  }

  override one<R = Row>(statement: Sql): Promise<R | undefined> {
    try {
      return Promise.resolve(this.#reader.one(statement) as R | undefined);
    } catch (error) {
      return Promise.reject(translated(error));
    }
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
      return (await askPool(this.#pool, askedBy(statement), this.#patienceMs)) as unknown as readonly R[];
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
}
