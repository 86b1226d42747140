import { Injectable } from '@nestjs/common';
import { holds, type Principal } from '../../engine/access/principal.js';
import { Representations, type ApiVersion } from '../../engine/contract/representation.js';
import type { Event, EventV2 } from '../../generated/schemas.js';
import { isoOf } from '../../engine/values/moment.js';
import { kindOf } from '../../engine/events/event-kinds.js';
import type { StoreEvent } from '../../engine/events/store-event.js';

/**
 * The event types that the contract names. The log may also contain types of a newer release, or types that only the
 * code of a feature declares. Events of these types are not shown.
 */
const TOLD: ReadonlySet<string> = new Set(
  Object.keys({
    'order.created': true,
    'order.status_changed': true,
    'order.updated': true,
    'product.created': true,
    'product.updated': true,
    'product.deleted': true,
    'user.created': true,
    'user.updated': true,
    'user.deleted': true,
    'user.anonymised': true,
  } satisfies Record<Event['type'], true>),
);

/** The filters of the log. An event is wanted if it passes all filters that are set. */
export interface EventsWanted {
  readonly types: ReadonlySet<string> | null;
  readonly entity?: string | undefined;
  readonly entityId?: number | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
}

function isWanted(event: StoreEvent, { types, entity, entityId, after, before }: EventsWanted): boolean {
  return (
    types?.has(event.type) !== false &&
    (entity === undefined || event.kind === entity) &&
    (entityId === undefined || event.entityId === entityId) &&
    (after === undefined || event.occurredAt > after) &&
    (before === undefined || event.occurredAt < before)
  );
}

/** The types of events that pass the filters. */
export function typesIn({ types, entity }: EventsWanted): readonly string[] {
  return [...TOLD].filter(
    (type) => types?.has(type) !== false && (entity === undefined || kindOf(type)?.name === entity),
  );
}

interface Views {
  readonly v1: Event;
  readonly v2: EventV2;
}

/** The form in which callers get events: only events that they may read, as a version of the API shows them. */
@Injectable()
export class EventViews {
  constructor(private readonly representations: Representations) {}

  /** Whether the caller may see all events of these types, and not only its own. */
  showsAllOf(types: readonly string[], principal: Principal): boolean {
    return types.every((type) => {
      const scope = kindOf(type)?.scope ?? null;
      return scope === null || holds(principal, scope);
    });
  }

  /** Null when events of this type are not shown, or when the caller may not read the event, or does not want it. */
  viewOf<V extends ApiVersion>(
    version: V,
    event: StoreEvent,
    principal: Principal,
    wanted: EventsWanted,
  ): Views[V] | null {
    const kind = kindOf(event.type);
    if (!kind || !TOLD.has(event.type) || !isWanted(event, wanted)) return null;
    const { snapshot, actor } = event;
    if (kind.scope !== null && !holds(principal, kind.scope)) {
      const owner = kind.ownerOf?.(snapshot) ?? null;
      // A program that acts for a user may see the data of the user only if the user lent the scope to the program.
      const isLent = principal.delegated === null || principal.delegated.has(kind.scope);
      if (owner === null || owner !== principal.userId || !isLent) return null;
    }
    const isActorKnown = holds(principal, 'users:read') || actor.userId === principal.userId;
    const present = this.representations.of(version, kind.entity.name);
    return {
      cursor: String(event.position),
      type: event.type as Event['type'],
      entity: event.kind as Event['entity'],
      entity_id: event.entityId,
      version: event.version,
      occurred_at: isoOf(event.occurredAt),
      actor: { kind: actor.kind, user_id: isActorKnown ? actor.userId : null },
      data: kind.isErased?.(snapshot) === true ? null : present(snapshot),
    } as unknown as Views[V];
  }
}
