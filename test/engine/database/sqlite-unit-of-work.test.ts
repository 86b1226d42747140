import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { promisify } from 'node:util';
import BetterSqlite3, { type Database as SqliteHandle } from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../../../src/engine/database/database.js';
import { DatabaseUnavailable, faultOf } from '../../../src/engine/database/faults.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import type { Act } from '../../../src/engine/database/transaction.js';
import { SqliteUnitOfWork } from '../../../src/engine/database/sqlite-unit-of-work.js';
import { needing } from '../../support/needs.js';
import { insert, itemsDatabase, names, namesRead, openItems } from './items.js';

const writerOf = (database: Database): SqliteHandle =>
  (database.dataSource.driver as unknown as { databaseConnection: SqliteHandle }).databaseConnection;

function countCommits(database: Database): () => number {
  let commits = 0;
  if (!(database.unitOfWork instanceof SqliteUnitOfWork)) throw new TypeError('not SQLite');
  database.unitOfWork.beforeCommit(() => () => {
    commits += 1;
  });
  return () => commits;
}

const insertBlob = (name: string, bytes: number): Act<void> =>
  function* () {
    yield* run(sql`INSERT INTO items (name) VALUES (${name + 'x'.repeat(bytes)})`);
  };

const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'store-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();
const onSmallDisk = needing(
  'a small disk',
  canMount,
  'run the tests as root on Linux, where they may mount a file system',
);

const slow = (name: string): Act<number> =>
  function* (tx) {
    const end = performance.now() + 15;
    while (performance.now() < end);
    return yield* insert(name)(tx);
  };

const dangling: Act<void> = function* () {
  yield* run(sql`INSERT INTO links (item_id) VALUES (4711)`);
};

