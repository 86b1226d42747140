/** Steps from the root of a JSON text to a place in it: names of members and numbers of items. */
export type Way = readonly (string | number)[];

/**
 * The fragment form of a JSON pointer, such as `#/items/0/quantity` (RFC 6901, section 6). Lone surrogates, which no
 * URI can carry, become U+FFFD.
 */
export function pointerOf(way: Way): string {
  const steps = way.map((step) => String(step).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
  return ['#', ...steps.map(encodeURIComponent)].join('/');
}
