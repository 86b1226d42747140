import { describe, expect, it } from 'vitest';
import { BlockCounts } from '../../../src/engine/database/fenwick.js';

/** The result of `locate`, by a slow method that walks over all blocks. */
function walk(
  counts: ReadonlyMap<number, number>,
  offset: number,
): { block: number; skip: number } | undefined {
  let skip = offset;
  for (const [block, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    if (skip < count) return { block, skip };
    skip -= count;
  }
  return undefined;
}

describe('block counts', () => {
  it('find no row in an empty table', () => {
    const blocks = new BlockCounts();
    expect(blocks.total).toBe(0);
    expect(blocks.locate(0)).toBeUndefined();
  });

  it('find rows after blocks were added, changed and emptied', () => {
    const blocks = new BlockCounts();
    const model = new Map<number, number>();
    const set = (block: number, count: number) => {
      expect(blocks.set(block, count)).toBe(true);
      model.set(block, count);
    };
    for (let n = 0; n < 3_000; n += 1) {
      set(n * 5, (n * 31) % 129);
      set(((n * 7) % (n + 1)) * 5, (n * 17) % 129);
    }
    expect(blocks.set(7, 1)).toBe(false);
    const total = [...model.values()].reduce((sum, count) => sum + count);
    expect(blocks.total).toBe(total);
    for (let offset = 0; offset < total; offset += 997)
      expect(blocks.locate(offset)).toEqual(walk(model, offset));
    expect(blocks.locate(total - 1)).toEqual(walk(model, total - 1));
    expect(blocks.locate(total)).toBeUndefined();
  });
});
