import { expect, it } from 'vitest';
import { DatabaseUnavailable, faultOf } from '../../../src/engine/database/faults.js';
import { type Act, type Origin, ownOrigin } from '../../../src/engine/database/transaction.js';
import { anyOf, one, oneAtATime, raw, run, sql, type Steps, Text } from '../../../src/engine/database/sql.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { insert, itemsDatabase, names, namesRead, watch } from './items.js';

class Refused extends Error {}

function insertAndFail(name: string): Act<never> {
  return function* () {
    yield* run(sql`INSERT INTO items (name) VALUES (${name})`);
    throw new Refused(name);
  };
}

const seeOrigin: Act<Origin> = function* ({ origin }) {
  yield* run(sql`SELECT 1`);
  return origin;
};

function* yieldsText(): Steps<void> {
  yield 'SELECT 1' as never;
}

const SOME_TIME = new Text('1', 'pg_sleep(0.1)');

/** Adds an item, if there is none. */
function insertOnlyOne(name: string): Act<void> {
  return function* () {
    yield* oneAtATime('only one item');
    const found = yield* one<{ items: number }>(sql`SELECT count(*) AS items FROM items`);
    yield* one(sql`SELECT ${SOME_TIME}`);
    if (Number(found?.items) === 0) yield* run(sql`INSERT INTO items (name) VALUES (${name})`);
  };
}