describe('unit of work on one SQLite connection', () => {
  it('commits waiting acts together', async () => {
    const { database } = await itemsDatabase('sqlite');
    const commits = countCommits(database);
    await Promise.all(Array.from({ length: 100 }, (_, n) => database.unitOfWork.run(insert(`n${n}`))));
    expect(commits()).toBeLessThan(20);
    expect(await names(database)).toHaveLength(100);
  });

  it('ends a batch that takes long, and continues with the next batch', async () => {
    const { database } = await itemsDatabase('sqlite');
    const commits = countCommits(database);
    await Promise.all(['a', 'b', 'c'].map((name) => database.unitOfWork.run(slow(name))));
    expect(commits()).toBe(3);
    expect(await namesRead(database)).toEqual(['a', 'b', 'c']);
  });

  it('stores the other acts of a batch when SQLite reports a full database and rolls the transaction back', async () => {
    const { database } = await itemsDatabase('sqlite');
    const writer = writerOf(database);
    const called: string[] = [];
    const noted = (act: Act<unknown>, name: string): Act<unknown> =>
      function* (tx) {
        tx.afterCommit(() => called.push(name));
        return yield* act(tx);
      };
    writer.pragma(`max_page_count = ${Number(writer.pragma('page_count', { simple: true })) + 20}`);
    const results = await Promise.allSettled([
      database.unitOfWork.run(noted(insert('a'), 'a')),
      database.unitOfWork.run(noted(insertBlob('huge', 2_000_000), 'huge')),
      database.unitOfWork.run(noted(insert('b'), 'b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'SQLITE_FULL' } });
    expect(called).toEqual(['a', 'b']);
    expect(await namesRead(database)).toEqual(['a', 'b']);
    expect(writer.inTransaction).toBe(false);
  });

  it('stores the other acts of a batch when the disk is full', onSmallDisk, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    try {
      const database = await openItems(`sqlite:${join(folder, 'store.sqlite')}`);
      const results = await Promise.allSettled([
        database.unitOfWork.run(insert('a')),
        database.unitOfWork.run(insertBlob('huge', 2_000_000)),
        database.unitOfWork.run(insert('b')),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(faultOf((results[1] as PromiseRejectedResult).reason).kind).toMatch(/full|unavailable/);
      expect(await namesRead(database)).toEqual(['a', 'b']);
      await database.close();
    } finally {
      // A lazy unmount, so that the disk is also removed after a failed test.
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    }
  });

  it('refuses only the act whose commit cannot succeed', async () => {
    const { database } = await itemsDatabase('sqlite');
    const called: string[] = [];
    const results = await Promise.allSettled([
      database.unitOfWork.run(insert('a')),
      database.unitOfWork.run(function* (tx) {
        tx.afterCommit(() => called.push('dangling'));
        yield* dangling(tx);
      }),
      database.unitOfWork.run(insert('b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(faultOf((results[1] as PromiseRejectedResult).reason).kind).toBe('foreign_key');
    expect(called).toEqual([]);
    expect(await namesRead(database)).toEqual(['a', 'b']);
  });

  it('counts each act of a batch once when the commit fails and the acts are repeated', async () => {
    const { database } = await itemsDatabase('sqlite');
    const counts = () => Object.fromEntries(database.unitOfWork.acts.entries()) as Record<string, number>;
    const { committed = 0, refused = 0 } = counts();
    const acts: Act<unknown>[] = [insert('a'), dangling, insert('b')];
    await Promise.allSettled(acts.map((act) => database.unitOfWork.run(act)));
    expect(counts()).toMatchObject({ committed: committed + 2, refused: refused + 1 });
  });

  it('stores the other acts of a batch when a statement rolls the transaction back', async () => {
    const { database } = await itemsDatabase('sqlite');
    await database.unitOfWork.run(insert('taken'));
    const results = await Promise.allSettled([
      database.unitOfWork.run(insert('a')),
      database.unitOfWork.run(() => run(sql`INSERT OR ROLLBACK INTO items (name) VALUES ('taken')`)),
      database.unitOfWork.run(insert('b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await namesRead(database)).toEqual(['taken', 'a', 'b']);
  });

  it('waits for a write of another process without blocking the event loop', async () => {
    const { database } = await itemsDatabase('sqlite');
    const other = lockingProcess(writerOf(database).name, 400);
    const exited = once(other, 'exit');
    await once(other.stdout, 'data');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    await Promise.all([database.unitOfWork.run(insert('a')), database.unitOfWork.run(insert('b'))]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    expect(await namesRead(database)).toEqual(['other', 'a', 'b']);
    await exited;
  });

  it('gives up when another connection writes for too long, and works again later', async () => {
    const { database } = await itemsDatabase('sqlite');
    const other = new BetterSqlite3(writerOf(database).name);
    other.exec('BEGIN IMMEDIATE');
    let outcome: unknown = 'waits';
    const refused = database.unitOfWork.run(insert('a')).catch((error: unknown) => (outcome = error));
    await later(200);
    expect(outcome).toBe('waits');
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await refused).toBeInstanceOf(DatabaseUnavailable);
    other.exec('COMMIT');
    other.close();
    await database.unitOfWork.run(insert('b'));
    expect(await namesRead(database)).toEqual(['b']);
  });

  it('never joins an open transaction of TypeORM on the same connection', async () => {
    const { database } = await itemsDatabase('sqlite');
    const acts: Promise<unknown>[] = [];
    const failing = database.dataSource.transaction(async (manager) => {
      await manager.query(`INSERT INTO items (name) VALUES ('lost')`);
      acts.push(database.unitOfWork.run(insert('kept')));
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('roll back');
    });
    await expect(failing).rejects.toThrow('roll back');
    await Promise.all(acts);
    expect(await namesRead(database)).toEqual(['kept']);
  });

  it('writes in WAL mode with a flush at each commit', async () => {
    const { database } = await itemsDatabase('sqlite');
    const pragma = (name: string): unknown => writerOf(database).pragma(name, { simple: true });
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1]);
  });

  it('allows programs that do not know the service to write to the file', async () => {
    const { database } = await itemsDatabase('sqlite');
    const file = writerOf(database).name;
    const script = `new (require('better-sqlite3'))(${JSON.stringify(file)}).exec("INSERT INTO items (name) VALUES ('foreign')")`;
    await promisify(execFile)(process.execPath, ['-e', script]);
    expect(await namesRead(database)).toEqual(['foreign']);
  });
});

function lockingProcess(file: string, ms: number) {
  const script = `
    const db = new (require('better-sqlite3'))(${JSON.stringify(file)});
    db.exec("BEGIN IMMEDIATE; INSERT INTO items (name) VALUES ('other')");
    console.log('locked');
    setTimeout(() => db.exec('COMMIT'), ${ms});`;
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}
