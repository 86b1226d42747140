import { Forbidden, type Fault } from '../../engine/errors/errors.js';
import type { Scope } from '../../generated/operations.js';
import { holds, type Principal } from '../../engine/access/principal.js';

/**
 * A credential can grant only scopes that it has itself. The new credential must end at the same time or earlier.
 *
 * @param pointers the members of the request that name the scopes and the end; absent if the request has no such member
 * @throws Forbidden
 */
export function requireCanGrant(
  giver: Principal,
  { scopes, expiresAt }: { readonly scopes: readonly Scope[]; readonly expiresAt: Date | null },
  pointers: { readonly scopes?: string; readonly expiresAt?: string } = {},
): void {
  const missing = scopes.filter((scope) => !holds(giver, scope));
  if (missing.length > 0) {
    throw new Forbidden(
      missing,
      `A credential can grant only scopes that it has. The credential of this request does not have ${missing.join(', ')}.`,
      faultAt(
        pointers.scopes,
        'NOT_YOURS',
        `must not have ${missing.join(', ')}: your credential does not have this`,
      ),
    );
  }
  const { expiresAt: end } = giver;
  if (end !== null && (expiresAt === null || expiresAt > end)) {
    throw new Forbidden(
      [],
      `The credential of this request ends at ${end.toISOString()}, so the new credential must not end later.`,
      faultAt(
        pointers.expiresAt,
        'TOO_LATE',
        `must not be after ${end.toISOString()}, the end of your credential`,
      ),
    );
  }
}

function faultAt(pointer: string | undefined, code: string, detail: string): readonly Fault[] {
  return pointer === undefined ? [] : [{ pointer, code, detail }];
}
