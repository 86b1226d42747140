import type { Holder } from '../session.js';
import type { Row } from './orders.js';

/**
 * The rights of a caller on the board. The service enforces them; the board only avoids requests that would be refused.
 */
export interface Rights {
  /** The orders that the caller may read. */
  readonly reads: 'all' | 'own' | 'none';
  /** Whether the caller may see the names of the users who placed the orders that it may read. */
  readonly names: boolean;
  readonly mayMove: (row: Row, to: string) => boolean;
}

export function rightsOf({ scopes, own_scopes: own, user_id: user }: Holder): Rights {
  const has = (scope: string): boolean => scopes.includes('admin') || scopes.includes(scope);
  const hasOwn = (scope: string): boolean => user !== null && (own === null || own.includes(scope));
  return {
    reads: has('orders:read') ? 'all' : hasOwn('orders:read') ? 'own' : 'none',
    names: has('users:read') || (!has('orders:read') && hasOwn('users:read')),
    // Without `orders:write` for all orders, a user may only cancel its own orders, and only while they are pending.
    mayMove: (row, to) =>
      has('orders:write') ||
      (hasOwn('orders:write') &&
        row.userId === String(user) &&
        row.status === 'pending' &&
        to === 'cancelled'),
  };
}
