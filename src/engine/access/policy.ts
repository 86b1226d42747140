import { Forbidden, Unauthenticated, type Fault } from '../errors/errors.js';
import type { Field } from '../../generated/fields.js';
import { SCHEMES, type Operation, type Scheme, type Scope } from '../../generated/operations.js';
import { holds, type Principal } from './principal.js';
import { RowAccess } from './row-access.js';

/**
 * The value that names the owner of a row, as the contracts write it (`x-owner`, `@auth(owner:)`). For example,
 * `path.id` is the parameter `id` of the path: its `place` is `path`, and its `name` is `id`.
 */
export interface Owner {
  readonly place: 'path' | 'query' | 'body' | 'args' | 'parent' | 'row';
  readonly name: string;
}

const IN_WORDS: Readonly<Record<string, readonly Scheme[]>> = {
  'an API key in X-API-Key': ['apiKey'],
  'an access token by Bearer': ['oauth', 'jwt'],
  'e-mail address and password by Basic': ['basic'],
};

interface Alternative {
  /** The required scheme; null if every scheme is accepted. */
  readonly scheme: Scheme | null;
  readonly scopes: readonly Scope[];
}

/** Decides which callers may use an operation or a field, and on which rows. Other parts only apply this decision. */
export class Policy {
  /**
   * @param alternatives the caller may use all rows if it satisfies one of them completely. For the caller's own rows,
   * see `isLent`. Null if all callers are allowed
   */
  constructor(
    private readonly alternatives: readonly Alternative[] | null,
    readonly owner: Owner | null,
  ) {}

  /**
   * The rows that the caller may use. If the scopes of the caller are sufficient, these are all rows. Otherwise, if the
   * contract names an owner, these are the caller's own rows.
   *
   * @throws Unauthenticated when a credential is missing
   * @throws Forbidden when the credential is not sufficient for any row
   */
  rowAccessOf(principal: Principal): RowAccess {
    if (this.alternatives === null) return RowAccess.EVERYTHING;
    if (principal.kind === 'anonymous') {
      throw new Unauthenticated(`This needs a credential: ${this.accepted()}.`);
    }
    const { owner } = this;
    let isOwner = false;
    for (const { scheme, scopes } of this.alternatives) {
      if (scheme !== null && scheme !== principal.scheme) continue;
      // If the contract names an owner, an alternative without scopes is for the owner only.
      const isForAll = owner === null || scopes.length > 0;
      if (isForAll && scopes.every((scope) => holds(principal, scope))) return RowAccess.EVERYTHING;
      isOwner ||= isLent(principal, scopes);
    }
    if (owner !== null && principal.userId !== null && isOwner) return RowAccess.of(principal.userId);
    throw this.refusal();
  }

  /**
   * Whether the caller may use the rows of the owner that the request names. This is true if the contract names no
   * owner, if the caller may use all rows, or if the caller is the owner. Otherwise, there are three cases:
   *
   * - The request names the row or its parent (`path.id`, `args.id`). If the owner is another user, the result is
   *   false, and the request is answered as if the row did not exist.
   * - The client chooses the owner in the request (`body.user_id`, `args.userId`). A request that names another user is
   *   refused. A request that names no user is allowed.
   * - Only the stored row names its owner. The result is true, and the code that reads the row has to check the owner.
   *
   * @param stated the id of the owner, as the request states it
   * @throws Forbidden when the client chooses another user
   */
  isThere(reach: RowAccess, stated: unknown): boolean {
    if (this.owner === null || this.owner.place === 'row' || reach.covers(stated)) return true;
    if (!isWish(this.owner)) return false;
    if (stated === undefined || stated === null) return true;
    throw this.refusal(faultOf(this.owner, reach));
  }

  /** The credentials that may be sufficient, in words. */
  private accepted(): string {
    const schemes = (this.alternatives ?? []).flatMap(({ scheme, scopes }) => {
      if (scheme !== null) return [scheme];
      // A user with a password has no scopes, only its own rows.
      return SCHEMES.filter((each) => each !== 'basic' || scopes.length === 0 || this.owner !== null);
    });
    const words = Object.entries(IN_WORDS)
      .filter(([, ofWords]) => ofWords.some((scheme) => schemes.includes(scheme)))
      .map(([text]) => text);
    return words.length > 1 ? `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}` : words.join('');
  }

  /** @param faults the faults in the request that are the reason for the refusal */
  private refusal(faults: readonly Fault[] = []): Forbidden {
    const each = (this.alternatives ?? []).map(({ scopes }) => scopes.join(' and ')).filter(Boolean);
    const wanted = [...new Set(each)];
    return wanted.length > 0
      ? new Forbidden(wanted, undefined, faults)
      : new Forbidden([], 'This cannot be done with a credential of this kind.');
  }
}

/**
 * Whether the caller may use the rows of the user to whom the credential belongs, or for whom a program calls. The user
 * itself needs no scope. A program needs all of the scopes, and the user must have delegated them to the program. If
 * there are no scopes, no program may use the rows.
 */
function isLent({ delegated }: Principal, scopes: readonly Scope[]): boolean {
  return delegated === null || (scopes.length > 0 && scopes.every((scope) => delegated.has(scope)));
}

/** The fault of a request in which the client chooses another user than its own; none for an argument of GraphQL. */
function faultOf({ place, name }: Owner, { onlyOf }: RowAccess): readonly Fault[] {
  const fault = { code: 'OTHER_USER', detail: `must be ${onlyOf}, the id of your own user` };
  if (place === 'body') return [{ pointer: `#/${name}`, ...fault }];
  return place === 'query' ? [{ parameter: name, ...fault }] : [];
}

/**
 * Whether the client chooses the owner in the request, as in `args.userId` and `body.user_id`. In contrast, `args.id`
 * and `path.id` name the requested row.
 */
function isWish({ place, name }: Owner): boolean {
  return place === 'body' || place === 'query' || (place === 'args' && name !== 'id');
}

/**
 * The policy of an operation, from its `security`. The caller must satisfy one entry of `security`: it must use the
 * scheme of the entry, and have all scopes of the entry. If the contract names an owner, a user needs no scopes for its
 * own rows. A public operation has no entry, or an empty entry.
 *
 * @throws Error at start when the contract requires something that a policy cannot enforce
 */
export function operationPolicy({ id, security, owner }: Operation): Policy {
  if (security.some((entry) => entry.length > 1)) {
    throw new Error(`${id} requires several credentials at once, but a request can have only one.`);
  }
  const isPublic = security.length === 0 || security.some((entry) => entry.length === 0);
  if (isPublic && owner !== null) throw new Error(`${id} is public, so it must not name an owner.`);
  return new Policy(isPublic ? null : security.flat(), ownerOf(owner));
}

/**
 * The policy of a field, from `@auth` or `@public`. The caller needs only one of the scopes.
 *
 * @throws Error at start for a field that has neither `@auth` nor `@public`, or an `@auth` without scopes and owner
 */
export function fieldPolicy({ type, field, access }: Field): Policy {
  if (access === null) throw new Error(`${type}.${field} has neither @auth nor @public.`);
  if (access === 'public') return new Policy(null, null);
  if (access.scopes.length === 0 && access.owner === null) {
    throw new Error(`${type}.${field} is not public, but requires neither a scope nor an owner.`);
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
