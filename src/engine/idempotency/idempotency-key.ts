const FORM = /^(?:([!#-+\--[\]-~]{1,255})|"((?:[ !#-[\]-~]|\\["\\]){1,255})")$/;

/** What a request sent as its `Idempotency-Key`, and what came of it. */
export class IdempotencyKey {
  /** Whether the answer is that of an earlier request; known when the act is committed. */
  isReplayed = false;

  private constructor(readonly text: string) {}

  /** Reads a string of RFC 9651 or a bare key, which are the same one; null when it is neither. */
  static in(value: string): IdempotencyKey | null {
    const [, bare, quoted] = FORM.exec(value) ?? [];
    const text = bare ?? quoted?.replaceAll(/\\(.)/g, '$1');
    return text === undefined ? null : new IdempotencyKey(text);
  }
}
