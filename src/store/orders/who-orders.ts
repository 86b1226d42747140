import type { Principal } from '../../engine/access/principal.js';
import { ValidationFailed } from '../../engine/errors/errors.js';

/**
 * The user for whom an order is placed: the user that was named, or else the user that the credential belongs to.
 *
 * @throws ValidationFailed when no user was named and the credential belongs to no user
 */
export function whoOrders(userId: number | null | undefined, principal: Principal, pointer: string): number {
  const user = userId ?? principal.userId;
  if (user !== null) return user;
  const detail = 'must be given, because the credential belongs to no user';
  throw new ValidationFailed([{ pointer, code: 'REQUIRED', detail }]);
}
