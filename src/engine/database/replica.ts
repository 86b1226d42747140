import { Logger } from '@nestjs/common';
import { DatabaseError, type Client, Pool } from 'pg';
import type pg from 'pg';
import { Counters } from '../metrics/instruments.js';
import { shownUrl } from '../config/shown-url.js';
import { faultOf, NoAnswer, reasonOf } from './faults.js';
import { requireSessions } from './pooler.js';
import { ask, askPool } from './postgres-connection.js';
import { isSilent, Trip, type Asked } from './postgres-trip.js';
import { DatabaseSettingsError } from './settings-error.js';
import { SharedAnswer } from './shared-answer.js';
import type { Row } from './sql.js';

/** A place in the write-ahead log of PostgreSQL. */
type Position = bigint;

/**
 * The longest time for which a read waits until the replica has applied the changes that were committed before the
 * read. After that, the primary server reads instead.
 */
const BEHIND_MS = 50;
const ANSWER_MS = 1_000;
/** The longest time of a short read. A replica that needs longer counts as gone. */
const READ_MS = 2_000;
const TRY_AGAIN_MS = 1_000;
/** The pause between two warnings, so that a replica that is often behind does not fill the log. */
const SAY_AGAIN_MS = 60_000;
const CANCELLED = '57014';

const asked = (name: string, text: string): Asked => ({ name, text, values: [] });
/**
 * Every commit that was acknowledged is before this position: with synchronous_commit, a commit is flushed before its
 * acknowledgement.
 */
const WRITTEN = asked(
  'written',
  `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END)::text AS position, current_setting('synchronous_standby_names') <> '' AS waits`,
);
const APPLIED = asked(
  'applied',
  'SELECT pg_is_in_recovery() AS is_replica, pg_last_wal_replay_lsn()::text AS position',
);
/** Reads a text that is equal for a database and for all copies of its files. Every other database has another text. */
const SERVER_IDENTITY = asked(
  '',
  `SELECT pg_is_in_recovery() AS is_replica, (SELECT system_identifier FROM pg_control_system())::text || '/' ||
    (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity`,
);

interface Written {
  readonly position: string;
  /** Whether the primary server may wait for replicas before it shows a commit. */
  readonly waits: boolean;
}

interface Applied {
  readonly is_replica: boolean;
  readonly position: string | null;
}

interface ServerIdentity {
  readonly is_replica: boolean;
  readonly identity: string;
}

/**
 * With synchronous replication, a replica can show a commit while the primary server still waits. A page of the replica
 * would then have rows whose relations the primary server does not show yet.
 */
class ReplicaIsFirst extends Error {
  constructor() {
    super(
      'is not used, because the database waits for replicas (synchronous_standby_names). A replica can then show a change before the database does',
    );
  }
}

/**
 * A streaming replica for reads (ADR 55). The result of a read there is used only if the replica had applied everything
 * that was committed before the read, by any instance. If the replica had not done so, or if it fails, the primary
 * server reads. So a read on the replica is never behind a read on the primary server.
 */
