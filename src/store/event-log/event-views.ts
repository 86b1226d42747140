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

interface Views {
  readonly v1: Event;
  readonly v2: EventV2;
}

/** The form in which callers get events: only events that they may read, as a version of the API shows them. */
@Injectable()
export class EventViews {
  constructor(private readonly representations: Representations) {}

  /** Null when the caller may not read the event, or did not ask for its type. */
  viewOf<V extends ApiVersion>(
    version: V,
    event: StoreEvent,
    principal: Principal,
    types: ReadonlySet<string> | null,
  ): Views[V] | null {
    const kind = kindOf(event.type);
    if (!kind || !TOLD.has(event.type) || types?.has(event.type) === false) return null;
    const { snapshot, actor } = event;
    if (kind.scope !== null && !holds(principal, kind.scope)) {
      const owner = kind.ownerOf?.(snapshot) ?? null;
      // A program that acts for a user may see the data of the user only if the user lent it the scope.
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
