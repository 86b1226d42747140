import BetterSqlite3 from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createPostgres, createSqlite, type Engine, type ProofDatabase } from './databases.ts';
import { requireThat } from './options.ts';

/** A database to which things happen that the service under it cannot know of. */
export interface Breakable extends ProofDatabase {
  /** Removes all of the log but the newest event, as time does. */
  forget(): Promise<void>;
  /** Takes away a table that the service needs. */
  spoil(): Promise<void>;
  /** Makes the whole database unusable. */
  takeAway(): Promise<void>;
  /** Null where one act has to wait for the other anyway. */
  readonly lock: Lock | null;
}

/** Lets nobody write until the returned function is called. */
export type Lock = () => Promise<{
  readonly untilWaiting: () => Promise<void>;
  readonly unlock: () => Promise<void>;
}>;

const FORGET = 'DELETE FROM events WHERE position < (SELECT max(position) FROM events)';
const SPOIL = 'ALTER TABLE api_keys RENAME TO api_keys_of_long_ago';
/** What is made of events waits for nobody. */
const LOCKED = `SELECT quote_ident(tablename) AS name FROM pg_tables
  WHERE schemaname = 'public' AND tablename NOT LIKE 'event%'`;
const WAITING = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE NOT granted AND datname = current_database()`;
const WAITING_MS = 30_000;

export async function createBreakable(engine: Engine): Promise<Breakable> {
  if (engine === 'postgres') {
    const server = process.env['TEST_POSTGRES_URL'] ?? '';
    return breakablePostgres(await createPostgres(server), server);
  }
  return breakableSqlite(await createSqlite());
}

function breakableSqlite(database: ProofDatabase): Breakable {
  const write = async (act: (handle: BetterSqlite3.Database) => void): Promise<void> => {
    const handle = new BetterSqlite3(database.url.replace(/^sqlite:/, ''));
    try {
      act(handle);
    } finally {
      handle.close();
    }
  };
  return {
    ...database,
    forget: () => write((handle) => void handle.exec(FORGET)),
    spoil: () => write((handle) => void handle.exec(SPOIL)),
    takeAway: () => write(ruin),
    lock: null,
  };
}

/** Every table is said to begin at a page that does not exist, as in a file that is damaged. */
function ruin(handle: BetterSqlite3.Database): void {
  handle.unsafeMode();
  const version = handle.pragma('schema_version', { simple: true }) as number;
  handle.pragma('writable_schema = ON');
  handle.exec("UPDATE sqlite_schema SET rootpage = 1000000000 WHERE type = 'table'");
  handle.pragma(`schema_version = ${version + 1}`);
}

function breakablePostgres(database: ProofDatabase, server: string): Breakable {
  const name = new URL(database.url).pathname.slice(1);
  return {
    ...database,
    forget: () => during(database.url, async (client) => void (await client.query(FORGET))),
    spoil: () => during(database.url, async (client) => void (await client.query(SPOIL))),
    takeAway: () =>
      during(server, async (client) => {
        await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          name,
        ]);
      }),
    lock: async () => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query<{ name: string }>(LOCKED);
      await client.query('BEGIN');
      await client.query(`LOCK TABLE ${rows.map((table) => table.name).join(', ')} IN EXCLUSIVE MODE`);
      return {
        untilWaiting: async () => {
          const deadline = Date.now() + WAITING_MS;
          while ((await client.query(WAITING)).rows.length === 0) {
            requireThat(Date.now() < deadline, () => 'Nobody waits for the lock.');
            await sleep(5);
          }
        },
        unlock: () => client.end(),
      };
    },
  };
}

async function during<T>(url: string, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}
