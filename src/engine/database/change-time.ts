import { LATEST_MS } from '../values/moment.js';

const SECOND_MS = 1_000;

/**
 * The time of a change, for `updatedAt`. It is the present time, but always later than the last change. The last change
 * can be a second or more in the future, because the clock was set back, or because an import gave the row a time in
 * the future. Then the time of the new change is a second after the last change. So the HTTP date (`Last-Modified`) of
 * an old copy does not match the changed row, although HTTP dates have whole seconds. Only if the clock was set back by
 * less than a second, or if the clocks of two instances differ, such a date can match. An entity tag never does.
 * After the year 9999, there is no time that an answer can show, so all changes have the last time of that year.
 *
 * @param before the time of the last change; undefined if the row has none
 */
export function timeOfChange(before: Date | undefined): Date {
  const now = Date.now();
  const last = before?.getTime() ?? 0;
  // The clocks of two instances are assumed to differ by less than a second.
  const next = last - now < SECOND_MS ? Math.max(now, last + 1) : last + SECOND_MS;
  return new Date(Math.min(next, LATEST_MS));
}

/**
 * The time of a change by an import. It is `wanted`, if the HTTP date of `wanted` is later than that of the last
 * change. Otherwise it is the result of `timeOfChange`.
 */
export function timeOfImportedChange(before: Date, wanted: number | null | undefined): Date {
  if (wanted === null || wanted === undefined || endOf(wanted) <= endOf(before.getTime()))
    return timeOfChange(before);
  return new Date(wanted);
}

/** The end of the second in which a time lies, in seconds. `Last-Modified` has this value when this second is over. */
function endOf(ms: number): number {
  return Math.ceil(ms / SECOND_MS);
}
