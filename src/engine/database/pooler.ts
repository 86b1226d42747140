import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError, type Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { shownUrl } from '../config/shown-url.js';
import { DatabaseSettingsError } from './settings-error.js';
import { DatabaseUnavailable, faultOf, reasonOf } from './faults.js';

/**
 * A pooler in transaction mode, such as PgBouncer, may give each transaction of a connection another session of the
 * server. In statement mode, it may do so for each statement. So a session can keep nothing for the service: no
 * settings, no prepared statements, no locks, no `LISTEN`. The functions here find such a pooler at the start, because
 * a service that relies on sessions would fail later behind such a pooler. The later errors would not name the pooler
 * as the reason (ADR 54).
 */

const CONNECT_MS = 5_000;
const ANSWER_MS = 2_000;
/**
 * The maximum number of tries. If another client of the pooler gets the session in the middle of a try, the try proves
 * nothing.
 */
const TRIES = 20;
const TRY_AGAIN_MS = 5;

/** The modes in which the connections of a pooler share sessions. */
type Mode = 'transaction' | 'statement';

const UNSUPPORTED = /unsupported startup parameter/;
const NO_TRANSACTIONS = /transaction blocks not allowed in statement pooling mode/;

/**
 * Checks the addresses of the database. If there is only one address, no pooler in transaction or statement mode may
 * answer there. If there are two addresses, no such pooler may answer at the direct address, and both have to lead to
 * the same database.
 *
 * @param directUrl null if there is only one address
 * @throws DatabaseSettingsError when an address is wrong
 * @throws DatabaseUnavailable, or an error of the driver, when a server does not answer now
 */
