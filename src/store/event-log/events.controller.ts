import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation, type Operations } from '../../engine/contract/operation.js';
import type { ApiVersion } from '../../engine/contract/representation.js';
import type { ListEventsQuery, ListEventsV2Query } from '../../generated/dto.js';
import type { EventPage, EventPageV2 } from '../../generated/schemas.js';
import { EventAnswers } from './event-answers.js';
import type { Principal } from '../../engine/access/principal.js';
import type { Asker } from '../../engine/database/asker.js';
import { momentOf } from '../../engine/values/moment.js';
import { EventSearch, type Found } from '../../engine/events/event-search.js';
import { EventFeed } from '../../engine/events/event-feed.js';
import { EventLog } from '../../engine/events/event-log.js';
import { EventViews, typesIn, type EventsWanted } from './event-views.js';

@Controller()
export class EventsController implements Pick<Operations, 'listEvents' | 'listEventsV2'> {
  constructor(
    private readonly log: EventLog,
    private readonly feed: EventFeed,
    private readonly search: EventSearch,
    private readonly views: EventViews,
    private readonly live: EventAnswers,
  ) {}

  @Operation('listEvents')
  listEvents(query: ListEventsQuery, context: Context): Promise<EventPage> {
    return this.read('v1', query, { types: setOf(query) }, context);
  }

  @Operation('listEventsV2')
  listEventsV2(query: ListEventsV2Query, context: Context): Promise<EventPageV2> {
    const { entity, entity_id: entityId } = query;
    const period = { after: momentIn(query.occurred_after), before: momentIn(query.occurred_before) };
    return this.read('v2', query, { types: setOf(query), entity, entityId, ...period }, context);
  }

  private async read<V extends ApiVersion>(
    version: V,
    { after, limit }: ListEventsQuery,
    wanted: EventsWanted,
    { principal, stream, asker }: Context,
  ) {
    const position = after === undefined ? null : Number(after);
    if (stream) return this.live.begin(version, position, wanted, stream, asker);
    const start = position ?? (await this.log.oldest()) - 1;
    const { events, next } = await this.find(start, limit, wanted, principal, asker);
    return {
      data: events.flatMap((event) => this.views.viewOf(version, event, principal, wanted) ?? []),
      next: String(next),
    };
  }

  private async find(
    start: number,
    limit: number,
    wanted: EventsWanted,
    principal: Principal,
    asker: Asker,
  ): Promise<Found> {
    const { entity, entityId, after, before } = wanted;
    if ([entity, entityId, after, before].every((filter) => filter === undefined)) {
      const events = await this.feed.read(start, limit);
      return { events, next: events.at(-1)?.position ?? start };
    }
    await this.feed.requireKnown(start);
    // The search filters by types and ids only if the caller may see all of these events. For any other caller, the
    // cursor of a filtered search would show where the log has events that this caller may not see.
    const types = typesIn(wanted);
    const subject = this.views.showsAllOf(types, principal) ? { types, kind: entity, entityId } : null;
    const found = await this.search.find(start, limit, { after, before }, subject, asker);
    // Events may have been deleted during the search.
    await this.feed.requireKnown(start);
    return found;
  }
}

function momentIn(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : (momentOf(text) ?? undefined);
}

function setOf({ type }: ListEventsQuery): ReadonlySet<string> | null {
  return type ? new Set<string>(type) : null;
}
