import type { Scope } from '../../generated/operations.js';
import type { Topic } from './topics.js';

/** The events of one entity of a feature. */
export interface EventKind<E = unknown> {
  /** The name of the entity in the log. */
  readonly name: string;
  readonly entity: new () => E & object;
  /** The lists that are part of the snapshot, each with the entity class of its items. */
  readonly lists?: { readonly [K in keyof E]?: new () => object };
  /** Whether the entity is a person, whose data can be overwritten in the log; see `EventLog.overwrite`. */
  readonly isPerson?: boolean;
  /** The scope that a caller needs to read all events of this kind; null if every caller may read them. */
  readonly scope: Scope | null;
  /** The id of the user who may read an event about this entity without the scope. */
  ownerOf?(entity: E): number | null;
  /** Whether the personal data in this entity was removed. */
  isErased?(entity: E): boolean;
  /** Each type of event with the topic under which it is published; null if it is published only under `everything`. */
  readonly topics: Readonly<Record<string, Topic | null>>;
}

// A feature adds its kinds of events to this map when it is imported.
const kinds = new Map<string, EventKind>();

export function defineEvents<E>(kind: EventKind<E>): void {
  for (const type of Object.keys(kind.topics)) kinds.set(type, kind);
}

/**
 * Defines the events that a `VersionedTable` writes about an entity that everybody may read.
 *
 * @param topic the topic of all three types; null if no subscription has these events
 */
export function defineChanges(entity: new () => object, name: string, topic: Topic | null): void {
  const types = ['created', 'updated', 'deleted'].map((what) => `${name}.${what}`);
  const topics = Object.fromEntries(types.map((type) => [type, topic]));
  defineEvents({ name, entity, scope: null, topics });
}

/** The kind of the events about an entity. @throws TypeError when no feature has defined it */
export function kindOfEntity(entity: new () => object): EventKind {
  for (const kind of kinds.values()) if (kind.entity === entity) return kind;
  throw new TypeError(`No feature has defined the events of ${entity.name}.`);
}

/** Undefined for types that a newer release wrote into the same database. */
export function kindOf(type: string): EventKind | undefined {
  return kinds.get(type);
}
