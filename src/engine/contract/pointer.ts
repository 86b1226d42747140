/** Steps from the root of a JSON text to a place in it: names of members and numbers of items. */
export type Way = readonly (string | number)[];

/** Names are as long as the caller likes, and an answer has a hundred pointers. */
const LONGEST_NAME = 200;
const LONGEST_POINTER = 1_500;

/**
 * The fragment form of a JSON pointer, such as `#/items/0/quantity` (RFC 6901, section 6). Lone surrogates, which no
 * URI can carry, become U+FFFD. Where a name or the whole is too long, it leads to the object around.
 */
export function pointerOf(way: Way): string {
  let pointer = '#';
  for (const step of way) {
    if (isLong(step)) break;
    const text = String(step).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
    const next = `${pointer}/${encodeURIComponent(text)}`;
    if (next.length > LONGEST_POINTER) break;
    pointer = next;
  }
  return pointer;
}

export function isLong(name: string | number): boolean {
  return typeof name === 'string' && name.length > LONGEST_NAME;
}
