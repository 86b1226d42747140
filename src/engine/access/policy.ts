import { Forbidden, Unauthenticated } from '../errors/errors.js';
import type { Field } from '../../generated/fields.js';
import type { Operation, Scheme, Scope } from '../../generated/operations.js';
import { holds, type Principal } from './principal.js';
import { RowAccess } from './row-access.js';

/** What says whose it is that an operation or a field is about. */
export interface Owner {
  readonly place: 'path' | 'query' | 'body' | 'args' | 'parent' | 'row';
  readonly name: string;
}

interface Alternative {
  /** Null for any. */
  readonly scheme: Scheme | null;
  readonly scopes: readonly Scope[];
}

/** Who may use an operation or a field, and whose rows. Nothing else decides on it. */
export class Policy {
  /** @param alternatives one of which must be satisfied whole; null when anybody may */
  constructor(
    private readonly alternatives: readonly Alternative[] | null,
    readonly owner: Owner | null,
  ) {}

  /**
   * Whose rows the caller may use: everybody's by its scopes, or else its own, where the contract knows an owner.
   *
   * @throws Unauthenticated when a credential is missing
   * @throws Forbidden when the one that came does not reach, whatever row it is about
   */
  rowAccessOf(principal: Principal): RowAccess {
    if (this.alternatives === null) return RowAccess.EVERYTHING;
    if (principal.kind === 'anonymous') {
      throw new Unauthenticated(
        'This needs a credential: an API key in X-API-Key, an access token by Bearer, or e-mail address and password by Basic.',
      );
    }
    const { owner } = this;
    let isOwner = false;
    for (const { scheme, scopes } of this.alternatives) {
      if (scheme !== null && scheme !== principal.scheme) continue;
      // Beside an owner a scheme without scopes is for the owner only.
      const isForAll = owner === null || scopes.length > 0;
      if (isForAll && scopes.every((scope) => holds(principal, scope))) return RowAccess.EVERYTHING;
      isOwner ||= isLent(principal, scopes);
    }
    if (owner !== null && principal.userId !== null && isOwner) return RowAccess.of(principal.userId);
    throw this.refusal();
  }

  /**
   * Whether what names the owner is within reach; if not, what is asked for reads as if it were not there. Where only
   * the row says whose it is, whoever reads the row has to see to it.
   *
   * @param stated what stands in the member that names the owner
   * @throws Forbidden where somebody else is named for whom something is to be done
   */
  isThere(reach: RowAccess, stated: unknown): boolean {
    if (this.owner === null || this.owner.place === 'row' || reach.covers(stated)) return true;
    if (!isWish(this.owner)) return false;
    if (stated === undefined || stated === null) return true;
    throw this.refusal();
  }

  private refusal(): Forbidden {
    const each = (this.alternatives ?? []).map(({ scopes }) => scopes.join(' and ')).filter(Boolean);
    const wanted = [...new Set(each)];
    return wanted.length > 0
      ? new Forbidden(wanted)
      : new Forbidden([], 'This cannot be done with a credential of this kind.');
  }
}

/** Whether what is the user's own may be used with these scopes; they say nothing where the user itself is there. */
function isLent({ delegated }: Principal, scopes: readonly Scope[]): boolean {
  return delegated === null || (scopes.length > 0 && scopes.every((scope) => delegated.has(scope)));
}

/** `args.id` and `path.id` are what is asked for; `args.userId` and `body.user_id` say for whom something is done. */
function isWish({ place, name }: Owner): boolean {
  return place === 'body' || place === 'query' || (place === 'args' && name !== 'id');
}

/**
 * The policy of an operation, from its `security`: one of the entries must be satisfied, and an entry is when all
 * of its scopes are held by a caller who came by its scheme. Public operations have no entry, or an empty one.
 *
 * @throws Error at start when the contract asks for something that is not enforced here
 */
export function operationPolicy({ id, security, owner }: Operation): Policy {
  if (security.some((entry) => entry.length > 1)) {
    throw new Error(`${id} asks for several credentials at once, of which only one can be sent.`);
  }
  const isPublic = security.length === 0 || security.some((entry) => entry.length === 0);
  if (isPublic && owner !== null) throw new Error(`${id} is public and names an owner.`);
  return new Policy(isPublic ? null : security.flat(), ownerOf(owner));
}

/**
 * The policy of a field, from `@auth` or `@public`; one of the scopes is enough.
 *
 * @throws Error at start for a root field that states neither
 */
export function fieldPolicy({ type, field, access }: Field): Policy {
  if (access === null) throw new Error(`${type}.${field} states no policy.`);
  if (access === 'public') return new Policy(null, null);
  if (access.scopes.length === 0 && access.owner === null) {
    throw new Error(`${type}.${field} is not public and asks for no scope.`);
  }
  return new Policy(
    access.scopes.length > 0
      ? access.scopes.map((scope) => ({ scheme: null, scopes: [scope] }))
      : [{ scheme: null, scopes: [] }],
    ownerOf(access.owner),
  );
}

function ownerOf(text: string | null): Owner | null {
  if (text === null) return null;
  const [place, name] = text.split('.') as [Owner['place'], string];
  return { place, name };
}
