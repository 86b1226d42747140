import { afterEach, expect, it, vi } from 'vitest';
import { momentIn } from '../../../src/app/cli/arguments.js';

afterEach(() => {
  vi.useRealTimers();
});

it.each([
  ['90s', '2027-08-31T10:21:30.000Z'],
  ['30m', '2027-08-31T10:50:00.000Z'],
  ['12h', '2027-08-31T22:20:00.000Z'],
  ['30d', '2027-09-30T10:20:00.000Z'],
  ['6w', '2027-10-12T10:20:00.000Z'],
  ['6mo', '2028-02-29T10:20:00.000Z'],
  ['1mo', '2027-09-30T10:20:00.000Z'],
  ['1y', '2028-08-31T10:20:00.000Z'],
  ['2030-01-02', '2030-01-02T00:00:00Z'],
  ['2030-01-02T03:04:05+02:00', '2030-01-02T03:04:05+02:00'],
])('accepts %s as the time at which a key expires', (text, moment) => {
  vi.useFakeTimers({ now: new Date('2027-08-31T10:20:00Z'), toFake: ['Date'] });
  expect(momentIn(text)).toBe(moment);
});

it.each(['soon', '1M', '0d', '1.5y', '-1d', '', '99999y'])(
  'refuses "%s" as the time at which a key expires',
  (text) => {
    expect(() => momentIn(text)).toThrow(/6mo or 1y/);
  },
);
