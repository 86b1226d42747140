import { Forbidden } from '../../engine/errors/errors.js';
import type { Scope } from '../../generated/operations.js';
import { holds, type Principal } from '../../engine/access/principal.js';

/**
 * A credential can grant only scopes that it has itself. The new credential must end at the same time or earlier.
 *
 * @throws Forbidden
 */
export function requireCanGrant(
  giver: Principal,
  { scopes, expiresAt }: { readonly scopes: readonly Scope[]; readonly expiresAt: Date | null },
): void {
  const missing = scopes.filter((scope) => !holds(giver, scope));
  if (missing.length > 0) {
    throw new Forbidden(
      missing,
      `A credential can grant only scopes that it has. The credential of this request does not have ${missing.join(', ')}.`,
      [
        {
          pointer: '#/scopes',
          code: 'NOT_YOURS',
          detail: `must not have ${missing.join(', ')}: your credential does not have this`,
        },
      ],
    );
  }
  const { expiresAt: end } = giver;
  if (end !== null && (expiresAt === null || expiresAt > end)) {
    throw new Forbidden(
      [],
      `The credential of this request ends at ${end.toISOString()}, so the new credential must not end later.`,
      [
        {
          pointer: '#/expires_at',
          code: 'TOO_LATE',
          detail: `must not be after ${end.toISOString()}, the end of your credential`,
        },
      ],
    );
  }
}