export class Replica {
  /** The reads that the replica may serve, by the server that has served them. */
  readonly served = new Counters(['replica', 'primary']);
  readonly #logger = new Logger('Replica');
  readonly #shown: string;
  readonly #primary: pg.Pool;
  readonly #pool: Pool;
  readonly #scanPool: Pool;
  readonly #written: SharedAnswer<Position>;
  readonly #applied: SharedAnswer<Position>;
  #identity: Promise<string> | null = null;
  #seen: Position = 0n;
  #isUsed = true;
  #isStopped = false;
  #saidAt = -Infinity;
  #isSaid = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param config the options of the connections to the replica; each connection has a session of its own there
   * @param scans the options that are different for the connections of long reads
   */
  private constructor(primary: pg.Pool, config: pg.PoolConfig, scans: pg.PoolConfig) {
    this.#primary = primary;
    this.#shown = shownUrl(config.connectionString ?? '');
    const { onConnect } = config;
    const checked = {
      ...config,
      connectionTimeoutMillis: ANSWER_MS,
      onConnect: async (client: pg.ClientBase) => {
        onConnect?.(client);
        await this.#check(client as Client);
      },
    };
    [this.#pool, this.#scanPool] = [new Pool(checked), new Pool({ ...checked, ...scans })];
    for (const pool of [this.#pool, this.#scanPool]) pool.on('error', () => undefined);
    this.#written = new SharedAnswer(async () => {
      const [row] = await askPool<Written>(this.#primary, WRITTEN, ANSWER_MS);
      if (row?.waits === true) throw new ReplicaIsFirst();
      return positionIn(row?.position);
    });
    this.#applied = new SharedAnswer(async () => {
      const [row] = await askPool<Applied>(this.#pool, APPLIED, ANSWER_MS);
      return this.#saw(row);
    });
  }

  /**
   * Opens the connections. If the replica cannot be reached now, it is used later, as soon as it can be reached.
   *
   * @throws DatabaseSettingsError when the address is wrong, for example because its server is not a replica
   */
  static async open(primary: pg.Pool, config: pg.PoolConfig, scans: pg.PoolConfig): Promise<Replica> {
    const replica = new Replica(primary, config, scans);
    try {
      await replica.#applied.ask();
      await requireSessions(config.connectionString ?? '', 'STORE_DATABASE_READ_URL');
    } catch (error) {
      if (error instanceof DatabaseError && /^(28|3D)/.test(error.code ?? '')) {
        await replica.stop();
        throw new DatabaseSettingsError(
          `STORE_DATABASE_READ_URL «${replica.#shown}»: ${error.message}. Check the user, the password and the database in the URL.`,
          { cause: error },
        );
      }
      if (error instanceof DatabaseSettingsError) {
        await replica.stop();
        throw error;
      }
      replica.#leave(`cannot be used (${reasonOf(error)})`);
    }
    return replica;
  }

  /** Whether reads go to the replica now. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** The connections for long reads on the replica. */
  get scanPool(): Pool {
    return this.#scanPool;
  }

  /** Reads rows by a short statement. @param instead reads them from the primary server */
  rows<R extends object = Row>(statement: Asked, instead: () => Promise<R[]>): Promise<R[]> {
    return this.read((needed) => this.#rowsAt<R>(needed, statement), instead);
  }

  /**
   * @param work reads from the replica; it returns undefined if the replica is behind, see `rowsOn`
   * @param instead reads from the primary server
   */
  async read<T>(work: (needed: Position) => Promise<T | undefined>, instead: () => Promise<T>): Promise<T> {
    const found = this.#isUsed ? await this.#found(work) : undefined;
    this.served.add(found === undefined ? 'primary' : 'replica');
    return found ?? instead();
  }

  /** Runs a statement on a connection to the replica. Returns undefined if the server is behind the position. */
  async rowsOn<R extends object = Row>(
    client: pg.PoolClient,
    needed: Position,
    statement: Asked,
    patienceMs: number,
  ): Promise<R[] | undefined> {
    // The address may lead to several servers. So this connection first reads the position that its own server has
    // applied. The statement gets its snapshot after that.
    const trip = new Trip([APPLIED, statement]);
    await trip.sent(client, patienceMs);
    const [applied, rows] = trip.answers;
    return this.#saw(applied?.[0] as Applied | undefined) >= needed ? (rows as R[]) : undefined;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#isUsed = false;
    clearTimeout(this.#timer);
    await Promise.all([this.#pool.end(), this.#scanPool.end()]);
  }

  async #found<T>(work: (needed: Position) => Promise<T | undefined>): Promise<T | undefined> {
    let needed;
    try {
      needed = await this.#written.ask();
    } catch (error) {
      // Every fault except `ReplicaIsFirst` is a fault of the primary server. The caller reads there next, and gets the
      // fault.
      if (error instanceof ReplicaIsFirst) this.#leave(error.message);
      return undefined;
    }
    try {
      const found = (await this.#reaches(needed)) ? await work(needed) : undefined;
      if (found === undefined) this.#leave('is behind the database');
      return found;
    } catch (error) {
      if (!isOfReplica(error)) throw error;
      if (!isConflict(error)) this.#leave(`cannot be used (${reasonOf(error)})`);
      return undefined;
    }
  }

  async #rowsAt<R extends object>(needed: Position, statement: Asked): Promise<R[] | undefined> {
    const client = await this.#pool.connect();
    let isBroken = true;
    try {
      const rows = await this.rowsOn<R>(client, needed, statement, READ_MS);
      isBroken = false;
      return rows;
    } finally {
      client.release(isBroken || isSilent(client));
    }
  }

  async #reaches(needed: Position): Promise<boolean> {
    const deadline = performance.now() + BEHIND_MS;
    while (this.#seen < needed) {
      if ((await this.#applied.ask()) >= needed) return true;
      if (performance.now() >= deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return true;
  }

  /** @throws NoAnswer when the server is no replica any more */
  #saw(applied: Applied | undefined): Position {
    if (applied?.is_replica !== true) throw new NoAnswer('The server is not a replica any more');
    const position = positionIn(applied.position);
    if (position > this.#seen) this.#seen = position;
    return position;
  }

  #leave(reason: string): void {
    if (!this.#isUsed || this.#isStopped) return;
    this.#isUsed = false;
    const now = performance.now();
    this.#isSaid = now - this.#saidAt >= SAY_AGAIN_MS;
    if (this.#isSaid) {
      this.#saidAt = now;
      this.#logger.warn(`The replica ${this.#shown} ${reason}. The primary server reads instead.`);
    }
    this.#tryLater();
  }

  #tryLater(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#tryAgain(), TRY_AGAIN_MS).unref();
  }

  async #tryAgain(): Promise<void> {
    try {
      // Another server may answer at the address now.
      this.#seen = 0n;
      if (await this.#reaches(await this.#written.ask())) {
        if (this.#isStopped) return;
        this.#isUsed = true;
        if (this.#isSaid) this.#logger.log(`The replica ${this.#shown} is used.`);
        return;
      }
    } catch {
      // The replica still cannot be used. A warning said earlier that the primary server reads instead.
    }
    this.#tryLater();
  }

  /** Checks each new connection, because an address may lead to another server later. */
  async #check(client: Client): Promise<void> {
    try {
      const [mine] = await ask<ServerIdentity>(
        client as unknown as pg.PoolClient,
        SERVER_IDENTITY,
        ANSWER_MS,
      );
      this.#identity ??= askPool<ServerIdentity>(this.#primary, SERVER_IDENTITY, ANSWER_MS).then(
        ([row]) => row?.identity ?? '',
      );
      const expected = await this.#identity.catch((error: unknown) => {
        this.#identity = null;
        throw error;
      });
      if (mine?.is_replica === true && mine.identity === expected) return;
      throw new DatabaseSettingsError(
        `STORE_DATABASE_READ_URL «${this.#shown}» is not a replica of the database of STORE_DATABASE_URL. ` +
          'Set it to the address of a streaming replica, or leave it out.',
      );
    } catch (error) {
      // The pool waits for the end of the connection, and a server that hangs would not end it.
      client.connection.stream.destroy();
      throw error;
    }
  }
}

/** Whether the primary server can do the read that failed on the replica. */
function isOfReplica(error: unknown): boolean {
  if (error instanceof DatabaseSettingsError) return true;
  if (error instanceof DatabaseError && error.code === CANCELLED) return false;
  return faultOf(error).kind === 'unavailable';
}

/**
 * A replica cancels statements that keep it from applying changes. Such a cancellation does not mean that the replica
 * is gone.
 */
function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && /^40(001|P01)/.test(error.code ?? '');
}

/** @param text such as `16/B374D848` */
function positionIn(text: string | null | undefined): Position {
  const [high = '0', low = '0'] = (text ?? '0/0').split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
