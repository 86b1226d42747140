import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, Pool } from 'pg';
import type pg from 'pg';
import { ClientLeft } from '../errors/errors.js';
import { translated } from './faults.js';
import { ask, askedBy, askPool } from './postgres-connection.js';
import { isSilent } from './postgres-trip.js';
import { SCAN_BOUNDS } from './scan-queue.js';
import { SCAN_MS, LongReads, tookTooLong } from './long-reads.js';
import { cancelFromOutside } from './postgres-cancel.js';
import type { Replica } from './replica.js';
import type { Row, Sql } from './sql.js';
import { StatementTimes } from './statement-times.js';

const LANES = 2;
const WAY_MS = 2_000;
/** The time between two cancellations of the same statement. */
const CANCEL_AGAIN_MS = 100;
const CANCELLED = '57014';

const ignore = (): void => undefined;

/** The options of the connections for scans, in addition to the options of all connections. */
export function scanConfig(limitMs = SCAN_MS): pg.PoolConfig {
  return { max: LANES, statement_timeout: limitMs };
}

/** Long reads on a few connections of their own. The server itself ends a statement that takes too long. */
export class PostgresLongReads extends LongReads {
  override readonly statements = new StatementTimes('postgres');
  readonly #pool: Pool;
  readonly #main: pg.Pool;
  readonly #limitMs: number;
  readonly #replica: Replica | null;

  /** @param main another pool on the same server, on which the cancellation of a scan is sent */
  constructor(main: pg.Pool, config: pg.PoolConfig, limitMs = SCAN_MS, replica: Replica | null = null) {
    super({ ...SCAN_BOUNDS, lanes: LANES });
    this.#main = main;
    this.#limitMs = limitMs;
    this.#replica = replica;
    this.#pool = new Pool({ ...config, ...scanConfig(limitMs) });
    // An idle connection that breaks is replaced. A connection in use reports its error to the scan that uses it.
    this.#pool.on('error', ignore);
  }

  override watch(): null {
    return null;
  }

  protected override async scan(statement: Sql, gone: AbortSignal): Promise<readonly Row[]> {
    const replica = this.#replica;
    const asked = askedBy(statement);
    const patienceMs = this.#limitMs + WAY_MS;
    const onPrimary = () =>
      this.#scanOn(
        this.#pool,
        gone,
        (client) => ask(client, asked, patienceMs),
        (client) => this.#cancel(client),
      );
    try {
      if (replica === null) return await onPrimary();
      return await replica.read<readonly Row[]>(
        (needed) =>
          this.#scanOn(
            replica.scanPool,
            gone,
            (client) => replica.rowsOn(client, needed, asked, patienceMs),
            cancelFromOutside,
          ),
        onPrimary,
      );
    } catch (error) {
      throw translated(error);
    }
  }

  async #scanOn<T>(
    pool: Pool,
    gone: AbortSignal,
    work: (client: pg.PoolClient) => Promise<T>,
    cancelled: (client: pg.PoolClient) => Promise<unknown>,
  ): Promise<T> {
    const client = await pool.connect();
    const ended = new AbortController();
    let cancelling: Promise<void> | undefined;
    const cancel = () => {
      cancelling = repeated(() => cancelled(client), ended.signal);
    };
    gone.addEventListener('abort', cancel);
    client.on('error', ignore);
    let isBroken = false;
    try {
      // If the caller left before there was a connection, nothing calls `cancel`.
      if (gone.aborted) throw new ClientLeft();
      return await work(client);
    } catch (error) {
      isBroken = !(error instanceof DatabaseError || error instanceof ClientLeft) || isSilent(client);
      if (gone.aborted) throw new ClientLeft();
      if (error instanceof DatabaseError && error.code === CANCELLED) throw tookTooLong(this.#limitMs);
      throw error;
    } finally {
      gone.removeEventListener('abort', cancel);
      ended.abort();
      // The cancellation must not end the next statement on this connection.
      await cancelling;
      client.off('error', ignore);
      client.release(isBroken);
    }
  }

  #cancel(client: pg.PoolClient): Promise<unknown> {
    const { processID } = client as unknown as { processID: number };
    const cancel = { name: '', text: 'SELECT pg_cancel_backend($1)', values: [processID] };
    return askPool(this.#main, cancel, WAY_MS);
  }

  protected override close(): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * Cancels a statement again and again until the statement has ended. A single cancellation has no effect if it reaches
 * the server before the statement does.
 */
async function repeated(cancel: () => Promise<unknown>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await cancel().catch(ignore);
    await sleep(CANCEL_AGAIN_MS, undefined, { signal: ended }).catch(ignore);
  }
}
