import type { Scope } from '../../generated/schemas.js';

/** The scopes that a user can lend to a program, with the words in which the user is asked. */
const LENDABLE: Readonly<Partial<Record<Scope, string>>> = {
  'users:read': 'See your name and e-mail address',
  'users:write': 'Change your name and e-mail address, and delete your account',
  'orders:read': 'See your orders',
  'orders:write': 'Place and cancel orders for you',
};

/**
 * The scopes of OpenID Connect, which are not scopes of the API. With them, a program learns who the user is, or gets
 * new tokens while the user is away.
 */
const BESIDES: Readonly<Record<string, string>> = {
  openid: 'Know which account is yours',
  offline_access: 'Do all this also while you are away, for up to 90 days, or until you change your password',
};

export const BESIDES_SCOPES = Object.keys(BESIDES);

export function lendableScopes(): Scope[] {
  return Object.keys(LENDABLE) as Scope[];
}

/** Selects the scopes that a user can lend. */
export function lendable(scopes: Iterable<string>): Scope[] {
  return [...scopes].filter((scope): scope is Scope => Object.hasOwn(LENDABLE, scope));
}

/** The words in which a user is asked to grant a scope; null for a scope that no user can grant. */
export function wordsFor(scope: string): string | null {
  const words: Readonly<Record<string, string>> = { ...LENDABLE, ...BESIDES };
  return Object.hasOwn(words, scope) ? (words[scope] as string) : null;
}
