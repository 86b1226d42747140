import type { Keyed } from '../idempotency/keyed.js';

/** Who changes the data. No name of a person is in it: a user is known by its id alone. */
export interface Actor {
  readonly kind: 'anonymous' | 'client' | 'user' | 'service';
  /** The user; null for everybody else. */
  readonly userId: number | null;
  /** What the API key of a client is called, or which part of the service it is; null for users. */
  readonly name: string | null;
}

/** On whose behalf an act runs; handed from the door to the unit of work, and seen by the act as `tx.origin`. */
export interface Origin {
  readonly actor: Actor;
  /** Null where no request is behind it. */
  readonly requestId: string | null;
  /** What stands around the act, in its transaction, when the request has an `Idempotency-Key`. */
  readonly keyed: Keyed | null;
}

/** For what the service does by itself, or by a command. */
export function ownOrigin(name: string): Origin {
  return { actor: { kind: 'service', userId: null, name }, requestId: null, keyed: null };
}
