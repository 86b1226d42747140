import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseUnavailable, faultOf } from '../../../src/engine/database/faults.js';
import type { Asker } from '../../../src/engine/database/asker.js';
import type { Database } from '../../../src/engine/database/database.js';
import { SqliteLongReads } from '../../../src/engine/database/sqlite-long-reads.js';
import { anyOf, raw, run, sql } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { Unavailable } from '../../../src/engine/errors/errors.js';
import { insert, itemsDatabase } from './items.js';
import { onlyLong } from '../../support/sampled.js';

const ASKER: Asker = { name: 'a test', isGone: () => false };
const scansOf = ({ scans }: Database) => scans.of(ASKER);

const threads: Worker[] = [];
const note = (thread: Worker) => threads.push(thread);
beforeEach(() => {
  threads.length = 0;
  process.on('worker', note);
});
afterEach(() => process.off('worker', note));

describeOnEachEngine('long reads', (engine) => {
  it('return the same rows as other reads, with bound values of several kinds', async () => {
    const { database } = await itemsDatabase(engine);
    const at = new Date(1_763_700_000_123);
    await database.unitOfWork.run(function* () {
      for (const name of ['a', 'b', 'c'])
        yield* run(
          sql`INSERT INTO items (name, created_at, price_minor) VALUES (${name}, ${at}, ${2 ** 40})`,
        );
    });
    for (const statement of [
      sql`SELECT * FROM items WHERE created_at = ${at} AND listed = ${true} ORDER BY id DESC`,
      sql`SELECT name FROM items WHERE id ${anyOf([1, 3])} ORDER BY id`,
      sql`SELECT id FROM items WHERE price_minor = ${2n ** 40n} AND name <> ${'b'}`,
      sql`SELECT id FROM items WHERE name = ${'none'}`,
      raw('SELECT count(*) AS n FROM items', []),
    ]) {
      expect(await scansOf(database).all(statement)).toEqual(await database.reads.all(statement));
      expect(await scansOf(database).one(statement)).toEqual(await database.reads.one(statement));
    }
    expect(await scansOf(database).all(sql`SELECT name FROM items ORDER BY id`)).toEqual([
      { name: 'a' },
      { name: 'b' },
      { name: 'c' },
    ]);
  });

  it('see rows that were just committed, and no rows of an act that failed', async () => {
    const { database } = await itemsDatabase(engine);
    const count = () => scansOf(database).one<{ n: number }>(sql`SELECT count(*) AS n FROM items`);
    for (let n = 1; n <= 50; n += 1) {
      await database.unitOfWork.run(insert(`item ${n}`));
      expect(await count()).toEqual({ n });
    }
    await expect(
      database.unitOfWork.run(function* () {
        yield* insert('undone')(undefined as never);
        throw new Error('changed its mind');
      }),
    ).rejects.toThrow('changed its mind');
    expect(await count()).toEqual({ n: 50 });
  });

  it('fail with the error of the driver, and the next reads work', async () => {
    const { database } = await itemsDatabase(engine);
    const fault = await scansOf(database)
      .all(sql`SELECT * FROM nowhere`)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: engine === 'sqlite' ? 'SQLITE_ERROR' : '42P01' });
    expect(faultOf(fault)).toEqual({ kind: 'other' });
    await expect(scansOf(database).all(sql`SELECT ${2 ** 53}`)).rejects.toThrow(RangeError);
    await expect(scansOf(database).all(sql`ROLLBACK`)).rejects.toThrow(TypeError);
    await expect(scansOf(database).one(sql`SELECT 1 AS n`)).resolves.toEqual({ n: 1 });
  });

  it('are refused after the database is closed', async () => {
    const { database } = await itemsDatabase(engine);
    await scansOf(database).one(sql`SELECT 1`);
    await database.close();
    await expect(scansOf(database).one(sql`SELECT 1`)).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('long reads on SQLite', () => {
  it('start one thread with the first read, and end it with the database', async () => {
    const { database } = await itemsDatabase('sqlite');
    await database.unitOfWork.run(insert('a'));
    await database.reads.all(sql`SELECT * FROM items`);
    expect(threads).toHaveLength(0);
    await Promise.all([1, 2, 3].map((n) => scansOf(database).one(sql`SELECT ${n} AS n`)));
    expect(threads).toHaveLength(1);
    // An idle thread does not keep the process alive.
    expect(process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name))).toEqual([]);
    const ended = new Promise((resolve) => threads[0]?.once('exit', resolve));
    await database.close();
    await ended;
  });

  it('cannot write', async () => {
    const { database } = await itemsDatabase('sqlite');
    const writing = scansOf(database).all(sql`INSERT INTO items (name) VALUES ('a') RETURNING id`);
    await expect(writing).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(writing).rejects.toMatchObject({ cause: { code: 'SQLITE_READONLY' } });
  });

  it('keep a bounded number of statements in memory, without waiting for a garbage collection', async () => {
    const { database } = await itemsDatabase('sqlite');
    const scans = scansOf(database);
    // Only the end of a connection frees its statements at once. A new connection does not have the changed
    // `busy_timeout`, so the value shows when the connection is a new one.
    const timeout = (set = '') => scans.one<{ timeout: number }>(raw(`PRAGMA busy_timeout ${set}`, []));
    expect(await timeout('= 4321')).toEqual({ timeout: 4_321 });
    for (let n = 0; n < 90; n += 1) expect(await scans.one(raw(`SELECT ${n} AS n`, []))).toEqual({ n });
    // A text that was used before needs no new statement.
    for (let n = 0; n < 90; n += 1) expect(await scans.one(raw(`SELECT ${n} AS n`, []))).toEqual({ n });
    expect(await timeout()).toEqual({ timeout: 4_321 });
    for (let n = 90; n < 110; n += 1) expect(await scans.one(raw(`SELECT ${n} AS n`, []))).toEqual({ n });
    expect(await timeout()).toEqual({ timeout: 5_000 });
    expect(threads).toHaveLength(1);
  });

  it('stay with the file that the service has opened, even if the file is moved', async () => {
    const { database } = await itemsDatabase('sqlite');
    const scans = scansOf(database);
    const file = database.dataSource.options.database as string;
    expect(await scans.one(raw('SELECT 1 AS n', []))).toEqual({ n: 1 });
    renameSync(file, `${file}.moved`);
    try {
      for (let n = 0; n < 110; n += 1) {
        expect(await scans.one(raw(`SELECT ${n} AS n, (SELECT count(*) FROM items) AS items`, []))).toEqual({
          n,
          items: 0,
        });
      }
    } finally {
      renameSync(`${file}.moved`, file);
    }
    expect(threads).toHaveLength(1);
  });

  it('fail when their thread breaks, and the next reads get a new thread', async () => {
    const { database } = await itemsDatabase('sqlite');
    await scansOf(database).one(sql`SELECT 1`);
    const pending = [1, 2].map((n) =>
      scansOf(database).one(sql`
        WITH RECURSIVE many (n) AS (SELECT ${n} UNION ALL SELECT n + 1 FROM many WHERE n < 500000)
        SELECT count(*) FROM many`),
    );
    const results = Promise.allSettled(pending);
    await threads[0]?.terminate();
    expect(await results).toMatchObject([
      { status: 'rejected', reason: expect.any(DatabaseUnavailable) },
      { status: 'fulfilled' },
    ]);
    expect(await scansOf(database).one(sql`SELECT 1 AS n`)).toEqual({ n: 1 });
    expect(threads).toHaveLength(2);
  });

  describe('while SQLite does not answer', () => {
    let fresh: FreshDatabase;
    let file: string;
    let locker: BetterSqlite3.Database;
    let scans: SqliteLongReads;
    // This file has no WAL, so an open write transaction locks out all readers until the test ends it.
    const lock = () => locker.exec('BEGIN EXCLUSIVE');
    const unlock = () => locker.exec('COMMIT');
    const read = () => scans.of(ASKER).one(sql`SELECT n FROM numbers`);

    beforeEach(async () => {
      fresh = await freshDatabase('sqlite');
      file = fresh.url.slice('sqlite:'.length);
      locker = new BetterSqlite3(file);
      locker.exec('CREATE TABLE numbers AS SELECT 7 AS n');
      scans = new SqliteLongReads(file, { limitMs: 1_000, waitMs: 2_000 });
    });
    afterEach(async () => {
      await scans.stop();
      locker.close();
      await fresh.drop();
    });

    it('are refused when too many of them wait', async () => {
      lock();
      const pending = Array.from({ length: 41 }, read);
      await expect(read()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
      unlock();
      expect(new Set((await Promise.all(pending)).map((row) => JSON.stringify(row)))).toEqual(
        new Set(['{"n":7}']),
      );
    });

    it(
      'are given up after a time limit, and the next read gets a new thread when the old thread has ended',
      onlyLong,
      async () => {
        expect(await read()).toEqual({ n: 7 });
        lock();
        for (const result of await Promise.allSettled([read(), read()])) {
          expect(result).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
        }
        const later = read();
        expect(threads).toHaveLength(1);
        unlock();
        // On a busy machine, the start of the new thread may take longer than the limit.
        expect(await later.catch(read)).toEqual({ n: 7 });
        expect(threads.length).toBeGreaterThan(1);
      },
    );

    it('are ended by a stop, except for the running read', async () => {
      lock();
      const [running, waiting] = [read(), read()];
      const stopped = scans.stop();
      await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(read()).rejects.toBeInstanceOf(DatabaseUnavailable);
      unlock();
      expect(await running).toEqual({ n: 7 });
      await stopped;
    });

    it('fail while the file is missing, and work after the file is created', async () => {
      const elsewhere = new SqliteLongReads(join(file, '..', 'later.sqlite'));
      await expect(elsewhere.of(ASKER).one(sql`SELECT 1`)).rejects.toBeInstanceOf(DatabaseUnavailable);
      new BetterSqlite3(join(file, '..', 'later.sqlite')).exec('CREATE TABLE t (n)').close();
      expect(await elsewhere.of(ASKER).one(sql`SELECT count(*) AS n FROM t`)).toEqual({ n: 0 });
      await elsewhere.stop();
    });
  });
});
