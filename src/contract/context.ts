import type { Principal } from '../auth/principal.js';
import type { Reach } from '../auth/reach.js';
import type { Origin } from '../database/origin.js';
import type { Position } from '../generated/contract.js';
import type { StreamWish } from './live-answer.js';
import { PreconditionFailed } from '../errors.js';
import type { Keyed } from '../idempotency/keyed.js';

/** What a request brings along besides its input; handed from the door to the repository. */
export interface Context {
  readonly principal: Principal;
  /** Whose rows the caller may use in this operation. */
  readonly reach: Reach;
  readonly requestId: string;
  /** On whose behalf the changes of this operation are made. */
  readonly origin: Origin;
  readonly precondition: Precondition;
  /** Set where the answer is to be a stream of events; see `LiveAnswer`. */
  readonly stream: StreamWish | null;
  /** Where the slice of a list is to begin, as far as the operation has cursors; null for the beginning. */
  readonly position: Position | null;
}

/** Clients are named after their key; of users only the id goes further. */
export function originOf(
  { kind, userId, name }: Principal,
  requestId: string,
  keyed: Keyed | null = null,
): Origin {
  return { actor: { kind, userId, name: userId === null ? name : null }, requestId, keyed };
}

/**
 * What the client believes of the row that it is about to change: the versions one of which the row must have, or
 * null when it states none. It is checked in the transaction of the change.
 */
export class Precondition {
  static readonly NONE = new Precondition(null);

  constructor(private readonly versions: ReadonlySet<number> | null) {}

  /** @throws PreconditionFailed */
  check(row: { readonly version: number }, what: string): void {
    if (this.versions && !this.versions.has(row.version)) {
      throw new PreconditionFailed(`${what} is no longer as you read it: read it again, then change it.`);
    }
  }
}
