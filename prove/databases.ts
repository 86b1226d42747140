import BetterSqlite3 from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ask, createOnServer, createSqliteFile } from '../testkit/databases.ts';
import { requireThat, tell } from './options.ts';

export type Engine = 'sqlite' | 'postgres';

export interface LoggedEvent {
  readonly position: number;
  readonly type: string;
  readonly entity_id: number;
}

/** A database for one proof only. The proof reads it directly, not through the service. */
export interface ProofDatabase {
  readonly url: string;
  /** Waits until all committed events are in the log. Returns the whole log. */
  events(): Promise<readonly LoggedEvent[]>;
  /** The orders whose total is not the sum of their lines. */
  wrongTotals(): Promise<readonly unknown[]>;
  /** Removes all events of the log except the newest one, as the service removes old events. */
  forget(): Promise<void>;
  /** Renames a table that the service needs. For the service, the table is missing. */
  spoil(): Promise<void>;
  /** Makes the whole database unusable. */
  takeAway(): Promise<void>;
  /**
   * Blocks all writes, except writes of events, until the returned function is called. Null on SQLite, where acts wait
   * for each other anyway.
   */
  readonly lock: (() => Promise<() => Promise<void>>) | null;
  /** Resolves when an act with an `Idempotency-Key` waits for `lock`. */
  untilWaiting(): Promise<void>;
  drop(): Promise<void>;
}

const EVENTS = 'SELECT position, type, entity_id FROM events ORDER BY position';
const WRONG_TOTALS = `
  SELECT id, total_minor, (SELECT sum(total_minor) FROM order_items WHERE order_id = id) AS lines FROM orders
  WHERE total_minor IS DISTINCT FROM (SELECT sum(total_minor) FROM order_items WHERE order_id = id)`;
const SETTLED_MS = 30_000;
const FORGET = 'DELETE FROM events WHERE position < (SELECT max(position) FROM events)';
// Acts with an Idempotency-Key hold an advisory lock. The background work that folds counts and sums has such a lock
// too, so the query leaves this work out.
const WAITING = `SELECT FROM pg_locks waiting
  JOIN pg_locks held ON held.pid = waiting.pid AND held.locktype = 'advisory' AND held.granted
  JOIN pg_stat_activity session ON session.pid = waiting.pid
  WHERE NOT waiting.granted AND session.datname = current_database() AND session.query !~ '_fold'`;
const SPOIL = 'ALTER TABLE api_keys RENAME TO api_keys_of_long_ago';

const POSTGRES_HOW_TO =
  'set TEST_POSTGRES_URL, for example postgres://postgres@127.0.0.1:5432/postgres, to a server where databases may be created.';

/** The requested engine. Without a request: all engines that are available here. */
export function enginesFor(given: string | null): readonly Engine[] {
  const server = process.env['TEST_POSTGRES_URL'];
  if (given === 'sqlite') return ['sqlite'];
  if (server !== undefined) return given === null ? ['sqlite', 'postgres'] : ['postgres'];
  if (given === 'postgres') throw new Error(`There is no PostgreSQL: ${POSTGRES_HOW_TO}`);
  tell(`PostgreSQL is left out: ${POSTGRES_HOW_TO}`);
  return ['sqlite'];
}

export async function createSqlite(): Promise<ProofDatabase> {
  const { file, url, drop } = await createSqliteFile();
  const read = <T>(query: string): T[] => {
    const handle = new BetterSqlite3(file, { readonly: true });
    try {
      return handle.prepare<[], T>(query).all();
    } finally {
      handle.close();
    }
  };
  const write = (change: (handle: BetterSqlite3.Database) => void): void => {
    const handle = new BetterSqlite3(file);
    try {
      change(handle);
    } finally {
      handle.close();
    }
  };
  return {
    url,
    events: async () => read(EVENTS),
    wrongTotals: async () => read(WRONG_TOTALS),
    forget: async () => write((handle) => void handle.exec(FORGET)),
    spoil: async () => write((handle) => void handle.exec(SPOIL)),
    takeAway: async () => write(ruin),
    lock: null,
    untilWaiting: async () => undefined,
    drop,
  };
}

/** Every table gets a root page that does not exist, as in a damaged file. */
function ruin(handle: BetterSqlite3.Database): void {
  handle.unsafeMode();
  const version = handle.pragma('schema_version', { simple: true }) as number;
  handle.pragma('writable_schema = ON');
  handle.exec("UPDATE sqlite_schema SET rootpage = 1000000000 WHERE type = 'table'");
  handle.pragma(`schema_version = ${version + 1}`);
}

/** @param server a server on which databases may be created; it may be down between two calls */
export async function createPostgres(server: string): Promise<ProofDatabase> {
  const { name, url, drop } = await createOnServer(server);
  const read = <T extends object>(query: string): Promise<T[]> => ask<T>(url, query);
  return {
    url,
    events: async () => {
      const deadline = Date.now() + SETTLED_MS;
      while ((await read('SELECT FROM event_outbox LIMIT 1')).length > 0) {
        requireThat(Date.now() < deadline, () => 'Events stay in the outbox.');
        await sleep(20);
      }
      return read<LoggedEvent>(
        'SELECT position::integer, type, entity_id::integer FROM events ORDER BY position',
      );
    },
    wrongTotals: () => read(WRONG_TOTALS),
    forget: async () => void (await read(FORGET)),
    spoil: async () => void (await read(SPOIL)),
    takeAway: async () => {
      await ask(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await ask(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    },
    lock: async () => {
      const tables = await read<{ name: string }>(
        "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'event%'",
      );
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('BEGIN');
      await client.query(`LOCK TABLE ${tables.map((table) => table.name).join(', ')} IN EXCLUSIVE MODE`);
      return async () => {
        await client.query('COMMIT');
        await client.end();
      };
    },
    untilWaiting: async () => {
      const deadline = Date.now() + SETTLED_MS;
      while ((await read(WAITING)).length === 0) {
        requireThat(Date.now() < deadline, () => 'No act waits for the lock.');
        await sleep(5);
      }
    },
    drop,
  };
}
