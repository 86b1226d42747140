import { Forbidden, Unauthenticated } from '../errors.js';
import type { Field } from '../generated/fields.js';
import type { Operation, Scope } from '../generated/operations.js';
import { holds, type Principal } from './principal.js';

/**
 * Whether a principal may use an operation or a field, whatever row it is about.
 *
 * @throws Unauthenticated when a credential is missing
 * @throws Forbidden when the one that came does not reach
 */
export type Policy = (principal: Principal) => void;

/**
 * The policy of an operation, from its `security`: one of the entries must be satisfied, and an entry is when all
 * of its scopes are held; one that names a scheme without scopes is satisfied by any known caller. Public operations
 * have no entry, or an empty one.
 *
 * @throws Error at start when the contract asks for something that is not enforced here
 */
export function operationPolicy({ id, security, owner }: Operation): Policy {
  if (owner !== null) throw new Error(`${id} names an owner, and no principal can be one yet.`);
  if (security.some((entry) => entry.some(({ scheme }) => scheme !== 'apiKey'))) {
    throw new Error(`${id} names a security scheme that nothing checks.`);
  }
  if (security.length === 0 || security.some((entry) => entry.length === 0)) return () => {};
  return anyOf(security.map((entry) => entry.flatMap(({ scopes }) => scopes)));
}

/**
 * The policy of a field, from `@auth` or `@public`; one of the scopes is enough.
 *
 * @throws Error at start for a root field that states neither
 */
export function fieldPolicy({ type, field, access }: Field): Policy {
  if (access === null) throw new Error(`${type}.${field} states no policy.`);
  if (access === 'public') return () => {};
  if (access.owner !== null)
    throw new Error(`${type}.${field} names an owner, and no principal can be one yet.`);
  if (access.scopes.length === 0) throw new Error(`${type}.${field} is not public and asks for no scope.`);
  return anyOf(access.scopes.map((scope) => [scope]));
}

function anyOf(alternatives: readonly (readonly Scope[])[]): Policy {
  return (principal) => {
    if (principal.kind === 'anonymous') {
      throw new Unauthenticated('This needs a credential: send an API key in the header X-API-Key.');
    }
    if (!alternatives.some((scopes) => scopes.every((scope) => holds(principal, scope)))) {
      throw new Forbidden(alternatives.map((scopes) => scopes.join(' and ')));
    }
  };
}
