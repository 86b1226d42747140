import type { Scheme, Scope } from '../../generated/operations.js';

/** The caller of a request, as its credential proves it. */
export interface Principal {
  readonly kind: 'anonymous' | 'client' | 'user';
  /** The scheme of its credential. */
  readonly scheme: Scheme | null;
  /**
   * The same at each request of the caller, and different from the ids of all other callers; null for anonymous
   * callers.
   */
  readonly id: string | null;
  /** For the log; never a secret. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The id of the user; null for all other callers. */
  readonly userId: number | null;
  /**
   * The scopes that the user has delegated to a program for the user's own rows; null for no restriction. They are not
   * in `scopes`, which apply to all rows.
   */
  readonly delegated: ReadonlySet<Scope> | null;
  /** When the credential ends by itself; null for never. */
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

/** Equal for callers to which the policies allow the same, on any row. */
export function rightsOf({ kind, scheme, scopes, userId, delegated }: Principal): string {
  const lent = delegated === null ? null : [...delegated].toSorted();
  return JSON.stringify([kind, scheme, userId, [...scopes].toSorted(), lent]);
}
