/**
 * Keeps the text of what is shared between requests (it is frozen, see `SharedRows`) with it, for as long as it is
 * shared; the text of anything else is made each time.
 */
export function encodeOnce<T extends object, R extends string | Buffer>(
  encode: (value: T) => R,
): (value: T) => R {
  const texts = new WeakMap<T, R>();
  return (value) => {
    if (!Object.isFrozen(value)) return encode(value);
    let text = texts.get(value);
    if (text === undefined) {
      text = encode(value);
      texts.set(value, text);
    }
    return text;
  };
}
