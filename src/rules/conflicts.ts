/*
 * The place of a conflict in a form. The script of a page shows the answer of the API (pages/forms.ts). For a browser
 * without a script, the service shows the sent form again (src/engine/browse/sent-form.ts). Both apply this rule.
 */

/** The fields of a form that a 409 is about, by the code of the 409. `*` stands for all other codes. */
export type Conflicts = Readonly<Record<string, readonly string[]>>;

interface Problem {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly errors?: unknown;
}

/**
 * The fields that a problem is about, if it is a 409 without `errors`. A 409 about an `Idempotency-Key` is about no
 * field.
 */
export function conflicting({ status, code, errors }: Problem, conflicts: Conflicts): readonly string[] {
  const name = String(code);
  if (status !== 409 || errors !== undefined || name.startsWith('IDEMPOTENCY')) return [];
  return conflicts[name] ?? conflicts['*'] ?? [];
}
