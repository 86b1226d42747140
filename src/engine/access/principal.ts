import type { Scheme, Scope } from '../../generated/operations.js';

/** Who makes a request, as far as a credential told. */
export interface Principal {
  readonly kind: 'anonymous' | 'client' | 'user';
  /** By what it proved who it is. */
  readonly scheme: Scheme | null;
  /** The same at each of its requests, and nobody else's; null for anonymous callers. */
  readonly id: string | null;
  /** For the log; never a secret. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The user that it is; null for everybody else. */
  readonly userId: number | null;
  /**
   * Of what is the user's own, what the user let a program do that acts in its name; null when nothing is held back. These
   * are not in `scopes`, which are about everybody's rows.
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

/** The scope `admin` holds all of them. */
export function holds(principal: Principal, scope: Scope): boolean {
  return principal.scopes.has(scope) || principal.scopes.has('admin');
}

/** The same for callers to whom the policies allow the same, whatever row it is about. */
export function rightsOf({ kind, scheme, scopes, userId, delegated }: Principal): string {
  const lent = delegated === null ? null : [...delegated].toSorted();
  return JSON.stringify([kind, scheme, userId, [...scopes].toSorted(), lent]);
}
