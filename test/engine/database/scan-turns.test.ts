import { setTimeout as later } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Asker } from '../../../src/engine/database/asker.js';
import { poolConfigOf } from '../../../src/engine/database/data-source.js';
import type { Database } from '../../../src/engine/database/database.js';
import { PostgresLongReads } from '../../../src/engine/database/postgres-long-reads.js';
import { ScanQueue } from '../../../src/engine/database/scan-queue.js';
import type { LongReads } from '../../../src/engine/database/long-reads.js';
import { SqliteLongReads } from '../../../src/engine/database/sqlite-long-reads.js';
import { raw } from '../../../src/engine/database/sql.js';
import type pg from 'pg';
import { proxyInFrontOf } from '../../support/faults/proxy.js';
import { describeOnEachEngine, describeOnPostgres } from '../../support/fixtures/database.js';
import { itemsDatabase } from './items.js';

const LIMIT_MS = 1_000;
/** A limit that is never reached, for tests in which something else ends the read. */
const LONG_LIMIT_MS = 600_000;

const staying = (name: string): Asker => ({ name, isGone: () => false });

/** A statement like the statement of a list. It has many more rows than can be scanned within the limit. */
function endless(scans: LongReads) {
  const condition = scans.watch('n') ?? 'true';
  return raw(
    `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 2000000000)
     SELECT count(*) AS n FROM many WHERE ${condition}`,
    [],
  );
}

