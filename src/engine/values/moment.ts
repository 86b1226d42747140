import { dateTime } from '../../rules/formats.js';

/** The last moment that RFC 3339 can write: its years have four digits. */
export const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');

/**
 * The moment of an RFC 3339 text, to the millisecond; null for an invalid text. A leap second becomes the second before
 * it, because `Date` has no leap seconds.
 */
export function momentOf(text: string): Date | null {
  if (dateTime(text).length > 0) return null;
  return new Date(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
}

/**
 * Whether RFC 3339 can write the moment in UTC, as all answers do. A valid text may name a moment for which this is
 * false, because its year in UTC can be another one than in its zone.
 */
export function isWritable(moment: Date): boolean {
  return moment.getTime() >= EARLIEST_MS && moment.getTime() <= LATEST_MS;
}

const DAY_MS = 86_400_000;
let knownDay = Number.NaN;
let dayText = '';

/**
 * Returns the same text as `toISOString`, in a quarter of the time. The moments of an answer are often on one day, so
 * the text of the day is cached.
 *
 * @throws RangeError for an invalid date
 */
export function isoOf(moment: Date): string {
  const ms = moment.getTime();
  const day = Math.floor(ms / DAY_MS);
  if (day !== knownDay) {
    dayText = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    knownDay = day;
  }
  const left = ms - day * DAY_MS;
  const seconds = Math.floor(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
  const rest = left % 1000;
  return `${dayText}${time}.${rest < 100 ? '0' : ''}${two(rest)}Z`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

function two(number: number): string {
  return TWO_DIGITS[number] ?? String(number);
}
