import { expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { all, later, one, run, sql, together, type Steps } from '../../../src/engine/database/sql.js';
import type { Act } from '../../../src/engine/database/transaction.js';
import { describeOnEachEngine, describeOnPostgres } from '../../support/fixtures/database.js';
import { watchingProxy } from '../../support/fixtures/watching-proxy.js';
import { freshDatabaseFor, insert, itemsDatabase, namesRead, openItems } from './items.js';

function* number(value: number): Steps<number> {
  const row = yield* one<{ value: number }>(sql`SELECT CAST(${value} AS integer) AS value`);
  return row?.value ?? 0;
}

/** Needs two statements, one after the other. */
function* doubled(value: number): Steps<number> {
  return (yield* number(value)) + (yield* number(value));
}

// oxlint-disable-next-line require-yield -- a part of an act may need no statement
function* nothing(): Steps<string> {
  return 'nothing';
}

class Named extends Error {}

function* failing(name: string): Steps<void> {
  try {
    yield* run(sql`INSERT INTO items (name, price_minor) VALUES (${name}, -1)`);
  } catch {
    throw new Named(name);
  }
}

const inserted = (name: string) => run(sql`INSERT INTO items (name) VALUES (${name})`);
const insertedLater = (name: string) => later(sql`INSERT INTO items (name) VALUES (${name})`);

const reading: Act<unknown> = function* () {
  yield* together(number(1), doubled(2));
  yield* insertedLater('a');
  yield* insertedLater('b');
};

/** An act whose second statement is not executed if the first statement fails. */
function pricing(price: number): Act<unknown> {
  return function* () {
    const parts = [
      run(sql`INSERT INTO items (name, price_minor) VALUES ('a', ${price})`),
      all(sql`SELECT name, price_minor FROM items WHERE price_minor > ${0}`),
    ] as const;
    return (yield* together(...parts))[1];
  };
}

describeOnEachEngine('parts of an act that run together', (engine) => {
  it('get their own rows, even if they need several statements, or none', async () => {
    const { database } = await itemsDatabase(engine);
    const results = await database.unitOfWork.run(() =>
      together(number(1), doubled(2), nothing(), doubled(3), number(4)),
    );
    expect(results).toEqual([1, 4, 'nothing', 6, 4]);
  });

  it('may contain parts that run together, and statements that are sent later', async () => {
    const { database } = await itemsDatabase(engine);
    const results = await database.unitOfWork.run(() =>
      together(together(number(1), insertedLater('a')), insertedLater('b'), number(2)),
    );
    expect(results).toEqual([[1, undefined], undefined, 2]);
    expect((await namesRead(database)).toSorted()).toEqual(['a', 'b']);
  });

  it('translate the errors of their own statements, and no other errors', async () => {
    const { database } = await itemsDatabase(engine);
    await expect(
      database.unitOfWork.run(() => together(inserted('a'), failing('b'), failing('c'))),
    ).rejects.toEqual(new Named('b'));
    expect(await namesRead(database)).toEqual([]);
    await expect(database.unitOfWork.run(() => together(failing('a'), inserted('b')))).rejects.toEqual(
      new Named('a'),
    );
  });
});

describeOnEachEngine('a statement that is sent later', (engine) => {
  it('is executed before all statements after it', async () => {
    const { database } = await itemsDatabase(engine);
    const seen = await database.unitOfWork.run(function* () {
      yield* insertedLater('a');
      yield* insertedLater('b');
      return yield* all<{ name: string }>(sql`SELECT name FROM items ORDER BY name`);
    });
    expect(seen.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('ends its act when it fails, and nothing is stored', async () => {
    const { database } = await itemsDatabase(engine);
    const called: string[] = [];
    const act: Act<string> = function* (tx) {
      tx.afterCommit(() => called.push('called'));
      yield* insertedLater('a');
      yield* insertedLater('a');
      return 'answer';
    };
    await expect(database.unitOfWork.run(act)).rejects.toThrow(/unique/i);
    expect(await namesRead(database)).toEqual([]);
    expect(called).toEqual([]);
    expect(await database.unitOfWork.run(insert('a'))).toBeGreaterThan(0);
  });
});

describeOnPostgres('round trips', () => {
  it('contain BEGIN together with the first statements, and COMMIT together with the last statements', async () => {
    const proxy = await watchingProxy((await freshDatabaseFor('postgres')).url);
    const database = await openItems(proxy.url);
    // If a connection has not answered within the last second, BEGIN is a trip of its own. On a busy machine, this may
    // happen here.
    const trips = async () => {
      await database.unitOfWork.run(() => run(sql`DELETE FROM items`));
      proxy.transactions();
      await database.unitOfWork.run(reading);
      await database.unitOfWork.run(() => inserted('c'));
      return proxy.transactions().map((transaction) => transaction.map(({ length }) => length));
    };
    await expect.poll(trips, { timeout: 30_000 }).toEqual([
      [4, 1, 3],
      [3, 1],
    ]);
  });

  it('are not needed by an act without statements', async () => {
    const proxy = await watchingProxy((await freshDatabaseFor('postgres')).url);
    const database = await openItems(proxy.url);
    proxy.transactions();
    expect(await database.unitOfWork.run(nothing)).toBe('nothing');
    expect(proxy.transactions()).toEqual([]);
  });

  it('return the id of the transaction before COMMIT is sent, even if the act waits for no result', async () => {
    const proxy = await watchingProxy((await freshDatabaseFor('postgres')).url);
    const database = await openItems(proxy.url);
    await database.unitOfWork.run(insert('a'));
    proxy.transactions();
    await database.unitOfWork.run(() => insertedLater('b'));
    expect(proxy.transactions().map((trips) => trips.map(({ length }) => length))).toEqual([[2, 2]]);
  });

  it('do not pass the error of a statement that was sent later to the catch block of its act', async () => {
    const { database } = await itemsDatabase('postgres');
    const seen: unknown[] = [];
    const act: Act<void> = function* () {
      yield* insertedLater('a');
      yield* insertedLater('a');
      try {
        yield* run(sql`SELECT 1`);
      } catch (error) {
        seen.push(error);
      }
    };
    await expect(database.unitOfWork.run(act)).rejects.toMatchObject({ code: '23505' });
    expect(seen).toEqual([]);
  });

  it('repeat their act if a statement that was sent later ended in a conflict', async () => {
    const { database } = await itemsDatabase('postgres');
    let attempts = 0;
    const conflict = sql`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`;
    const act: Act<void> = function* () {
      attempts += 1;
      yield* inserted('a');
      if (attempts < 3) yield* later(conflict);
    };
    await database.unitOfWork.run(act);
    expect(attempts).toBe(3);
    expect(await namesRead(database)).toEqual(['a']);
    await expect(database.unitOfWork.run(() => later(conflict))).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  it('can reuse statements that were sent together with a failing statement', async () => {
    const { database } = await itemsDatabase('postgres');
    for (let count = 0; count < 3; count += 1)
      await expect(database.unitOfWork.run(pricing(-1))).rejects.toMatchObject({ code: '23514' });
    expect(await database.unitOfWork.run(pricing(7))).toEqual([{ name: 'a', price_minor: 7 }]);
    for (let count = 0; count < 2; count += 1)
      await expect(database.unitOfWork.run(pricing(8))).rejects.toMatchObject({ code: '23505' });
    expect(await database.reads.all(sql`SELECT name FROM items`)).toEqual([{ name: 'a' }]);
  });

  it('carry instants of early and late years, bytes, flags, texts, fractions and null', async () => {
    const { database } = await itemsDatabase('postgres');
    const instants = [
      '2026-11-23T06:00:00.123Z',
      '2026-11-23T06:00:00.000Z',
      '1999-12-31T23:59:59.050Z',
      '0001-01-01T00:00:00.000Z',
      '+010000-02-03T04:05:06.789Z',
    ];
    for (const text of [...instants, '0000-06-05T00:00:00.000Z', '-000043-03-15T12:00:00.000Z']) {
      const at = new Date(text);
      const row = await database.reads.one(sql`SELECT ${at}::timestamptz AS at`);
      expect(row).toEqual({ at });
    }
    const values = await database.reads.one(sql`
      SELECT ${Buffer.from([0, 255])}::bytea AS bytes, ${true}::boolean AS flag, ${null}::text AS nothing,
        ${'a"\\\n€'}::text AS text, ${-1.5}::float8 AS fraction`);
    expect(values).toEqual({
      bytes: Buffer.from([0, 255]),
      flag: true,
      nothing: null,
      text: 'a"\\\n€',
      fraction: -1.5,
    });
  });
});
