import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { migrate, revertLastMigration } from '../../../src/engine/database/migrations.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { describeOnPostgres, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';

const DAY_MS = 24 * 3_600_000;
const NAME = 'EventLogPartitions1763700000022';

interface Partition {
  readonly first: number;
  readonly next: number;
}

/** The moment that was this number of days ago. */
const old = (days: number): Date => new Date(Date.now() - days * DAY_MS);

describeOnPostgres('the partitions of the log', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let log: EventLog;
  let other: Client;
  beforeEach(async () => {
    fresh = await freshDatabase('postgres');
    database = await Database.open({ url: fresh.url, ...(await importedFeatures()) });
    log = new EventLog(database);
    other = new Client({ connectionString: fresh.url });
    await other.connect();
  });
  afterEach(async () => {
    await other.end();
    await database.close();
    await fresh.drop();
  });

  const write = (count: number): Promise<unknown> =>
    other.query(
      `INSERT INTO event_outbox (type, kind, entity_id, entity_version, data, actor, occurred_at)
       SELECT 'product.created', 'product', n, 1, '{}', '{}', now() FROM generate_series(1, $1) AS n`,
      [count],
    );
  /** Writes events, and moves them as a leader does. */
  const append = async (count: number): Promise<void> => {
    await write(count);
    for (let moved = 1; moved > 0;) {
      moved = Number((await other.query('SELECT sequence_events(5000) AS n')).rows[0].n);
    }
  };
  /**
   * Makes the events up to a position some days old. Does the same with the partitions that begin at the next position
   * or before it.
   */
  const age = async (upTo: number, days: number): Promise<void> => {
    await other.query(`UPDATE events SET occurred_at = now() - $2 * interval '1 day' WHERE position <= $1`, [
      upTo,
      days,
    ]);
    await other.query(
      `UPDATE event_log_partitions SET opened_at = now() - $2 * interval '1 day' WHERE first <= $1 + 1`,
      [upTo, days],
    );
  };
  const partitions = async (): Promise<readonly Partition[]> => {
    const { rows } = await other.query<{ first: string; next: string }>(
      'SELECT first, next FROM event_log_partitions ORDER BY first',
    );
    return rows.map(({ first, next }) => ({ first: Number(first), next: Number(next) }));
  };
  const tables = async (): Promise<readonly string[]> =>
    (
      await other.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY inhrelid`,
      )
    ).rows.map(({ name }) => name);

  it('are opened before they are needed, and the log has no gap between them', async () => {
    expect(await partitions()).toEqual([{ first: 1, next: 10_001 }]);
    await append(25_000);
    const [first, second] = await partitions();
    expect([first?.next, second?.first]).toEqual([10_001, 10_001]);
    expect(await tables()).toEqual(['events_1', 'events_10001']);
    expect((await log.after(9_998, 5)).map(({ position }) => position)).toEqual([
      9_999, 10_000, 10_001, 10_002, 10_003,
    ]);
    expect(await log.page(9_998, 3, 1_000_000)).toHaveLength(3);
    expect([await log.oldest(), await log.latest()]).toEqual([1, 25_000]);
  });

  /** Opens a new partition as if the last one had been opened some hours ago. Returns the size of the new partition. */
  const open = async (openedHoursAgo: number): Promise<number> => {
    await other.query(`UPDATE event_log_partitions SET opened_at = now() - $1 * interval '1 hour'`, [
      openedHoursAgo,
    ]);
    await other.query('SELECT open_event_log_partition(1)');
    const last = (await partitions()).at(-1);
    return (last?.next ?? 0) - (last?.first ?? 0);
  };

  it('have room for the events of about one day, but at most eight times as many as the last partition', async () => {
    expect(await open(0)).toBe(80_000);
    expect(await open(12)).toBe(160_000);
    expect(await open(48)).toBe(80_000);
    expect(await open(24 * 365)).toBe(10_000);
  });

  it('are dropped when all of their events are old, and the log then begins with the next partition', async () => {
    await append(12_000);
    await age(10_000, 8);
    expect(await log.purge(old(7), 500)).toBe(500);
    expect(await tables()).toEqual(['events_10001']);
    expect([await log.oldest(), await log.latest()]).toEqual([10_001, 12_000]);
    expect(await log.purge(old(7), 500)).toBe(0);
    await append(3);
    expect(await log.latest()).toBe(12_003);
  });

  it('are kept if the next partition is new, although all of their events have old times', async () => {
    await append(12_000);
    await other.query(`UPDATE events SET occurred_at = now() - interval '8 days' WHERE position <= 10000`);
    expect(await log.purge(old(7), 500)).not.toBe(0);
    expect(await tables()).toEqual(['events_1', 'events_10001']);
  });

  it('keep all of their events if all of these events will be old within a day', async () => {
    await append(12_000);
    await age(10_000, 6.5);
    await age(9_000, 8);
    expect(await log.purge(old(7), 500)).toBe(0);
    expect(await log.oldest()).toBe(1);
  });

  it('lose only their old events if their other events are kept for longer', async () => {
    await append(12_000);
    await age(700, 8);
    expect(await log.purge(old(7), 500)).toBe(500);
    expect(await log.purge(old(7), 500)).toBe(200);
    expect(await log.oldest()).toBe(701);
  });

  it('are kept during a long read of the log, and nobody waits for this read', async () => {
    await append(12_000);
    await age(10_000, 8);
    await other.query('BEGIN');
    await other.query('SELECT count(*) FROM events');
    expect(await log.purge(old(7), 500)).toBe(0);
    expect((await log.after(0, 1))[0]?.position).toBe(1);
    await other.query('COMMIT');
    expect(await log.purge(old(7), 500)).toBe(500);
  });

  const purgeByThree = async () => {
    const purged = await Promise.all([1, 2, 3].map(() => log.purge(old(7), 500)));
    return purged.toSorted((a, b) => b - a);
  };

  it('are dropped by one of several purges that run at the same time', async () => {
    await append(12_000);
    await age(10_000, 8);
    // If another session, such as autovacuum, holds the table at this moment, nobody drops the table in this round.
    await expect.poll(purgeByThree).toEqual([500, 0, 0]);
    expect(await tables()).toEqual(['events_10001']);
  });

  it('hold the log of an earlier version after the migration, and give it back when the migration is reverted', async () => {
    const { dataSource } = database;
    await append(12);
    const before = (await log.after(0, 100)).map(({ position }) => position);
    while (
      (await other.query('SELECT name FROM migrations ORDER BY id DESC LIMIT 1')).rows[0].name !== NAME
    ) {
      await revertLastMigration(dataSource);
    }
    await revertLastMigration(dataSource);
    await append(3);
    expect(await log.latest()).toBe(15);
    await migrate(dataSource);
    await append(2);
    expect((await log.after(0, 100)).map(({ position }) => position)).toEqual([
      ...before,
      13,
      14,
      15,
      16,
      17,
    ]);
    expect(await partitions()).toEqual([{ first: 1, next: 10_016 }]);
  });
});
