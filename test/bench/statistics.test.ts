import { describe, expect, it } from 'vitest';
import { isReached, ratioOf, shareOf, spreadOf } from '../../bench/statistics.ts';

describe('spreadOf', () => {
  it('gives the middle value of an odd number of values', () => {
    expect(spreadOf([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
  });

  it('gives the mean of the two middle values of an even number', () => {
    expect(spreadOf([4, 1, 100, 2])).toEqual({ median: 3, min: 1, max: 100 });
  });

  it('orders by number, not by text', () => {
    expect(spreadOf([10, 9, 100]).median).toBe(10);
  });

  it('refuses an empty list', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });
});

describe('ratioOf', () => {
  it('divides pair by pair before it takes the median', () => {
    // In the third round, a disturbance made both sides slower by the same factor.
    expect(ratioOf([10, 12, 60], [20, 24, 120])).toEqual({ median: 0.5, min: 0.5, max: 0.5 });
  });

  it('refuses lists of different lengths', () => {
    expect(() => ratioOf([1, 2], [1])).toThrow(RangeError);
  });
});

describe('shareOf', () => {
  it('gives the share of a part of the work in per cent', () => {
    // 100 repetitions of the part take 50 µs more. So the part takes 0.5 µs, which is 1% of the whole work of 50 µs. In
    // the second round, a disturbance made both sides slower.
    expect(shareOf([50, 100], [100, 200], 100)).toEqual({ median: 1, min: 1, max: 1 });
  });
});

describe('isReached', () => {
  it('accepts a value that equals the bound, for a lower bound and for an upper bound', () => {
    expect(isReached({ atLeast: 0.5 }, 0.5)).toBe(true);
    expect(isReached({ atLeast: 0.5 }, 0.49)).toBe(false);
    expect(isReached({ atMost: 1.5 }, 1.5)).toBe(true);
    expect(isReached({ atMost: 1.5 }, 1.51)).toBe(false);
  });
});
