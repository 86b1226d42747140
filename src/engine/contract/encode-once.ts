/**
 * Encodes values. The text of a frozen value, which requests share (see `SharedRows`), is kept as long as the value.
 * The text of any other value is made each time.
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
