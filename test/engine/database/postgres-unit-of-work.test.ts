import { expect, it } from 'vitest';
import type { Database } from '../../../src/engine/database/database.js';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { all, one, run, sql } from '../../../src/engine/database/sql.js';
import type { Act } from '../../../src/engine/database/transaction.js';
import { breakingProxy } from '../../support/faults/breaking-proxy.js';
import { stoppingProxy } from '../../support/faults/stopping-proxy.js';
import { describeOnPostgres } from '../../support/fixtures/database.js';
import { freshDatabaseFor, insert, itemsDatabase, namesRead, openItems } from './items.js';

async function throughProxy(): Promise<{
  database: Database;
  breakNext: (when: 'before' | 'after', times?: number) => void;
}> {
  const fresh = await freshDatabaseFor('postgres');
  const proxy = await breakingProxy(fresh.url);
  return { database: await openItems(proxy.url), breakNext: proxy.breakNext };
}

/** Makes the first attempts of several acts wait for each other, so that they always conflict. */
function meeting(parties: number): Act<void> {
  const waiting = new Set(Array.from({ length: parties }, (_, n) => n));
  return function* () {
    for (const party of waiting) {
      waiting.delete(party);
      break;
    }
    while (waiting.size > 0) yield* run(sql`SELECT pg_sleep(0.01)`);
  };
}

