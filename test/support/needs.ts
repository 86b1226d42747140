declare module 'vitest' {
  interface TaskMeta {
    /** The reason why a test is skipped: a thing that is missing, and how to provide it. */
    needs?: string;
  }
}

/** Options of `describe` and `it`. */
export interface Needed {
  readonly skip?: boolean;
  readonly meta?: { readonly needs: string };
}

/**
 * Skips tests that need something that this machine does not have. The reporter lists them at the end of the
 * run (`./skipped.ts`).
 *
 * @param howTo a sentence that says how to provide it
 * @throws Error if the tests would be skipped, and TEST_REQUIRE_SERVERS is 1, which forbids this
 */
export function needing(what: string, isThere: boolean, howTo: string): Needed {
  if (isThere) return {};
  const needs = `${what}: ${howTo}`;
  if (process.env['TEST_REQUIRE_SERVERS'] === '1') throw new Error(`The tests need ${needs}.`);
  return { skip: true, meta: { needs } };
}
