import { dateTime } from './generated/formats.js';

/**
 * The moment that a text of RFC 3339 names, to the millisecond; null when it is none. A leap second is taken for the
 * one before it, since `Date` has none.
 */
export function momentOf(text: string): Date | null {
  if (dateTime(text).length > 0) return null;
  return new Date(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
}
