const FORM = /^(?:([!#-+\--[\]-~]{1,255})|"((?:[ !#-[\]-~]|\\["\\]){1,255})")$/;

/** The `Idempotency-Key` of a request, and whether the answer was repeated. */
export class IdempotencyKey {
  /** Whether the answer is the answer to an earlier request; known after the act is committed. */
  isReplayed = false;

  private constructor(readonly text: string) {}

  /**
   * Reads a key of 1 to 255 characters: a string of RFC 9651, or a text of printable ASCII without spaces, commas,
   * quotes and backslashes. Returns null for any other text.
   */
  static in(value: string): IdempotencyKey | null {
    const [, bare, quoted] = FORM.exec(value) ?? [];
    const text = bare ?? quoted?.replaceAll(/\\(.)/g, '$1');
    return text === undefined ? null : new IdempotencyKey(text);
  }
}
