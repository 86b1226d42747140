import type { Session } from './session.js';

/**
 * Whether the session has the rights that an element names. The service enforces them; the page only avoids requests
 * that would be refused.
 */
export function isAllowed({ dataset }: HTMLElement, now: Session | null): boolean {
  if (dataset['public'] !== undefined) return true;
  if (!now) return false;
  const { scopes, own_scopes: own, user_id: user } = now.holder;
  const needed = (dataset['scopes'] ?? '').split(' ').filter(Boolean);
  const has = (held: readonly string[]): boolean => needed.every((scope) => held.includes(scope));
  if (scopes.includes('admin') || has(scopes)) return true;
  return dataset['owner'] !== undefined && user !== null && (own === null || has(own));
}
