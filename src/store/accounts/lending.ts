import type { Scope } from '../../generated/operations.js';

/** What a user can let a program do in its name, and how that is said to the user. */
const LENDABLE: Readonly<Partial<Record<Scope, string>>> = {
  'users:read': 'See your name and e-mail address',
  'users:write': 'Change your name and e-mail address, and delete your account',
  'orders:read': 'See your orders',
  'orders:write': 'Place and cancel orders for you',
};

/** What is no scope of the interface: that it learns who somebody is, and that it may come back alone (OpenID Connect). */
const BESIDES: Readonly<Record<string, string>> = {
  openid: 'Know which account is yours',
  offline_access: 'Do all this also when you are not there, until you change your password',
};

export const BESIDES_SCOPES = Object.keys(BESIDES);

/** Of scopes those that a user can lend. */
export function lendable(scopes: Iterable<string>): Scope[] {
  return [...scopes].filter((scope): scope is Scope => Object.hasOwn(LENDABLE, scope));
}

/** What a user is asked to agree to, in words; null for what no user can agree to. */
export function wordsFor(scope: string): string | null {
  const words: Readonly<Record<string, string>> = { ...LENDABLE, ...BESIDES };
  return Object.hasOwn(words, scope) ? (words[scope] as string) : null;
}
