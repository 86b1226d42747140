import { Client } from 'pg';
import { importedFeatures } from '../../src/database/features.js';
import { dataSourceOptions, openDataSource } from '../../src/database/data-source.js';
import { freshDatabase } from './database.js';

/** One connection to PostgreSQL whose transactions a test begins and ends by hand. */
export interface Hand {
  readonly client: Client;
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Writes an event, as an act does. */
  write(kind: string, id: number, version: number): Promise<void>;
  /** Moves a batch, as a leader does; gives how many were moved. */
  sequence(most?: number): Promise<number>;
}

export interface Outbox {
  readonly url: string;
  hand(): Promise<Hand>;
  /** Everything in the log: its position, and what it is about. */
  log(): Promise<string[]>;
  close(): Promise<void>;
}

/** The database of a store on PostgreSQL that nobody else uses: what is in the outbox stays there until a test moves it. */
export async function freshOutbox(): Promise<Outbox> {
  const database = await freshDatabase('postgres');
  const source = await openDataSource(
    dataSourceOptions({ url: database.url, ...(await importedFeatures()) }),
  );
  await source.destroy();
  const hands: Client[] = [];
  const hand = async (): Promise<Hand> => {
    const client = new Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    hands.push(client);
    return {
      client,
      begin: async () => void (await client.query('BEGIN')),
      commit: async () => void (await client.query('COMMIT')),
      write: async (kind, id, version) => {
        await client.query(
          `INSERT INTO event_outbox (type, kind, entity_id, entity_version, data, actor, occurred_at)
           VALUES ('made by hand', $1, $2, $3, '{}', '{}', now())`,
          [kind, id, version],
        );
      },
      sequence: async (most = 1_000) => {
        const { rows } = await client.query<{ n: number }>('SELECT sequence_events($1) AS n', [most]);
        return rows[0]?.n ?? 0;
      },
    };
  };
  const reader = await hand();
  return {
    url: database.url,
    hand,
    log: async () => {
      const { rows } = await reader.client.query<{ line: string }>(
        `SELECT position || ' ' || kind || ' ' || entity_id || ' v' || entity_version AS line FROM events ORDER BY position`,
      );
      return rows.map(({ line }) => line);
    },
    close: async () => {
      await Promise.all(hands.map((client) => client.end().catch(() => undefined)));
      await database.drop();
    },
  };
}
