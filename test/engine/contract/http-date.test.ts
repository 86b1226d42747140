import { expect, it } from 'vitest';
import { httpDate } from '../../../src/engine/contract/http-date.js';

it.each([
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '1994-11-06T08:49:37.123Z',
  '2024-02-29T23:59:59.000Z',
  '2026-11-22T12:00:09.500Z',
  // In the list of remembered days, this day has the same place as the day in the line above.
  '2029-09-11T01:02:03.000Z',
  '9999-12-31T23:59:59.000Z',
])('httpDate writes %s like toUTCString', (text) => {
  const moment = new Date(text);
  expect(httpDate(moment.getTime())).toBe(moment.toUTCString());
  expect(httpDate(moment.getTime())).toBe(moment.toUTCString());
});
