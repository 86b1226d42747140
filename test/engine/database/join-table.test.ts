import { Column, Entity } from 'typeorm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { id, text } from '../../../src/engine/database/columns.js';
import { NewTables, refersTo } from '../../../src/engine/database/create-table.js';
import { Database } from '../../../src/engine/database/database.js';
import { EntityTable } from '../../../src/engine/database/entity-table.js';
import { JoinTable } from '../../../src/engine/database/join-table.js';
import { Events1763700000009 } from '../../../src/engine/database/migrations/1763700000009-events.js';
import { run, sql, type Engine, type Sql } from '../../../src/engine/database/sql.js';
import { TableParts } from '../../../src/engine/database/table-parts.js';
import { ownOrigin } from '../../../src/engine/database/transaction.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { rowsTouched } from '../../support/fixtures/rows-touched.js';
import { freshDatabaseFor } from './items.js';

@Entity('shelves')
class Shelf {
  @Column(id()) id!: number;
  @Column(text()) name!: string;
}

@Entity('books')
class Book {
  @Column(id()) id!: number;
  @Column(text()) title!: string;
}

class CreateShelves1700000000001 extends NewTables {
  readonly tables = {
    shelves: { id: id(), name: text() },
    books: { id: id(), title: text() },
    shelf_books: {
      shelf_id: refersTo('shelves', 'CASCADE', { primary: true }),
      book_id: refersTo('books', 'CASCADE', { primary: true }),
    },
  };
}

const guard = { origin: ownOrigin('test') };
const NO_ROW = 987_654;

async function opened(engine: Engine) {
  const { url } = await freshDatabaseFor(engine);
  const migrations = [CreateShelves1700000000001, Events1763700000009];
  const database = await Database.open({ url, entities: [Shelf, Book], migrations });
  onTestFinished(() => database.close());
  const parts = new TableParts(database, new EventLog(database));
  const shelves = new EntityTable(parts, Shelf);
  const books = new EntityTable(parts, Book);
  const onShelves = new JoinTable(parts, 'shelf_books', ['shelf_id', shelves], ['book_id', Book]);
  const shelf = async (name: string) => (await shelves.create({ name }, guard)).id;
  const book = async (title: string) => (await books.create({ title }, guard)).id;
  /** The titles on each shelf. */
  const titles = async (...ids: number[]) => {
    const found = await onShelves.membersOf(ids, 100);
    return ids.map((each) => found.get(each)?.map(({ title }) => title));
  };
  return { url, database, shelves, books, onShelves, shelf, book, titles };
}

describeOnEachEngine('a table that joins many rows with many rows', (engine) => {
  it('stores a pair once, and removes it once, even if this is requested several times', async () => {
    const { onShelves, shelf, book, titles } = await opened(engine);
    const [one, other] = [await shelf('one'), await shelf('other')];
    const [tea, rice] = [await book('Tea'), await book('Rice')];
    for (const added of [rice, tea, tea])
      expect(await onShelves.add(one, added, guard)).toMatchObject({ id: one, name: 'one' });
    await onShelves.add(other, tea, guard);
    expect(await titles(one, other)).toEqual([['Tea', 'Rice'], ['Tea']]);
    const holders = await onShelves.holdersOf([tea, rice], 100);
    expect([tea, rice].map((each) => holders.get(each)?.map(({ name }) => name))).toEqual([
      ['one', 'other'],
      ['one'],
    ]);
    for (let n = 0; n < 2; n++)
      expect(await onShelves.remove(one, tea, guard)).toMatchObject({ id: one, name: 'one' });
    expect(await titles(one, other)).toEqual([['Rice'], ['Tea']]);
  });

  it('reads only the first pairs of a row, even if the row has many pairs', async () => {
    const { url, database, onShelves, shelf, book } = await opened(engine);
    const [tea, rice] = [await book('Tea'), await book('Rice')];
    const one = await shelf('one');
    await onShelves.add(one, rice, guard);
    await database.unitOfWork.run(function* () {
      for (let n = 2; n <= 400; n++) {
        yield* run(sql`INSERT INTO shelves (id, name) VALUES (${n}, ${'many'})`);
        yield* run(sql`INSERT INTO shelf_books (shelf_id, book_id) VALUES (${n}, ${tea})`);
      }
    });
    const read = vi.spyOn(database.reads, 'all');
    const holders = await onShelves.holdersOf([tea, rice], 3);
    expect([tea, rice].map((each) => holders.get(each)?.map((row) => row.id))).toEqual([[2, 3, 4], [one]]);
    const [statement] = read.mock.calls[0] as [Sql];
    expect(await rowsTouched(url, statement)).toBeLessThan(20);
  });

  it('reports that one of the two rows does not exist, and stores nothing', async () => {
    const { onShelves, shelf, book, titles } = await opened(engine);
    const [one, tea] = [await shelf('one'), await book('Tea')];
    for (const [holder, member] of [
      [one, NO_ROW],
      [NO_ROW, tea],
    ] as const) {
      expect(await onShelves.add(holder, member, guard)).toBeNull();
      expect(await onShelves.remove(holder, member, guard)).toBeNull();
    }
    expect(await titles(one)).toEqual([undefined]);
  });

  it('loses the pairs of a row that is deleted', async () => {
    const { onShelves, shelves, books, shelf, book, titles } = await opened(engine);
    const [one, other] = [await shelf('one'), await shelf('other')];
    const [tea, rice] = [await book('Tea'), await book('Rice')];
    for (const holder of [one, other])
      for (const added of [tea, rice]) await onShelves.add(holder, added, guard);
    await Promise.all([books.delete(tea, guard), shelves.delete(other, guard)]);
    expect(await titles(one, other)).toEqual([['Rice'], undefined]);
  });

  it('waits for the deletion of a row, and then stores no pair with this row', async () => {
    const { database, onShelves, shelf, book, books, titles } = await opened(engine);
    const [one, tea] = [await shelf('one'), await book('Tea')];
    const removal = database.unitOfWork.run(function* () {
      yield* books.lock(tea, true);
      adding = onShelves.add(one, tea, guard);
      yield* run(sql`DELETE FROM books WHERE id = ${tea}`);
    });
    let adding: Promise<unknown> = Promise.resolve();
    await removal;
    expect(await adding).toBeNull();
    expect(await titles(one)).toEqual([undefined]);
  });
});
