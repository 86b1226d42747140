import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation, type Operations } from '../../engine/contract/operation.js';
import type { ApiVersion } from '../../engine/contract/representation.js';
import type { ListEventsQuery, ListEventsV2Query } from '../../generated/dto.js';
import type { EventPage, EventPageV2 } from '../../generated/schemas.js';
import { EventAnswers } from './event-answers.js';
import { EventFeed } from '../../engine/events/event-feed.js';
import { EventLog } from '../../engine/events/event-log.js';
import { EventViews } from './event-views.js';

@Controller()
export class EventsController implements Pick<Operations, 'listEvents' | 'listEventsV2'> {
  constructor(
    private readonly log: EventLog,
    private readonly feed: EventFeed,
    private readonly views: EventViews,
    private readonly live: EventAnswers,
  ) {}

  @Operation('listEvents')
  listEvents(query: ListEventsQuery, context: Context): Promise<EventPage> {
    return this.read('v1', query, context);
  }

  @Operation('listEventsV2')
  listEventsV2(query: ListEventsV2Query, context: Context): Promise<EventPageV2> {
    return this.read('v2', query, context);
  }

  private async read<V extends ApiVersion>(
    version: V,
    { after, limit, type }: ListEventsQuery,
    { principal, stream }: Context,
  ) {
    const types = type ? new Set<string>(type) : null;
    const position = after === undefined ? null : Number(after);
    if (stream) return this.live.begin(version, position, types, stream);
    const start = position ?? (await this.log.oldest()) - 1;
    const events = await this.feed.read(start, limit);
    return {
      data: events.flatMap((event) => this.views.viewOf(version, event, principal, types) ?? []),
      next: String(events.at(-1)?.position ?? start),
    };
  }
}
