import BetterSqlite3 from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { requireThat } from './options.ts';

export type Engine = 'sqlite' | 'postgres';

export interface LoggedEvent {
  readonly position: number;
  readonly type: string;
  readonly entity_id: number;
}

/** A database of its own for one proof, which is read past the service. */
export interface ProofDatabase {
  readonly url: string;
  /** The whole log of events, once all that was committed is in it. */
  events(): Promise<readonly LoggedEvent[]>;
  /** The orders whose total is not the sum of their lines. */
  wrongTotals(): Promise<readonly unknown[]>;
  drop(): Promise<void>;
}

const EVENTS = 'SELECT position, type, entity_id FROM events ORDER BY position';
const WRONG_TOTALS = `
  SELECT id, total_minor, (SELECT sum(total_minor) FROM order_items WHERE order_id = id) AS lines FROM orders
  WHERE total_minor IS DISTINCT FROM (SELECT sum(total_minor) FROM order_items WHERE order_id = id)`;
const SETTLED_MS = 30_000;

export async function createSqlite(): Promise<ProofDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'store-prove-'));
  const file = join(folder, 'store.sqlite');
  const read = <T>(query: string): T[] => {
    const handle = new BetterSqlite3(file, { readonly: true });
    try {
      return handle.prepare<[], T>(query).all();
    } finally {
      handle.close();
    }
  };
  return {
    url: `sqlite:${file}`,
    events: async () => read(EVENTS),
    wrongTotals: async () => read(WRONG_TOTALS),
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @param server where databases may be created; between two calls it may be gone */
export async function createPostgres(server: string): Promise<ProofDatabase> {
  const name = `store_prove_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await readFrom(server, `CREATE DATABASE ${name}`);
  return {
    url: url.href,
    events: async () => {
      const deadline = Date.now() + SETTLED_MS;
      while ((await readFrom(url.href, 'SELECT FROM event_outbox LIMIT 1')).length > 0) {
        requireThat(Date.now() < deadline, () => 'Events stay in the outbox.');
        await sleep(20);
      }
      return readFrom<LoggedEvent>(
        url.href,
        'SELECT position::integer, type, entity_id::integer FROM events ORDER BY position',
      );
    },
    wrongTotals: () => readFrom(url.href, WRONG_TOTALS),
    drop: async () => void (await readFrom(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

async function readFrom<T extends object>(connectionString: string, query: string): Promise<T[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<T>(query)).rows;
  } finally {
    await client.end();
  }
}
