import { expect, it, onTestFinished, vi } from 'vitest';
import { Precondition } from '../../../src/engine/contract/context.js';
import { Database } from '../../../src/engine/database/database.js';
import { Events1763700000009 } from '../../../src/engine/database/migrations/1763700000009-events.js';
import { run, sql, type Engine } from '../../../src/engine/database/sql.js';
import { TableParts } from '../../../src/engine/database/table-parts.js';
import { ownOrigin } from '../../../src/engine/database/transaction.js';
import { VersionedTable } from '../../../src/engine/database/versioned-table.js';
import { PreconditionFailed } from '../../../src/engine/errors/errors.js';
import { defineEvents } from '../../../src/engine/events/event-kinds.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { CreateItems1700000000000, freshDatabaseFor, Item } from './items.js';

const topics = { 'item.created': null, 'item.updated': null, 'item.deleted': null };
defineEvents<Item>({ name: 'item', entity: Item, scope: null, topics });

const ITEM = { name: 'tea', listed: true, priceMinor: 5 };
const anyone = { origin: ownOrigin('test'), precondition: Precondition.NONE };
const ifVersion = (version: number) => ({
  ...anyone,
  precondition: new Precondition({ match: new Set([version]) }),
});

async function opened(engine: Engine) {
  const { url } = await freshDatabaseFor(engine);
  const migrations = [CreateItems1700000000000, Events1763700000009];
  const database = await Database.open({ url, entities: [Item], migrations });
  onTestFinished(() => database.close());
  const items = new VersionedTable(new TableParts(database, new EventLog(database)), Item);
  const log = engine === 'sqlite' ? 'events' : 'event_outbox';
  /** The events that were written, with the version of the row. */
  const events = async () =>
    (
      await database.dataSource.query<{ type: string; entity_version: number }[]>(
        `SELECT type, entity_version FROM ${log} ORDER BY entity_version`,
      )
    ).map((row) => `${row.type} ${row.entity_version}`);
  return { database, items, events };
}

describeOnEachEngine('VersionedTable', (engine) => {
  it('writes an event and a higher version with each change', async () => {
    const { items, events } = await opened(engine);
    const { id } = await items.create(ITEM, anyone);
    expect(await items.update(id, { name: 'Tea' }, ifVersion(1))).toMatchObject({ name: 'Tea', version: 2 });
    expect(
      await items.update(id, ({ priceMinor }) => ({ priceMinor: priceMinor + 1 }), anyone),
    ).toMatchObject({ priceMinor: 6, version: 3 });
    expect(await items.delete(id, ifVersion(3))).toMatchObject({ name: 'Tea', version: 3 });
    expect(await items.find(id)).toBeNull();
    expect(await events()).toEqual(['item.created 1', 'item.updated 2', 'item.updated 3', 'item.deleted 4']);
  });

  it('writes nothing if no value changes', async () => {
    const { items, events } = await opened(engine);
    const { id, createdAt } = await items.create(ITEM, anyone);
    const same = await items.update(id, { ...ITEM, createdAt, stock: undefined }, anyone);
    expect(same).toMatchObject({ version: 1 });
    expect(await events()).toEqual(['item.created 1']);
  });

  it('returns null for a row that does not exist', async () => {
    const { items, events } = await opened(engine);
    expect(await items.update(7, { name: 'Tea' }, ifVersion(1))).toBeNull();
    expect(await items.delete(7, ifVersion(1))).toBeNull();
    expect(await events()).toEqual([]);
  });

  it('changes nothing if the row is not as the caller expects', async () => {
    const { items, events } = await opened(engine);
    const { id } = await items.create(ITEM, anyone);
    await expect(items.update(id, { name: 'Tea' }, ifVersion(2))).rejects.toThrow(PreconditionFailed);
    await expect(items.delete(id, ifVersion(2))).rejects.toThrow('The item has changed since you read it.');
    expect(await items.find(id)).toMatchObject({ name: 'tea', version: 1 });
    expect(await events()).toEqual(['item.created 1']);
  });

  it('finds many rows at once, and pages of them', async () => {
    const { items } = await opened(engine);
    const made = await Promise.all(['a', 'b', 'c'].map((name) => items.create({ ...ITEM, name }, anyone)));
    const ids = made.map(({ id }) => id);
    const found = await items.findMany([...ids, 99]);
    expect(new Set(found.keys())).toEqual(new Set(ids));
    expect((await items.page({ page: 2, limit: 2 })).items).toHaveLength(1);
    expect(await items.pageWhere({ name: 'b' }, { page: 1, limit: 2 })).toMatchObject({
      items: [{ name: 'b' }],
      total: 1,
    });
  });

  it('counts the rows of a slice only if the total is wanted', async () => {
    const { database, items } = await opened(engine);
    const { id } = await items.create(ITEM, anyone);
    const count = vi.spyOn(database.reads, 'one');
    const slice = (isWithoutTotal: boolean) =>
      items.sliceWhere({}, { position: null, limit: 5, isWithoutTotal });
    expect(await slice(true)).toMatchObject({ items: [{ id }], total: null });
    expect(count).not.toHaveBeenCalled();
    expect(await slice(false)).toMatchObject({ items: [{ id }], total: 1 });
    expect(count).toHaveBeenCalledOnce();
  });

  it('rethrows the fault of a constraint that the contract does not state', async () => {
    const { database, items } = await opened(engine);
    const { id } = await items.create(ITEM, anyone);
    await expect(items.create(ITEM, anyone)).rejects.toThrow(/unique/i);
    await database.unitOfWork.run(() => run(sql`INSERT INTO tags (item_id) VALUES (${id})`));
    await expect(items.delete(id, anyone)).rejects.toThrow(/foreign key/i);
  });
});
