import type pg from 'pg';
import { translated } from './faults.js';
import { askedBy, askPool, patienceOf } from './postgres-connection.js';
import type { Mapping } from './mapping.js';
import type { Replica } from './replica.js';
import type { Row, Sql } from './sql.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { SharedLock } from './shared-lock.js';
import { StatementTimes } from './statement-times.js';

/**
 * Reads committed data. Each statement has a snapshot of its own. If an act depends on data, read this data inside the
 * act.
 */
export abstract class Reads {
  abstract readonly statements: StatementTimes;

  abstract all<R = Row>(statement: Sql): Promise<readonly R[]>;

  /** The entities of a statement that selects exactly `mapping.columns`. */
  abstract entities<E>(mapping: Mapping<E>, statement: Sql): Promise<E[]>;

  /** The first row, if there is one. */
  abstract one<R = Row>(statement: Sql): Promise<R | undefined>;

  /**
   * The first value of the first row, if there is one. On SQLite, returns the value itself, and not a promise.
   *
   * @throws DatabaseUnavailable, or the promise is rejected with it
   */
  abstract value(statement: Sql): unknown;

  /**
   * A value that is different after any commit, of this process or of another one. It costs less than any other read.
   * On SQLite, it is `data_version` of the connection of the reads. This value changes with the commits of all other
   * connections, and the connection of the reads makes no commits. On PostgreSQL, `version` returns null, because
   * PostgreSQL has no such value.
   *
   * @throws DatabaseUnavailable
   */
  abstract version(): unknown;
}

/**
 * Reads on a read-only connection of its own, so that uncommitted data is not visible. A read has ended before the
 * method returns.
 */
export class SqliteReads extends Reads {
  override readonly statements = new StatementTimes('sqlite');
  readonly #reader: SqliteConnection;
  readonly #lock: SharedLock;

  constructor(reader: SqliteConnection, lock: SharedLock) {
    super();
    this.#reader = reader;
    this.#lock = lock;
  }

  override all<R = Row>(statement: Sql): Promise<readonly R[]> {
    return this.#read(statement, () => this.#reader.all(statement) as readonly R[]);
  }

  override entities<E>(mapping: Mapping<E>, statement: Sql): Promise<E[]> {
    return this.#read(statement, () => this.#reader.values(statement).map(mapping.fromValues));
  }

  override one<R = Row>(statement: Sql): Promise<R | undefined> {
    return this.#read(statement, () => this.#reader.one(statement) as R | undefined);
  }

  override value(statement: Sql): unknown {
    const begunAt = performance.now();
    this.#lock.beforeRead();
    try {
      const value = this.#reader.value(statement);
      this.statements.took(statement, begunAt);
      return value;
    } catch (error) {
      this.statements.failed(statement, begunAt, error);
      throw translated(error);
    }
  }

  override version(): unknown {
    this.#lock.beforeRead();
    try {
      return this.#reader.dataVersion();
    } catch (error) {
      throw translated(error);
    }
  }

  #read<T>(statement: Sql, read: () => T): Promise<T> {
    const begunAt = performance.now();
    this.#lock.beforeRead();
    try {
      const result = read();
      this.statements.took(statement, begunAt);
      return Promise.resolve(result);
    } catch (error) {
      this.statements.failed(statement, begunAt, error);
      return Promise.reject(translated(error));
    }
  }
}

export class PostgresReads extends Reads {
  override readonly statements = new StatementTimes('postgres');
  readonly #pool: pg.Pool;
  readonly #patienceMs: number;

  constructor(pool: pg.Pool) {
    super();
    this.#pool = pool;
    this.#patienceMs = patienceOf(pool);
  }

  override async all<R = Row>(statement: Sql): Promise<readonly R[]> {
    const begunAt = performance.now();
    try {
      const rows = await this.rows(statement);
      this.statements.took(statement, begunAt);
      return rows as unknown as readonly R[];
    } catch (error) {
      this.statements.failed(statement, begunAt, error);
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

  override version(): null {
    return null;
  }

  /** @throws errors of the driver */
  protected rows(statement: Sql): Promise<Row[]> {
    return askPool(this.#pool, askedBy(statement), this.#patienceMs);
  }
}

/** Reads that a replica may serve; see `Replica`. */
export class ReplicaReads extends PostgresReads {
  readonly #replica: Replica;

  constructor(pool: pg.Pool, replica: Replica) {
    super(pool);
    this.#replica = replica;
  }

  protected override rows(statement: Sql): Promise<Row[]> {
    return this.#replica.rows(askedBy(statement), () => super.rows(statement));
  }
}
