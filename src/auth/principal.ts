import type { Scheme, Scope } from '../generated/operations.js';

/** Who makes a request, as far as a credential told. */
export interface Principal {
  readonly kind: 'anonymous' | 'client' | 'user';
  /** By what it proved who it is. */
  readonly scheme: Scheme | null;
  /** For the log; never a secret. */
  readonly name: string;
  /**
   * Who is counted: the same for all credentials of a user (`user 7`), and for a client its own (`key 3`). Never shown,
   * and never used again for somebody else.
   */
  readonly account: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The user that it is; null for everybody else. */
  readonly userId: number | null;
  /** When the credential ends by itself; null for never. */
  readonly expiresAt: Date | null;
}

export const ANONYMOUS: Principal = {
  kind: 'anonymous',
  scheme: null,
  name: 'anonymous',
  account: 'anonymous',
  scopes: new Set(),
  userId: null,
  expiresAt: null,
};

/** The scope `admin` holds all of them. */
export function holds(principal: Principal, scope: Scope): boolean {
  return principal.scopes.has(scope) || principal.scopes.has('admin');
}