describeOnPostgres('unit of work', () => {
  it('outlives a server that stops directly after a sign-in', async () => {
    const fresh = await freshDatabaseFor('postgres');
    const proxy = await stoppingProxy(fresh.url);
    const database = await openItems(proxy.url);
    // There are more acts than idle connections, so the pool opens new connections. An `error` event without a listener
    // would end the process, and fail the test run.
    proxy.stopNext(3);
    const acts = Array.from({ length: 6 }, (_, n) => database.unitOfWork.run(insert(`item ${n}`)));
    const results = await Promise.allSettled(acts);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.filter(({ reason }) => !(reason instanceof DatabaseUnavailable))).toEqual([]);
    const stored = results.length - refused.length;
    expect(await database.reads.one(sql`SELECT COUNT(*) AS stored FROM items`)).toEqual({ stored });
    expect(await database.unitOfWork.run(insert('afterwards'))).toBeGreaterThan(0);
  });

  it('repeats acts that end in a deadlock', async () => {
    const { database } = await itemsDatabase('postgres');
    const a = await database.unitOfWork.run(insert('a'));
    const b = await database.unitOfWork.run(insert('b'));
    const meet = meeting(2);
    let attempts = 0;
    const raise = (first: number, second: number): Act<void> =>
      function* (tx) {
        attempts += 1;
        yield* run(sql`UPDATE items SET version = version + 1 WHERE id = ${first}`);
        yield* meet(tx);
        yield* run(sql`UPDATE items SET version = version + 1 WHERE id = ${second}`);
      };
    await Promise.all([database.unitOfWork.run(raise(a, b)), database.unitOfWork.run(raise(b, a))]);
    // At least one of the two acts was repeated. On a busy machine, there may be more attempts.
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect(await database.reads.all(sql`SELECT version FROM items`)).toEqual([
      { version: 3 },
      { version: 3 },
    ]);
  });

  it('repeats acts after a serialisation failure, and does not show them the error', async () => {
    const { database } = await itemsDatabase('postgres');
    const itemId = await database.unitOfWork.run(insert('a'));
    const meet = meeting(2);
    const raise: Act<void> = function* (tx) {
      const row = yield* one<{ version: number }>(sql`SELECT version FROM items WHERE id = ${itemId}`);
      yield* meet(tx);
      try {
        yield* run(sql`UPDATE items SET version = ${(row?.version ?? 0) + 1} WHERE id = ${itemId}`);
      } catch (error) {
        throw new Error('must not be seen', { cause: error });
      }
    };
    const options = { isolation: 'repeatable read' } as const;
    await Promise.all([database.unitOfWork.run(raise, options), database.unitOfWork.run(raise, options)]);
    expect(await database.reads.one(sql`SELECT version FROM items`)).toEqual({ version: 3 });
  });

  it('repeats acts whose conflict is reported only at the commit', async () => {
    const { database } = await itemsDatabase('postgres');
    const meet = meeting(2);
    const called: string[] = [];
    const insertIfEmpty = (name: string): Act<void> =>
      function* (tx) {
        tx.afterCommit(() => called.push(name));
        const rows = yield* all(sql`SELECT id FROM items`);
        yield* meet(tx);
        if (rows.length === 0) yield* insert(name)(tx);
      };
    const options = { isolation: 'serializable' } as const;
    await Promise.all([
      database.unitOfWork.run(insertIfEmpty('a'), options),
      database.unitOfWork.run(insertIfEmpty('b'), options),
    ]);
    expect(await namesRead(database)).toHaveLength(1);
    expect(called.toSorted()).toEqual(['a', 'b']);
  });

  it('gives up an act after eight attempts that end in a conflict', async () => {
    const { database } = await itemsDatabase('postgres');
    let attempts = 0;
    const conflicting: Act<void> = function* () {
      attempts += 1;
      yield* run(sql`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    };
    await expect(database.unitOfWork.run(conflicting)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(attempts).toBe(8);
  });

  it.each(['before', 'after'] as const)(
    'stores an act once when its connection breaks just %s the server receives the COMMIT',
    async (when) => {
      const { database, breakNext } = await throughProxy();
      let attempts = 0;
      const called: number[] = [];
      breakNext(when);
      const itemId = await database.unitOfWork.run(function* (tx) {
        attempts += 1;
        const attempt = attempts;
        tx.afterCommit(() => called.push(attempt));
        return yield* insert('a')(tx);
      });
      expect(attempts).toBe(when === 'before' ? 2 : 1);
      expect(called).toEqual([attempts]);
      expect(await database.reads.all(sql`SELECT id, name FROM items`)).toEqual([{ id: itemId, name: 'a' }]);
    },
  );

  it('finds out which acts were stored when all connections of the pool break at COMMIT', async () => {
    const { database, breakNext } = await throughProxy();
    breakNext('after', 10);
    const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
    await Promise.all(names.map((name) => database.unitOfWork.run(insert(name))));
    expect((await namesRead(database)).toSorted()).toEqual(names);
  });

  it.each([
    ['after', 'unknown', ['a']],
    ['before', 'stored', ['a']],
  ] as const)(
    'repeats an act after a possible crash only if it was certainly not stored: the connection broke %s the server received the COMMIT',
    async (when, outcome, names) => {
      const { database, breakNext } = await throughProxy();
      // After a crash, all connections are newer than the transaction, and another transaction may have the same id.
      // The test replaces the view of connections by an empty one. So the service finds no older connection, as after a
      // crash.
      await database.unitOfWork.run(function* () {
        yield* run(sql`CREATE SCHEMA crashed`);
        yield* run(
          sql`CREATE VIEW crashed.pg_stat_activity AS SELECT * FROM pg_catalog.pg_stat_activity WHERE false`,
        );
        yield* run(sql`DO $$ BEGIN
          EXECUTE format('ALTER DATABASE %I SET search_path = crashed, pg_catalog, public', current_database());
        END $$`);
      });
      await database.reads.all(
        sql`SELECT pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      breakNext(when);
      const running = database.unitOfWork.run(insert('a')).then(
        () => 'stored',
        (error: DatabaseUnavailable) => error.outcome,
      );
      expect(await running).toBe(outcome);
      expect(await namesRead(database)).toEqual(names);
    },
  );

  it('repeats an act whose backend is terminated during the COMMIT', async () => {
    const { database } = await itemsDatabase('postgres');
    await database.unitOfWork.run(function* () {
      yield* run(
        sql`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END'`,
      );
      yield* run(
        sql`CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON items DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()`,
      );
    });
    let attempts = 0;
    const inserting = database.unitOfWork.run(function* (tx) {
      attempts += 1;
      return yield* insert('a')(tx);
    });
    const committing = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active' AND datname = current_database()`;
    while ((await database.reads.all(committing)).length === 0) await new Promise(setImmediate);
    await inserting;
    expect(attempts).toBe(2);
    expect(await namesRead(database)).toEqual(['a']);
  });

  it('reports UNAVAILABLE when the connection is lost before the COMMIT, and works again at once', async () => {
    const { database } = await itemsDatabase('postgres');
    const killed = database.unitOfWork.run(function* (tx) {
      yield* insert('a')(tx);
      yield* run(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(killed).rejects.toMatchObject({ name: 'DatabaseUnavailable', outcome: 'nothing stored' });
    await database.unitOfWork.run(insert('b'));
    expect(await namesRead(database)).toEqual(['b']);
  });

  it('reports UNAVAILABLE when a statement waits too long for a lock', async () => {
    const { database } = await itemsDatabase('postgres');
    const holder = database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE items');
    const waiting = database.unitOfWork.run(function* (tx) {
      yield* run(sql`SET LOCAL lock_timeout = 50`);
      yield* insert('a')(tx);
    });
    await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable);
    await holder.rollbackTransaction();
    await holder.release();
  });
});
