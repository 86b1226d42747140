import type { Principal } from '../access/principal.js';
import type { RowAccess } from '../access/row-access.js';
import type { AroundAct, Origin } from '../database/transaction.js';
import type { JsonPatch } from './json-patch.js';
import type { ReadOnlyEcho } from './read-only-echo.js';
import type { Asker } from '../database/asker.js';
import type { Position } from '../../generated/contract.js';
import type { StreamWish } from './live-answer.js';
import { PreconditionFailed, PreconditionRequired } from '../errors/errors.js';

/** What a request brings along besides its input; handed from the door to the repository. */
export interface Context {
  readonly principal: Principal;
  /** Whose rows the caller may use in this operation. */
  readonly reach: RowAccess;
  readonly requestId: string;
  /** For whom rows are passed over. */
  readonly asker: Asker;
  /** On whose behalf the changes of this operation are made. */
  readonly origin: Origin;
  readonly precondition: Precondition;
  /** Set where the request brings a JSON patch; the body then has the members that it sets whatever the row is. */
  readonly patch: JsonPatch | null;
  /** Set where a body has members that are to be compared with the row, and that the handler does not get. */
  readonly sentBack: ReadOnlyEcho | null;
  /** Set where the answer is to be a stream of events; see `LiveAnswer`. */
  readonly stream: StreamWish | null;
  /** Where the slice of a list is to begin, as far as the operation has cursors; null for the beginning. */
  readonly position: Position | null;
}

/** What a PATCH asks for: known at once, or for a row as it is within the act. */
export type Wanted<C, E extends object> = C | ((entity: E) => C);

/**
 * Reads the changes out of the body, or, later, out of what a JSON patch comes to. What `read` refuses whatever the row is
 * refused at once.
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

/** Changes of a row that must show what a body sends back of it. */
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

/** Clients are named after their key; of users only the id goes further. */
export function originOf(
  { kind, userId, name }: Principal,
  requestId: string,
  keyed: AroundAct | null = null,
): Origin {
  return { actor: { kind, userId, name: userId === null ? name : null }, requestId, keyed };
}

/** What a request may say of the row that it changes, with all that the service has been set to ask for. */
interface Conditions {
  /** The versions one of which the row must have. */
  readonly match?: ReadonlySet<number>;
  /** Whether the row's version is one that it must not have. */
  readonly isBarred?: (version: number) => boolean;
  /** In milliseconds: when the client's copy was the newest one. */
  readonly unmodifiedSince?: number;
  readonly isRequired?: boolean;
}

/**
 * What the client believes of the row that it is about to change (RFC 9110, section 13.2.2). It is checked in the
 * transaction of the change.
 */
export class Precondition {
  static readonly NONE = new Precondition({});

  constructor(private readonly conditions: Conditions) {}

  /**
   * @throws PreconditionFailed
   * @throws PreconditionRequired when the request states nothing and the service is set to insist
   */
  check(row: { readonly version: number; readonly updatedAt?: Date }, what: string): void {
    const { match, isBarred, unmodifiedSince, isRequired } = this.conditions;
    if (isRequired === true) {
      throw new PreconditionRequired(`Say in If-Match which version of ${what.toLowerCase()} you change.`);
    }
    const isAsRead =
      match !== undefined
        ? match.has(row.version)
        : unmodifiedSince === undefined ||
          row.updatedAt === undefined ||
          // A date has no milliseconds: a change within its second counts as later.
          row.updatedAt.getTime() <= unmodifiedSince;
    if (!isAsRead || isBarred?.(row.version) === true) {
      throw new PreconditionFailed(`${what} is no longer as you read it: read it again, then change it.`);
    }
  }
}
