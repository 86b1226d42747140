import type { Engine, Steps } from './sql.js';

/** Who changes the data. No name of a person is in it: a user is known by its id alone. */
export interface Actor {
  readonly kind: 'anonymous' | 'client' | 'user' | 'service';
  /** The user; null for everybody else. */
  readonly userId: number | null;
  /** What the API key of a client is called, or which part of the service it is; null for users. */
  readonly name: string | null;
}

/** Runs before and after an act, in the transaction of the act, and may answer in its place. */
export interface AroundAct {
  around<T>(act: Act<T>, tx: Transaction): Steps<T>;
}

/** On whose behalf an act runs; handed from the door to the unit of work, and seen by the act as `tx.origin`. */
export interface Origin {
  readonly actor: Actor;
  /** Null where no request is behind it. */
  readonly requestId: string | null;
  /** Set when the request has an `Idempotency-Key`. */
  readonly keyed: AroundAct | null;
}

/** For what the service does by itself, or by a command. */
export function ownOrigin(name: string): Origin {
  return { actor: { kind: 'service', userId: null, name }, requestId: null, keyed: null };
}

/**
 * A change of the database, all or nothing. It may run more than once before it succeeds, so it must
 * not touch anything else; what has to happen outside belongs into `tx.afterCommit`.
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

  /** Runs `callback` in the tick of the COMMIT, before the act's promise settles; never after a rollback. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback);
  }
}
