import type { SpanContext } from '../tracing/span.js';
import type { Engine, Steps } from './sql.js';
import { snakeCase } from '../values/member-names.js';

/** The actor of a change. It contains no name of a person. A user is known only by its id. */
export interface Actor {
  readonly kind: 'anonymous' | 'client' | 'user' | 'service';
  /** The id of the user; null for all other actors. */
  readonly userId: number | null;
  /**
   * For a client, its name, such as the name of its API key. For the service, the name of the part or the command that
   * acts. `anonymous` for anonymous callers; null for users.
   */
  readonly name: string | null;
}

/** Runs before and after an act, in the transaction of the act. It may also return a result without running the act. */
export interface AroundAct {
  around<T>(act: Act<T>, tx: Transaction): Steps<T>;
}

/**
 * The origin of an act: the caller and the request for which it runs. The repository gets it from the
 * door (`Context.origin`) and passes it to the unit of work. The act sees it as `tx.origin`.
 */
export interface Origin {
  readonly actor: Actor;
  /** Null if no request caused the act. */
  readonly requestId: string | null;
  /** Runs around the act of a request with an `Idempotency-Key`; null without this key. */
  readonly keyed: AroundAct | null;
  /** The span of the operation; null if the operation is not recorded, or if there is no request. */
  readonly span: SpanContext | null;
  /** Returns the JSON pointer to the member of the request that has the value for `property` of the row. */
  readonly pointerTo: (property: string) => string;
}

/** The pointer in a body of REST: `#/parent_id` for `parentId`. */
export function memberPointer(property: string): string {
  return `#/${snakeCase(property)}`;
}

/** The pointer in the arguments of GraphQL: `#/parentId`. */
export function argumentPointer(property: string): string {
  return `#/${property}`;
}

/** For acts of the service itself, or of a command. */
export function ownOrigin(name: string): Origin {
  return {
    actor: { kind: 'service', userId: null, name },
    requestId: null,
    keyed: null,
    span: null,
    pointerTo: memberPointer,
  };
}

/**
 * A change of the database, all or nothing. It may run more than once before it succeeds, so it must not change
 * anything else. Effects outside of the database belong in `tx.afterCommit`.
 */
export type Act<T> = (tx: Transaction) => Steps<T>;

export class Transaction {
  readonly #afterCommit: (() => void)[];

  constructor(
    readonly engine: Engine,
    readonly origin: Origin,
    afterCommit: (() => void)[],
  ) {
    this.#afterCommit = afterCommit;
  }

  /**
   * Runs `callback` after the COMMIT, before the promise of the act resolves. After a rollback, `callback` does not
   * run. On SQLite, it runs in the same tick as the COMMIT.
   */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback);
  }
}