describeOnEachEngine('long reads of several callers', (engine) => {
  async function withLimit(limitMs: number): Promise<{ database: Database; scans: LongReads }> {
    const { database } = await itemsDatabase(engine);
    const { dataSource } = database;
    const { master } = dataSource.driver as unknown as { master: pg.Pool };
    const scans =
      engine === 'sqlite'
        ? new SqliteLongReads(String(dataSource.options.database), { limitMs })
        : new PostgresLongReads(master, poolConfigOf(dataSource.options), limitMs);
    onTestFinished(() => scans.stop());
    return { database, scans };
  }

  it('are ended when they take too long, with advice in the message, and the next read runs', async () => {
    const { scans } = await withLimit(LIMIT_MS);
    await expect(scans.run(staying('a'), endless(scans))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('Search for a longer text'),
    });
    // On a busy machine, the limit can pass before the new thread of SQLite has started.
    await vi.waitFor(
      async () => expect(await scans.of(staying('a')).one(raw('SELECT 7 AS n', []))).toEqual({ n: 7 }),
      { timeout: 60_000 },
    );
  });

  it('are ended when their client leaves, and the next read runs', async () => {
    const { database, scans } = await withLimit(LONG_LIMIT_MS);
    let isGone = false;
    const running = scans.run({ name: 'a', isGone: () => isGone }, endless(scans));
    const waiting = scans.run({ name: 'a', isGone: () => isGone }, raw('SELECT 7 AS n', []));
    isGone = true;
    const left = { message: 'The client closed the connection.' };
    await Promise.all([
      expect(running).rejects.toMatchObject(left),
      expect(waiting).rejects.toMatchObject(left),
    ]);
    expect(await scans.of(staying('a')).one(raw('SELECT 7 AS n', []))).toEqual({ n: 7 });
    const active =
      engine === 'sqlite'
        ? []
        : await database.dataSource.query(
            `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'WITH RECURSIVE many%'`,
          );
    expect(active).toEqual([]);
  });

  it('do not use the connections of other reads', async () => {
    const { database, scans } = await withLimit(LONG_LIMIT_MS);
    let isGone = false;
    const long = ['a', 'b', 'c'].map((name) => scans.run({ name, isGone: () => isGone }, endless(scans)));
    const settled = Promise.allSettled(long);
    for (let n = 0; n < 50; n += 1)
      expect(await database.reads.one(raw(`SELECT ${n} AS n`, []))).toEqual({ n });
    isGone = true;
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});

describeOnPostgres('a long read whose statement is slow to arrive', () => {
  it('is ended when its client leaves, although the first cancellation comes before the statement', async () => {
    const { database } = await itemsDatabase('postgres');
    const { dataSource } = database;
    const { master } = dataSource.driver as unknown as { master: pg.Pool };
    const config = poolConfigOf(dataSource.options);
    const isSlow = { at: false };
    const url = await proxyInFrontOf(String(config.connectionString), (client, upstream) => {
      client.on('data', (data) => void later(isSlow.at ? 500 : 0).then(() => upstream.write(data)));
      upstream.pipe(client);
      for (const socket of [client, upstream]) {
        socket.on('error', () => undefined);
        socket.on('close', () => void (client.destroy(), upstream.destroy()));
      }
    });
    const scans = new PostgresLongReads(master, { ...config, connectionString: url }, LONG_LIMIT_MS);
    onTestFinished(() => scans.stop());
    expect(await scans.of(staying('a')).one(raw('SELECT 7 AS n', []))).toEqual({ n: 7 });
    isSlow.at = true;
    let isGone = false;
    const running = scans.run({ name: 'a', isGone: () => isGone }, endless(scans));
    isGone = true;
    await expect(running).rejects.toMatchObject({ message: 'The client closed the connection.' });
  });
});

describeOnPostgres('a long read without an answer', () => {
  it('leaves no connection to the next read, even if its client has left', async () => {
    const { database } = await itemsDatabase('postgres');
    const { dataSource } = database;
    const { master } = dataSource.driver as unknown as { master: pg.Pool };
    const config = poolConfigOf(dataSource.options);
    let isFrozen = false;
    const url = await proxyInFrontOf(String(config.connectionString), (client, upstream) => {
      const isNew = isFrozen;
      client.pipe(upstream);
      upstream.on('data', (data) => {
        if (isNew || !isFrozen) client.write(data);
      });
      for (const socket of [client, upstream]) {
        socket.on('error', () => undefined);
        socket.on('close', () => void (client.destroy(), upstream.destroy()));
      }
    });
    const scans = new PostgresLongReads(master, { ...config, connectionString: url }, LIMIT_MS);
    onTestFinished(() => scans.stop());
    expect(await scans.of(staying('a')).one(raw('SELECT 7 AS n', []))).toEqual({ n: 7 });
    // The connection that is open now gets no more answers, like a connection to a machine that is lost.
    isFrozen = true;
    let isGone = false;
    const leaving = scans.run({ name: 'a', isGone: () => isGone }, raw('SELECT 7 AS n', []));
    isGone = true;
    await expect(leaving).rejects.toMatchObject({ message: 'The client closed the connection.' });
    expect(await scans.of(staying('a')).one(raw('SELECT 7 AS n', []))).toEqual({ n: 7 });
  });
});

it('long reads take turns between callers, one at a time for each caller', async () => {
  const queue = new ScanQueue({ lanes: 2, waiting: 100, waitingOfOne: 100, waitMs: 10_000 });
  const done: string[] = [];
  const running = new Map<string, number>();
  let most = 0;
  const scan = (name: string) =>
    queue.run(staying(name), async () => {
      running.set(name, (running.get(name) ?? 0) + 1);
      expect(running.get(name)).toBe(1);
      most = Math.max(most, running.size);
      await later(1);
      running.delete(name);
      done.push(name);
    });
  await Promise.all([
    ...Array.from({ length: 50 }, () => scan('hostile')),
    ...['a', 'b', 'c'].flatMap((name) => [scan(name), scan(name)]),
  ]);
  expect(most).toBe(2);
  // A caller with many waiting reads does not delay the reads of the others.
  for (const name of ['a', 'b', 'c']) expect(done.lastIndexOf(name)).toBeLessThan(12);
});

it('long reads are refused when too many of them wait, or when they wait too long', async () => {
  const queue = new ScanQueue({ lanes: 1, waiting: 4, waitingOfOne: 2, waitMs: 50 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const scan = (name: string) => queue.run(staying(name), () => promise);
  const first = scan('a');
  const refused: Promise<unknown>[] = ['a', 'a', 'b', 'b'].map((name) =>
    expect(scan(name)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 }),
  );
  await expect(scan('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  await expect(scan('c')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  await Promise.all(refused);
  resolve();
  await first;
  await expect(scan('c')).resolves.toBeUndefined();
  await queue.stop();
  await expect(scan('c')).rejects.toThrow('shutting down');
});
