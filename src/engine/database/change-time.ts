const SECOND_MS = 1_000;

/**
 * The time of a change, for `updatedAt`: the present time, if its second is not before the second of the last change.
 * Otherwise the clock was set back, or an import gave the row a time in the future. Then it is a second after the last
 * change. So a client never takes its old copy for the present one. It compares HTTP dates (`Last-Modified`), which have
 * whole seconds.
 *
 * @param before the time of the last change; undefined if the row has none
 */
export function timeOfChange(before: Date | undefined): Date {
  const now = Date.now();
  const last = before?.getTime() ?? 0;
  return new Date(secondOf(now) >= secondOf(last) ? now : last + SECOND_MS);
}

/** Like `timeOfChange`. `wanted` is taken if its HTTP date is later than that of the last change. */
export function timeOfImportedChange(before: Date, wanted: number | null | undefined): Date {
  if (wanted === null || wanted === undefined || endOf(wanted) <= endOf(before.getTime()))
    return timeOfChange(before);
  return new Date(wanted);
}

/** The first moment after the second of the given moment. */
export function nextSecond(moment: Date): Date {
  return new Date((secondOf(moment.getTime()) + 1) * SECOND_MS);
}

function secondOf(ms: number): number {
  return Math.floor(ms / SECOND_MS);
}

/** The second that `Last-Modified` names when it is over. */
function endOf(ms: number): number {
  return Math.ceil(ms / SECOND_MS);
}
