import { describe, expect, it } from 'vitest';
import { moreIn } from '../../prove/soak/handles.ts';
import { slopeOf, verdictOn, type Point } from '../../prove/soak/slope.ts';

/**
 * Samples of the memory use in MiB. The use grows by `perHour`, and goes up and down with each collection of garbage.
 */
function samples(minutes: number, perHour: number, waves: number): readonly Point[] {
  return Array.from({ length: minutes * 6 }, (_none, index) => ({
    seconds: index * 10,
    value: 100 + (perHour * index * 10) / 3_600 + waves * (index % 7),
  }));
}

describe('the soak', () => {
  it.each([
    ['proves that the memory does not grow', 30, 0, 0.01, 'proved'],
    ['finds a leak of 3 MiB in an hour', 30, 3, 0.01, 'broken'],
    ['finds memory that grows a little more than the bound', 60, 1.2, 0.001, 'broken'],
    ['decides nothing after a short run with large waves', 2, 3, 2, 'open'],
  ] as const)('%s', (_what, minutes, perHour, waves, verdict) => {
    expect(verdictOn(slopeOf(samples(minutes, perHour, waves)), 1)).toBe(verdict);
  });

  it('finds timers, sockets and statements that a service leaves behind', () => {
    const before = { timers: 16, sockets: 3, 'statements of SQLite': 105, 'statements prepared twice': 0 };
    expect(moreIn(before, before)).toBeNull();
    expect(moreIn({ ...before, 'statements of SQLite': 125 }, before)).toBeNull();
    expect(moreIn({ ...before, timers: 17 }, before)).toBe('timers: 16, then 17');
    expect(moreIn({ ...before, sockets: 4, 'statements prepared twice': 6 }, before)).toBe(
      'sockets: 3, then 4; statements prepared twice: 0, then 6',
    );
    expect(moreIn({ ...before, 'statements of SQLite': 126 }, before)).toBe(
      'statements of SQLite: 105, then 126',
    );
    expect(moreIn({ ...before, workers: 1 }, before)).toBe('workers: 0, then 1');
  });
});
