const SECOND_MS = 1_000;

/**
 * The time of a change, for `updatedAt`. It is later than the time of the change before, even if the clock was set back,
 * or if an import gave a row a time in the future. Otherwise a client could take its old copy for the present one,
 * because it compares dates (`Last-Modified`). HTTP dates have whole seconds.
 *
 * @param before the time of the change before; undefined if the row has none
 */
export function timeOfChange(before: Date | undefined): Date {
  const now = Date.now();
  const last = before?.getTime() ?? -Infinity;
  return new Date(now > last ? now : last + SECOND_MS);
}

/** Like `timeOfChange`. `wanted` is taken if it is in a later second than the change before. */
export function timeOfImportedChange(before: Date, wanted: number | null | undefined): Date {
  const isLater = (wanted ?? -Infinity) > Math.ceil(before.getTime() / SECOND_MS) * SECOND_MS;
  return isLater ? new Date(wanted as number) : timeOfChange(before);
}
