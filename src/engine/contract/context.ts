import type { Principal } from '../access/principal.js';
import type { RowAccess } from '../access/row-access.js';
import { currentSpan, type TraceName } from '../tracing/span.js';
import { memberPointer, type AroundAct, type Origin } from '../database/transaction.js';
import type { JsonPatch } from './json-patch.js';
import type { ReadOnlyEcho } from './read-only-echo.js';
import type { Asker } from '../database/asker.js';
import type { Position } from '../../generated/contract.js';
import type { StreamWish } from './live-answer.js';
import { PreconditionFailed, PreconditionRequired } from '../errors/errors.js';

/** The part of a request that is not its input. The door passes this part to the repository. */
export interface Context {
  readonly principal: Principal;
  /** The IP address of the caller. */
  readonly ip: string;
  /** The rows that the caller may use in this operation. */
  readonly reach: RowAccess;
  readonly requestId: string;
  readonly trace: TraceName | null;
  /** The caller for whom long reads are done. */
  readonly asker: Asker;
  /** The origin of the changes of this operation. */
  readonly origin: Origin;
  readonly precondition: Precondition;
  /**
   * Checks the credential of the caller again, with the facts that the database has now. All other checks may use facts
   * that are up to a second old. So each act that gives lasting access calls this first: an act that stores a password
   * or an identity, or that makes an API key or a secret.
   *
   * @returns the number of the facts, for `CredentialChanges.requireUnchangedSince`; null if the caller has no
   *   credential that could end
   * @throws Unauthenticated when the credential has ended, or when its rights have changed
   * @throws the same errors as `Credentials.principalOf`
   */
  readonly confirm: () => Promise<number | null>;
  /**
   * The JSON patch of the request; null without one. With a JSON patch, the body has only those members whose new
   * values do not depend on the row.
   */
  readonly patch: JsonPatch | null;
  /**
   * The read-only members of the body that are not in the address; null if there are none, or with a JSON patch. The
   * act compares these members with the row, and the handler does not get them.
   */
  readonly sentBack: ReadOnlyEcho | null;
  /** Set if the answer is a stream of events; see `LiveAnswer`. */
  readonly stream: StreamWish | null;
  /**
   * The position in a list at which the requested slice begins; null for the beginning of the list, and for a list
   * without cursors.
   */
  readonly position: Position | null;
}

/** The part of the context of an act that gives lasting access. */
export type Giving = Pick<Context, 'origin' | 'confirm'>;

/** The changes of a PATCH: either known at once, or computed from the row inside the act. */
export type Wanted<C, E extends object> = C | ((entity: E) => C);

/**
 * The changes that a request wants. Without a JSON patch, `read` takes them from the body at once. With a JSON patch,
 * `read` takes them from the patched row, inside the act. Even then `read` is first called with the body, so that
 * faults that do not depend on the row are refused at once.
 */
export function wantedBy<B extends object, C, E extends object>(
  body: B,
  { patch, sentBack }: Pick<Context, 'patch' | 'sentBack'>,
  read: (body: B) => C,
): Wanted<C, E> {
  const changes = read(body);
  if (patch !== null) return (entity) => read(patch.changesOf(entity) as B);
  return asRead(changes, { sentBack });
}

/** The changes of a row, on one condition: the row has the same read-only values as the body. */
export function asRead<C, E extends object>(
  changes: C,
  { sentBack }: Pick<Context, 'sentBack'>,
): Wanted<C, E> {
  if (sentBack === null) return changes;
  return (entity) => {
    sentBack.check(entity);
    return changes;
  };
}

/** The origin of the changes of a request. A client is recorded with its name, a user only with its id. */
export function originOf(
  { kind, userId, name }: Principal,
  requestId: string,
  keyed: AroundAct | null = null,
  pointerTo: Origin['pointerTo'] = memberPointer,
): Origin {
  return {
    actor: { kind, userId, name: userId === null ? name : null },
    requestId,
    keyed,
    span: currentSpan() ?? null,
    pointerTo,
  };
}

/** The conditions of a request on the row that the request changes. */
interface Conditions {
  /** The row must have one of these versions. */
  readonly match?: ReadonlySet<number>;
  /** Whether the row must not have this version. */
  readonly isBarred?: (version: number) => boolean;
  /** The date of the client's copy, in milliseconds since 1970. */
  readonly unmodifiedSince?: number;
  /** Whether the service requires a condition, and the request has neither `If-Match` nor `If-Unmodified-Since`. */
  readonly isRequired?: boolean;
}

/**
 * The state of the row that the client expects before its change (RFC 9110, section 13.2.2). The act checks this state,
 * in the transaction of the change.
 */
export class Precondition {
  static readonly NONE = new Precondition({});

  constructor(private readonly conditions: Conditions) {}

  /**
   * @throws PreconditionFailed
   * @throws PreconditionRequired when the service requires a condition that the request does not have; see `isRequired`
   */
  check(row: { readonly version: number; readonly updatedAt?: Date }, what: string): void {
    const { match, isBarred, unmodifiedSince, isRequired } = this.conditions;
    if (isRequired === true) {
      throw new PreconditionRequired(`Send the ETag of ${what.toLowerCase()} in If-Match with the change.`);
    }
    const isAsRead =
      match !== undefined
        ? match.has(row.version)
        : unmodifiedSince === undefined ||
          row.updatedAt === undefined ||
          // An HTTP date has no milliseconds, so a change within the same second counts as later.
          row.updatedAt.getTime() <= unmodifiedSince;
    if (!isAsRead || isBarred?.(row.version) === true) {
      throw new PreconditionFailed(
        `${what} has changed since you read it. Read it again before you change it.`,
      );
    }
  }
}
