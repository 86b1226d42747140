import { describe, expect, it } from 'vitest';
import { ActTurns } from '../../../src/engine/database/act-turns.js';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';

const NEVER_MS = 1_000_000;

describe('ActTurns', () => {
  it('begins acts in the order in which they came', async () => {
    const turns = new ActTurns(2, NEVER_MS);
    expect([turns.begin(), turns.begin()]).toEqual([undefined, undefined]);
    const begun: string[] = [];
    const waiting = ['a', 'b'].map(async (name) => {
      await turns.begin();
      begun.push(name);
    });
    expect([begun, turns.waiting]).toEqual([[], 2]);
    turns.end();
    await waiting[0];
    expect([begun, turns.waiting]).toEqual([['a'], 1]);
    turns.end();
    await waiting[1];
    expect([begun, turns.waiting]).toEqual([['a', 'b'], 0]);
    for (let n = 0; n < 2; n += 1) turns.end();
    expect([turns.begin(), turns.begin()]).toEqual([undefined, undefined]);
  });

  it('refuses an act whose turn does not come in time, and gives its turn to nobody', async () => {
    const turns = new ActTurns(1, 1);
    expect(turns.begin()).toBeUndefined();
    await expect(turns.begin()).rejects.toThrow(DatabaseUnavailable);
    expect(turns.waiting).toBe(0);
    turns.end();
    expect(turns.begin()).toBeUndefined();
  });
});
