import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { datePattern, instant, ISO } from '../../../src/store/transfer/date-pattern.js';

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

/** Each function returns the text of a given moment for one part of a pattern. It does not use the tested code. */
const WRITERS: Readonly<Record<string, (at: Date) => string>> = {
  YYYY: (at) => padded(at.getUTCFullYear(), 4),
  MM: (at) => padded(at.getUTCMonth() + 1, 2),
  M: (at) => String(at.getUTCMonth() + 1),
  DD: (at) => padded(at.getUTCDate(), 2),
  D: (at) => String(at.getUTCDate()),
  HH: (at) => padded(at.getUTCHours(), 2),
  H: (at) => String(at.getUTCHours()),
  hh: (at) => padded(at.getUTCHours(), 2),
  h: (at) => String(at.getUTCHours()),
  'hh A': (at) => `${padded(at.getUTCHours() % 12 || 12, 2)} ${at.getUTCHours() < 12 ? 'AM' : 'PM'}`,
  'h A': (at) => `${at.getUTCHours() % 12 || 12} ${at.getUTCHours() < 12 ? 'a.m.' : 'p.m.'}`,
  mm: (at) => padded(at.getUTCMinutes(), 2),
  m: (at) => String(at.getUTCMinutes()),
  ss: (at) => padded(at.getUTCSeconds(), 2),
  s: (at) => String(at.getUTCSeconds()),
  SSS: (at) => padded(at.getUTCMilliseconds(), 3),
  Z: () => 'Z',
};
const LITERALS = ['/', '-', '.', ':', ' ', 'T', '[of]', '', '[1]', '*', '('];

const FIELDS = [
  ['YYYY'],
  ['MM', 'M'],
  ['DD', 'D'],
  ['HH', 'H', 'hh', 'h', 'hh A', 'h A'],
  ['mm', 'm'],
  ['ss', 's'],
  ['SSS'],
  ['Z'],
];

/** Patterns of at least three parts in any order, with or without text between them. */
const patterns = fc
  .shuffledSubarray(FIELDS, { minLength: 3 })
  .chain((fields) =>
    fc.tuple(
      ...fields.map((names) => fc.tuple(fc.constantFrom(...names), fc.constantFrom(...LITERALS, ':', ' '))),
    ),
  );

it('reads back a moment that was written with the same pattern, for every accepted pattern', () => {
  let taken = 0;
  fc.assert(
    fc.property(
      patterns,
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
      (list, at) => {
        const pattern = datePattern(list.flat().join(''));
        if (typeof pattern === 'string') return;
        taken += 1;
        const text = list
          .map(([token, literal]) => (WRITERS[token]?.(at) ?? '') + literal.replace(/^\[(.*)\]$/, '$1'))
          .join('');
        const names = new Set(list.flatMap(([token]) => token.replaceAll('H', 'h').split('')));
        const known = new Date(at);
        if (!names.has('S')) known.setUTCMilliseconds(0);
        if (!names.has('s')) known.setUTCSeconds(0);
        if (!names.has('m')) known.setUTCMinutes(0);
        if (!names.has('h')) known.setUTCHours(0);
        expect({ text, pattern: pattern.text, at: instant(text, pattern) }).toEqual({
          text,
          pattern: pattern.text,
          at: known.getTime(),
        });
      },
    ),
    { numRuns: 5_000 },
  );
  expect(taken).toBeGreaterThan(500);
});

it.each(['YYYY-MM-DD', 'D.M.YYYY H:mm', 'M/D/YYYY h:mm', 'M/D/YYYY h:mm A', 'YYYYMMDDThhmmssZ'])(
  'accepts the pattern %s',
  (text) => {
    expect(datePattern(text)).toMatchObject({ text });
  },
);

it('explains in a sentence why it refuses a pattern, and lists the parts of patterns', () => {
  expect(datePattern('DD/MM/YYYY s')).toMatch(/has ss without mm\. The parts are YYYY/);
});

it.each(['+99:99', '+24:00', '-00:60', '+0260'])('refuses the zone %s, which does not exist', (zone) => {
  expect(instant(`2020-01-01T00:00${zone}`, ISO)).toBeNull();
  const pattern = datePattern('YYYYMMDDThhmmZ');
  expect(typeof pattern === 'string' ? pattern : instant(`20200101T0000${zone}`, pattern)).toBeNull();
});

it.each(['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])(
  'refuses %s, because its year in UTC is not between 1 and 9999',
  (text) => {
    expect(instant(text, ISO)).toBeNull();
    expect(instant(`${text.slice(0, -'+00:00'.length)}Z`, ISO)).not.toBeNull();
  },
);

it.each([
  ['+14:00', -14 * 60],
  ['-12:00', 12 * 60],
  ['+05:45', -345],
  ['+23:59', -1_439],
  ['Z', 0],
])('accepts the zone %s', (zone, minutes) => {
  expect(instant(`2020-01-01T00:00${zone}`, ISO)).toBe(Date.UTC(2020, 0, 1) + minutes * 60_000);
});
