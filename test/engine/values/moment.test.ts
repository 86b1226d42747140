import { describe, expect, it } from 'vitest';
import { isoOf, momentOf } from '../../../src/engine/values/moment.js';

describe('isoOf', () => {
  it('returns the same as toISOString for any day and year, before and after 1970', () => {
    const day = 86_400_000;
    const edges = [0, 1, 999, 1000, 59_999, 60_000, 3_599_999, day - 1, day, 8.64e15].flatMap((ms) => [
      ms,
      -ms,
    ]);
    const scattered = Array.from({ length: 2000 }, (_, n) => (n * 7_919_104_729) % 8.64e15);
    for (const ms of [...edges, ...scattered, ...scattered.map((each) => -each)]) {
      const moment = new Date(ms);
      expect(isoOf(moment)).toBe(moment.toISOString());
    }
  });

  it('refuses a value that is not a moment', () => {
    expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError);
  });
});

describe('momentOf', () => {
  it.each([
    ['2026-11-21T08:44:54Z', '2026-11-21T08:44:54.000Z'],
    ['2026-11-21t08:44:54.1234z', '2026-11-21T08:44:54.123Z'],
    ['2026-11-21T09:44:54+01:00', '2026-11-21T08:44:54.000Z'],
    // A leap second, which Date does not have.
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ])('reads %s', (text, iso) => {
    expect(momentOf(text)?.toISOString()).toBe(iso);
  });

  it.each(['', '2026-11-21', '2026-02-30T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21 08:44:54Z', 'now'])(
    'returns null for %j',
    (text) => {
      expect(momentOf(text)).toBeNull();
    },
  );
});