export async function requireAddresses(dataSource: DataSource, directUrl: string | null): Promise<void> {
  const { options, driver } = dataSource;
  const url = 'url' in options ? (options.url ?? '') : '';
  if (directUrl === null) {
    const { master } = driver as unknown as { master: Pool };
    const mode = (await hasNamedSession(master)) ? null : await modeOf(url, 'STORE_DATABASE_URL');
    if (mode === null) return;
    throw new DatabaseSettingsError(behindPooler(url, mode));
  }
  const direct = new Asking(directUrl, 'STORE_DATABASE_DIRECT_URL');
  const main = new Asking(url, 'STORE_DATABASE_URL');
  try {
    await direct.connect();
    if (!(await direct.isDirect())) await requireSessions(directUrl, 'STORE_DATABASE_DIRECT_URL');
    await main.connect();
    // An advisory lock is visible in the whole database, and in no other database.
    const lock = randomInt(2 ** 47);
    await direct.ask('BEGIN');
    await direct.ask(`SELECT pg_advisory_xact_lock(${lock})`);
    await main.ask('BEGIN');
    const [row] = await main.ask<{ is_free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${lock}) AS is_free`,
    );
    if (row?.is_free !== false) {
      throw new DatabaseSettingsError(
        `STORE_DATABASE_DIRECT_URL «${shownUrl(directUrl)}» and STORE_DATABASE_URL «${shownUrl(url)}» are not the same database. ` +
          'Set STORE_DATABASE_DIRECT_URL to the server, and the database, behind the connection pooler.',
      );
    }
  } catch (error) {
    throw NO_TRANSACTIONS.test(reasonOf(error)) ? new DatabaseSettingsError(byStatement(url)) : error;
  } finally {
    await Promise.all([direct.end(), main.end()]);
  }
}

/**
 * @throws DatabaseSettingsError when a pooler in transaction mode, or in statement mode, answers at the address
 * @throws DatabaseUnavailable, or an error of the driver, when a server does not answer now
 */
export async function requireSessions(url: string, name: string): Promise<void> {
  const mode = await modeOf(url, name);
  if (mode === null) return;
  throw new DatabaseSettingsError(
    `${name} «${shownUrl(url)}» is the address of a connection pooler in ${mode} mode. Set it to the address of PostgreSQL itself.`,
  );
}

/**
 * Explains the error of a pooler that refuses the settings which the service gives to each session; null for other
 * errors.
 */
export async function refusalOfPooler(fault: unknown, url: string): Promise<string | null> {
  if (!(fault instanceof DatabaseError) || !UNSUPPORTED.test(fault.message)) return null;
  const mode = await modeOf(url).catch(() => null);
  return `${behindPooler(url, mode)} (It answers: ${fault.message}.)`;
}

/** @param mode null for a pooler whose mode is not known */
function behindPooler(url: string, mode: Mode | null): string {
  if (mode === 'statement') {
    return `${byStatement(url)} Also set STORE_DATABASE_DIRECT_URL to the address of PostgreSQL itself.`;
  }
  return (
    `«${shownUrl(url)}» is the address of a connection pooler, which does not keep the session of a connection. ` +
    'Set STORE_DATABASE_DIRECT_URL to the address of PostgreSQL itself, and keep STORE_DATABASE_URL as it is.'
  );
}

function byStatement(url: string): string {
  return (
    `«${shownUrl(url)}» is the address of a connection pooler in statement mode, which has no transactions. ` +
    'Set it to transaction mode (pool_mode = transaction).'
  );
}

/**
 * The mode of a pooler whose connections share sessions; null without such a pooler. A connection to a server itself
 * has the session that the server named when the connection began. A pooler names sessions that do not exist, even in
 * session mode. So a second connection is opened to find the mode. If both connections get the same session, or if the
 * session of the first one changes, they share sessions. In session mode, neither happens.
 *
 * @param name the setting that has the address, for the texts of errors
 */
async function modeOf(url: string, name = ''): Promise<Mode | null> {
  const [first, second] = [new Asking(url, name), new Asking(url, name)];
  try {
    await first.connect();
    if (await first.isDirect()) return null;
    let session = await first.session();
    await second.connect();
    for (let tries = 1; tries <= TRIES; tries += 1) {
      // In session mode, the first connection may have the only session for itself.
      if (!(await second.begins())) return null;
      const other = await second.session();
      const present = other === session ? other : await first.session();
      await second.ask('ROLLBACK');
      if (other === session || present !== session) return 'transaction';
      session = present;
      await sleep(TRY_AGAIN_MS);
    }
    return null;
  } catch (error) {
    if (NO_TRANSACTIONS.test(reasonOf(error))) return 'statement';
    throw error;
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

/** A connection without settings of its own, for a few questions. Each question is one statement without a name. */
class Asking {
  readonly #client: Client;
  readonly #name: string;

  /** @param name the setting that has the address, for the texts of errors; without it, errors stay as they are */
  constructor(url: string, name = '') {
    this.#name = name && `${name} «${shownUrl(url)}»: `;
    this.#client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
    });
    this.#client.on('error', () => undefined);
  }

  async connect(): Promise<void> {
    await this.#explained(() => this.#client.connect());
  }

  ask<R extends object>(text: string): Promise<R[]> {
    return this.#explained(async () => (await this.#client.query<R>(text)).rows);
  }

  /** Begins a transaction. The result is false if the connection got no session in time. */
  begins(): Promise<boolean> {
    return this.#explained(async () => {
      try {
        await this.#client.query('BEGIN');
        return true;
      } catch (error) {
        if (isLate(error)) return false;
        throw error;
      }
    });
  }

  async session(): Promise<number> {
    const [row] = await this.ask<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return row?.pid ?? 0;
  }

  /** Whether the session is the one that the server named when the connection began. */
  async isDirect(): Promise<boolean> {
    const { processID } = this.#client as unknown as { processID: number | null };
    return (await this.session()) === processID;
  }

  async end(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.#name === '') throw error;
      const reason = this.#name + reasonOf(error);
      if (error instanceof DatabaseError && /^(28|3D)/.test(error.code ?? '')) {
        throw new DatabaseSettingsError(
          `${reason}. Check the user, the password and the database in the URL.`,
          { cause: error },
        );
      }
      throw isPassing(error) ? new DatabaseUnavailable(reason, { cause: error }) : error;
    }
  }
}

/**
 * `isDirect`, on a connection of a pool. If the session is another one, the connection is closed: it may have the only
 * session of a pooler, and `modeOf` needs a session.
 */
async function hasNamedSession(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  let isNamed = false;
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    isNamed = rows[0]?.pid === (client as unknown as { processID: number | null }).processID;
    return isNamed;
  } finally {
    client.release(!isNamed);
  }
}

function isPassing(error: unknown): boolean {
  return faultOf(error).kind === 'unavailable' || isLate(error);
}

/** The driver has no class for the error of a question that got no answer in time. */
function isLate(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
