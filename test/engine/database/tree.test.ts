import { Column, Entity } from 'typeorm';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Precondition } from '../../../src/engine/contract/context.js';
import { id, reference, version } from '../../../src/engine/database/columns.js';
import { NewTables, refersTo } from '../../../src/engine/database/create-table.js';
import { Database } from '../../../src/engine/database/database.js';
import { Events1763700000009 } from '../../../src/engine/database/migrations/1763700000009-events.js';
import type { Engine } from '../../../src/engine/database/sql.js';
import { TableParts } from '../../../src/engine/database/table-parts.js';
import { argumentPointer, ownOrigin } from '../../../src/engine/database/transaction.js';
import { VersionedTable } from '../../../src/engine/database/versioned-table.js';
import { ValidationFailed, type Fault } from '../../../src/engine/errors/errors.js';
import { defineEvents } from '../../../src/engine/events/event-kinds.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { RELATIONS, type Relations } from '../../../src/generated/relations.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { freshDatabaseFor } from './items.js';

@Entity('branches')
class Branch {
  @Column(id()) id!: number;
  @Column(reference({ name: 'parent_id', nullable: true })) parentId!: number | null;
  @Column(version()) version!: number;
}

class CreateBranches1700000000001 extends NewTables {
  readonly tables = {
    branches: {
      id: id(),
      parent_id: refersTo('branches', 'RESTRICT', { nullable: true }),
      version: version(),
    },
  };
  override readonly counted = ['branches'];
}

const topics = { 'branch.created': null, 'branch.updated': null, 'branch.deleted': null };
defineEvents<Branch>({ name: 'branch', entity: Branch, scope: null, topics });

const anyone = { origin: ownOrigin('test'), precondition: Precondition.NONE };

async function opened(engine: Engine) {
  const { url } = await freshDatabaseFor(engine);
  const migrations = [CreateBranches1700000000001, Events1763700000009];
  const database = await Database.open({ url, entities: [Branch], migrations });
  onTestFinished(() => database.close());
  const branches = new VersionedTable(new TableParts(database, new EventLog(database)), Branch);
  const make = async (parentId: number | null) => (await branches.create({ parentId }, anyone)).id;
  /** A chain of rows: each row is below the row before it. */
  const chain = async (length: number) => {
    const ids: number[] = [];
    while (ids.length < length) ids.push(await make(ids.at(-1) ?? null));
    return ids as [number, ...number[]];
  };
  const move = (row: number, parentId: number | null) => branches.update(row, { parentId }, anyone);
  return { branches, make, chain, move };
}

/** The fault of a refused act; undefined if the act was done. */
async function faultOf(act: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await act;
    return undefined;
  } catch (error) {
    if (error instanceof ValidationFailed) return error.faults[0];
    throw error;
  }
}

describeOnEachEngine('a table whose rows form a tree of three levels', (engine) => {
  const relations = RELATIONS as Record<string, Relations>;
  beforeAll(() => {
    const refers = { parentId: { entity: 'Branch', code: 'UNKNOWN', levels: 3 } };
    relations['Branch'] = { unique: {}, refers, keeps: null };
  });
  afterAll(() => {
    delete relations['Branch'];
  });

  it('gets no row below the third level, and the fault names the member as REST or GraphQL names it', async () => {
    const { branches, make, chain } = await opened(engine);
    const [, , third = 0] = await chain(3);
    expect(await faultOf(make(third))).toMatchObject({ code: 'TOO_DEEP', pointer: '#/parent_id' });
    const overGraphql = { ...anyone.origin, pointerTo: argumentPointer };
    const act = branches.create({ parentId: third }, { origin: overGraphql });
    expect(await faultOf(act)).toMatchObject({ code: 'TOO_DEEP', pointer: '#/parentId' });
    expect(await branches.total()).toBe(3);
  });

  it('moves a row only if this puts no row on a fourth level', async () => {
    const { branches, chain, make, move } = await opened(engine);
    const [first, second = 0] = await chain(2);
    const [top] = await chain(2);
    await make(top);
    expect(await faultOf(move(top, second))).toMatchObject({ code: 'TOO_DEEP' });
    expect(await move(top, first)).toMatchObject({ parentId: first, version: 2 });
    expect(await move(top, null)).toMatchObject({ parentId: null, version: 3 });
    expect(await branches.find(top)).toMatchObject({ parentId: null });
  });

  it('puts no row below itself', async () => {
    const { chain, move } = await opened(engine);
    const [first, second = 0, third = 0] = await chain(3);
    expect(await faultOf(move(second, second))).toMatchObject({ code: 'CIRCLE', pointer: '#/parent_id' });
    expect(await faultOf(move(first, third))).toMatchObject({ code: 'CIRCLE' });
  });

  it('reports a parent that does not exist', async () => {
    const { make, move } = await opened(engine);
    const row = await make(null);
    for (const act of [make(987_654), move(row, 987_654)])
      expect(await faultOf(act)).toMatchObject({ code: 'UNKNOWN', pointer: '#/parent_id' });
  });

  it('gets no circle and no fourth level from concurrent acts, each of which is allowed alone', async () => {
    const { branches, chain, move } = await opened(engine);
    const tops = await Promise.all([1, 2, 3, 4].map(() => chain(2)));
    const [a, b, c, d] = tops.map(([top]) => top) as [number, number, number, number];
    const moves = [move(a, b), move(b, c), move(c, d), move(d, a)];
    const codes = (await Promise.all(moves.map(faultOf))).map((fault) => fault?.code);
    expect(codes).toContain(undefined);
    expect(new Set([...codes, 'CIRCLE', 'TOO_DEEP', undefined]).size).toBe(3);
    for (const [, leaf = 0] of tops) {
      const path = [leaf];
      for (
        let row = await branches.find(leaf);
        row?.parentId != null;
        row = await branches.find(row.parentId)
      )
        path.push(row.parentId);
      expect(path.length).toBeLessThanOrEqual(3);
    }
  });
});
