const FORM = /^(?:([!#-+\--[\]-~]{1,255})|"((?:[ !#-[\]-~]|\\["\\]){1,255})")$/;

/** The `Idempotency-Key` of a request, and whether the answer was repeated. */
export class IdempotencyKey {
  /** Whether the answer is the answer to an earlier request; known after the act is committed. */
  isReplayed = false;

  private constructor(readonly text: string) {}

  /** Reads a key that is a string of RFC 9651, or the same text without quotes. Returns null for any other text. */
  static in(value: string): IdempotencyKey | null {
    const [, bare, quoted] = FORM.exec(value) ?? [];
    const text = bare ?? quoted?.replaceAll(/\\(.)/g, '$1');
    return text === undefined ? null : new IdempotencyKey(text);
  }
}
