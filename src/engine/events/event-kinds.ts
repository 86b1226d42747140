import type { Scope } from '../../generated/operations.js';
import type { Topic } from './topics.js';

/** What a feature says of the events of one of its entities. */
export interface EventKind<E = unknown> {
  /** What the entity is called in the log. */
  readonly name: string;
  readonly entity: new () => E & object;
  /** The entities of its lists, which belong to its snapshot. */
  readonly lists?: { readonly [K in keyof E]?: new () => object };
  /** Whether the entity is a person, whose data can be overwritten in the log; see `EventLog.overwrite`. */
  readonly isPerson?: boolean;
  /** By which scope all of it may be read; null for anybody. */
  readonly scope: Scope | null;
  /** The user who may read it without that. */
  ownerOf?(entity: E): number | null;
  /** Whether what it said of a person was removed. */
  isErased?(entity: E): boolean;
  /** Each type of event with the topic that it is handed on under; null where nobody subscribes to it alone. */
  readonly topics: Readonly<Record<string, Topic | null>>;
}

// Filled while the features are imported, as their migrations are.
const kinds = new Map<string, EventKind>();

export function defineEvents<E>(kind: EventKind<E>): void {
  for (const type of Object.keys(kind.topics)) kinds.set(type, kind);
}

/** Undefined for what a newer release wrote, on the same database. */
export function kindOf(type: string): EventKind | undefined {
  return kinds.get(type);
}
