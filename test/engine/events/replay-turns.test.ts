import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReplayTurns } from '../../../src/engine/events/replay-turns.js';

describe('the turns of readers of old events', () => {
  let turns: ReplayTurns;
  let begun: string[];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    turns = new ReplayTurns();
    begun = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A reader whose page takes `ms` milliseconds. With Infinity, the reader never ends its turn. */
  const read = async (reader: string, ms: number): Promise<void> => {
    const end = await turns.take(reader.charAt(0));
    begun.push(reader);
    if (ms < Infinity) setTimeout(end, ms);
  };
  const after = async (ms: number): Promise<readonly string[]> => {
    await vi.advanceTimersByTimeAsync(ms);
    await nextTurn();
    return begun;
  };

  it('come one after the other, and after each turn there is a pause of the same length', async () => {
    for (const reader of ['a1', 'a2']) void read(reader, 20);
    expect(await after(39)).toEqual(['a1']);
    expect(await after(1)).toEqual(['a1', 'a2']);
    expect(await after(40)).toEqual(['a1', 'a2']);
    void read('a3', 20);
    expect(await after(0)).toEqual(['a1', 'a2', 'a3']);
  });

  it('alternate between callers, however many readers a caller has', async () => {
    for (const reader of ['x1', 'a1', 'a2', 'a3', 'b1', 'b2']) void read(reader, 1);
    expect(await after(20)).toEqual(['x1', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('end after 50 ms, so that a slow reader does not stop the others', async () => {
    void read('a1', Infinity);
    void read('b1', 1);
    expect(await after(99)).toEqual(['a1']);
    expect(await after(1)).toEqual(['a1', 'b1']);
  });
});
