/** The steps from the root of a JSON text to a place in it: names of members and numbers of items. */
export type Way = readonly (string | number)[];

// The bounds of a pointer. They are needed because the caller decides the length of names, and an answer has up to a
// hundred pointers.
const LONGEST_NAME = 200;
const LONGEST_POINTER = 1_500;

/**
 * The fragment form of a JSON pointer, such as `#/items/0/quantity` (RFC 6901, section 6). Lone surrogates cannot be in
 * a URI and become U+FFFD. The pointer ends before the first name that is too long, and before a step that would make
 * the whole pointer too long. It then leads to an enclosing object or list.
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
