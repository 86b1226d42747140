import type { Scheme, Scope } from '../../generated/operations.js';

/** The caller of a request, after the check of its credential. */
export interface Principal {
  readonly kind: 'anonymous' | 'client' | 'user';
  /** The scheme of the credential; null without a credential. */
  readonly scheme: Scheme | null;
  /**
   * The id of the caller. It is the same in each request of the caller, and no other caller has it. Null for anonymous
   * callers.
   */
  readonly id: string | null;
  /** The name of the caller in the log. It never contains a secret. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The id of the user to whom the credential belongs, or for whom a program calls; null if there is no such user. */
  readonly userId: number | null;
  /**
   * The scopes that the user has delegated to a program for the user's own rows. Null if the caller needs no scopes for
   * the user's own rows. These scopes are not in `scopes`, because `scopes` apply to all rows.
   */
  readonly delegated: ReadonlySet<Scope> | null;
  /** The time at which the credential expires; null if it does not expire. */
  readonly expiresAt: Date | null;
}

export const ANONYMOUS: Principal = {
  kind: 'anonymous',
  scheme: null,
  id: null,
  name: 'anonymous',
  scopes: new Set(),
  userId: null,
  delegated: null,
  expiresAt: null,
};

/** The scope `admin` includes all scopes. */
export function holds(principal: Principal, scope: Scope): boolean {
  return principal.scopes.has(scope) || principal.scopes.has('admin');
}

/**
 * The rights of a caller as a text. If two callers have the same text, the policies decide the same for both of them,
 * on every row.
 */
export function rightsOf({ kind, scheme, scopes, userId, delegated }: Principal): string {
  const lent = delegated === null ? null : [...delegated].toSorted();
  return JSON.stringify([kind, scheme, userId, [...scopes].toSorted(), lent]);
}
