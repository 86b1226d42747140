/**
 * Returns an encoder that keeps the texts of frozen values. Several requests may share a frozen value, such as a row of
 * `SharedRows`. So its text is kept as long as the value exists. Any other value is encoded each time.
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