describeOnEachEngine('unit of work', (engine) => {
  it('stores the changes of an act and returns its result', async () => {
    const { database } = await itemsDatabase(engine);
    const itemId = await database.unitOfWork.run(insert('a'));
    expect(await database.reads.one(sql`SELECT name FROM items WHERE id = ${itemId}`)).toEqual({ name: 'a' });
  });

  it('stores the rows of an act that runs together with a failing act, and shows no uncommitted rows', async () => {
    const { database } = await itemsDatabase(engine);
    const seen = new Set<string>();
    const first = database.unitOfWork.run(function* (tx) {
      yield* insert('a1')(tx);
      yield* insert('a2')(tx);
    });
    const second = database.unitOfWork.run(insertAndFail('b'));
    const stop = watch(async () => seen.add((await namesRead(database)).join()));
    // The two acts are awaited together, because either of them may end first.
    await Promise.all([first, expect(second).rejects.toBeInstanceOf(Refused)]);
    await stop();
    expect(await namesRead(database)).toEqual(['a1', 'a2']);
    for (const state of seen) expect(['', 'a1,a2']).toContain(state);
  });

  it('stores exactly the successful acts of 200 concurrent acts when half of them fail', async () => {
    const { database } = await itemsDatabase(engine);
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) =>
        database.unitOfWork.run<unknown>(n % 2 === 0 ? insert(`good ${n}`) : insertAndFail(`bad ${n}`)),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    const stored = await names(database);
    expect(stored).toHaveLength(100);
    expect(stored.every((name) => name.startsWith('good'))).toBe(true);
  });

  it('tells each act its caller and request, even when several are committed together', async () => {
    const origins = ['a', 'b'].map((name) => ({ ...ownOrigin(name), requestId: `request ${name}` }));
    const { database } = await itemsDatabase(engine);
    const seen = await Promise.all([
      ...origins.map((origin) => database.unitOfWork.run(seeOrigin, { origin })),
      database.unitOfWork.run(seeOrigin),
    ]);
    expect(seen).toEqual([...origins, ownOrigin('service')]);
  });

  it('calls a callback of afterCommit once, between the act and the answer, and never after a rollback', async () => {
    const { database } = await itemsDatabase(engine);
    const events: string[] = [];
    const good = database.unitOfWork.run(function* (tx) {
      tx.afterCommit(() => events.push('committed'));
      yield* insert('a')(tx);
      events.push('done');
    });
    const bad = database.unitOfWork.run(function* (tx) {
      tx.afterCommit(() => events.push('never'));
      yield* insertAndFail('b')(tx);
    });
    await Promise.allSettled([good.then(() => events.push('answered')), bad]);
    expect(events).toEqual(['done', 'committed', 'answered']);
  });

  it('answers even if a callback of afterCommit throws, and calls the other callbacks', async () => {
    const { database } = await itemsDatabase(engine);
    let called = false;
    await database.unitOfWork.run(function* (tx) {
      tx.afterCommit(() => {
        throw new Error('meant to be seen in the log of this test');
      });
      tx.afterCommit(() => {
        called = true;
      });
      yield* insert('a')(tx);
    });
    expect(called).toBe(true);
  });

  it('runs no more statements of an act after one has failed, even if the act catches the error', async () => {
    const { database } = await itemsDatabase(engine);
    await database.unitOfWork.run(insert('a'));
    const swallowed = database.unitOfWork.run(function* (tx) {
      yield* insert('b')(tx);
      try {
        yield* insert('a')(tx);
      } catch {
        return 'ignored';
      }
      return 'unreachable';
    });
    await expect(swallowed).rejects.toSatisfy((error) => faultOf(error).kind === 'unique');
    const stubborn = database.unitOfWork.run(function* (tx) {
      for (;;) {
        try {
          yield* insert('a')(tx);
        } catch {
          yield* insert('c')(tx);
        } finally {
          yield* insert('d')(tx);
        }
      }
    });
    await expect(stubborn).rejects.toSatisfy((error) => faultOf(error).kind === 'unique');
    expect(await names(database)).toEqual(['a']);
  });

  it('lets an act translate the error of a statement', async () => {
    const { database } = await itemsDatabase(engine);
    await database.unitOfWork.run(insert('a'));
    const translating = database.unitOfWork.run(function* (tx) {
      try {
        yield* insert('a')(tx);
      } catch (error) {
        throw new Refused(faultOf(error).constraint);
      }
    });
    await expect(translating).rejects.toThrow(new Refused('items.name'));
  });

  it('gives the same fault for the same error on both engines', async () => {
    const { database } = await itemsDatabase(engine);
    const faultOfAct = (statement: Parameters<typeof run>[0]) =>
      database.unitOfWork.run(() => run(statement)).then(() => undefined, faultOf);
    expect(await faultOfAct(sql`INSERT INTO items (name, price_minor) VALUES ('x', -1)`)).toEqual({
      kind: 'check',
      constraint: 'items_price_not_negative',
    });
    expect(await faultOfAct(sql`INSERT INTO tags (item_id) VALUES (77)`)).toMatchObject({
      kind: 'foreign_key',
    });
    expect(await faultOfAct(sql`INSERT INTO links (item_id) VALUES (77)`)).toMatchObject({
      kind: 'foreign_key',
    });
    await faultOfAct(
      sql`CREATE TABLE parts (item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE RESTRICT)`,
    );
    await database.unitOfWork.run(insert('a'));
    expect(await faultOfAct(sql`INSERT INTO parts (item_id) SELECT id FROM items`)).toBeUndefined();
    expect(await faultOfAct(sql`DELETE FROM items`)).toMatchObject({ kind: 'foreign_key' });
    expect(await faultOfAct(sql`SELECT nonsense`)).toEqual({ kind: 'other' });
  });

  it('refuses values that are not SQL, and statements that would end the transaction', async () => {
    const { database } = await itemsDatabase(engine);
    await expect(database.unitOfWork.run(yieldsText)).rejects.toThrow(/only yield SQL/);
    await expect(database.unitOfWork.run(() => run(sql`COMMIT`))).rejects.toThrow(
      /unit of work may open or end/,
    );
    await expect(database.unitOfWork.run(() => run(raw(' rollback', [])))).rejects.toThrow(TypeError);
    await database.unitOfWork.run(insert('a'));
    expect(await names(database)).toEqual(['a']);
  });

  it('refuses integers outside of the safe range, NaN and invalid dates', async () => {
    const { database } = await itemsDatabase(engine);
    for (const value of [2 ** 53, Number.NaN, 2n ** 60n, new Date(Number.NaN)]) {
      await expect(database.reads.one(sql`SELECT 1 WHERE ${value} = 1`)).rejects.toThrow(RangeError);
    }
  });

  it('finds any number of ids with one statement, and accepts statements of the query builder', async () => {
    const { database } = await itemsDatabase(engine);
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push(await database.unitOfWork.run(insert(name)));
    const found = async (wanted: number[]) =>
      (
        await database.reads.all<{ name: string }>(
          sql`SELECT name FROM items WHERE id ${anyOf(wanted)} ORDER BY id`,
        )
      ).map(({ name }) => name);
    expect(await found(ids)).toEqual(['a', 'b', 'c']);
    expect(await found(ids.slice(1))).toEqual(['b', 'c']);
    expect(await found([])).toEqual([]);
    const [query, parameters] = database.dataSource
      .createQueryBuilder()
      .select('i.name', 'name')
      .from('items', 'i')
      .where('i.name = :name', { name: 'b' })
      .getQueryAndParameters();
    expect(await database.reads.all(raw(query, parameters as string[]))).toEqual([{ name: 'b' }]);
  });

  it('runs acts one after another if they call oneAtATime with the same name', async () => {
    const { database } = await itemsDatabase(engine);
    await Promise.all(['a', 'b', 'c'].map((name) => database.unitOfWork.run(insertOnlyOne(name))));
    expect(await names(database)).toHaveLength(1);
  });

  it('finishes waiting acts when it is stopped, and refuses later acts', async () => {
    const { database } = await itemsDatabase(engine);
    const waiting = Promise.all(['a', 'b', 'c'].map((name) => database.unitOfWork.run(insert(name))));
    await database.unitOfWork.stop();
    await expect(waiting).resolves.toHaveLength(3);
    await expect(database.unitOfWork.run(insert('d'))).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await namesRead(database)).toHaveLength(3);
  });

  it('answers a ping only while there is a database', async () => {
    const { database, fresh } = await itemsDatabase(engine);
    await expect(database.ping()).resolves.toBeUndefined();
    await fresh.drop();
    await expect(database.ping()).rejects.toBeInstanceOf(Error);
  });

  it('accepts only generators of SQL as acts', async () => {
    const { database } = await itemsDatabase(engine);
    const check = () => {
      // @ts-expect-error an async act could wait for things other than SQL
      void database.unitOfWork.run(async () => 1);
      // @ts-expect-error an async generator could wait for things other than SQL
      void database.unitOfWork.run(async function* () {
        yield sql`SELECT 1`;
      });
      // @ts-expect-error a promise is not a statement
      void database.unitOfWork.run(function* () {
        yield Promise.resolve();
      });
      void database.unitOfWork.run(() => one<{ a: number }>(sql`SELECT 1 AS a`));
    };
    expect(check).toBeTypeOf('function');
  });
});
