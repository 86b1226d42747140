import { Controller } from '@nestjs/common';
import type { Context } from '../contract/context.js';
import { Operation, type Operations } from '../contract/operation.js';
import type { ListEventsQuery } from '../generated/dto.js';
import type { EventPage } from '../generated/schemas.js';
import { EventAnswers } from './event-answers.js';
import { EventFeed } from './event-feed.js';
import { EventLog } from './event-log.js';
import { EventViews } from './event-views.js';

declare module '../contract/complete.js' {
  interface Controllers {
    events: EventsController;
  }
}

@Controller()
export class EventsController implements Pick<Operations, 'listEvents'> {
  constructor(
    private readonly log: EventLog,
    private readonly feed: EventFeed,
    private readonly views: EventViews,
    private readonly live: EventAnswers,
  ) {}

  @Operation('listEvents')
  async listEvents(
    { after, limit, type }: ListEventsQuery,
    { principal, stream }: Context,
  ): Promise<EventPage> {
    const types = type ? new Set<string>(type) : null;
    const position = after === undefined ? null : Number(after);
    if (stream) return this.live.begin(position, types, stream);
    const start = position ?? (await this.log.oldest()) - 1;
    const events = await this.feed.read(start, limit);
    return {
      data: events.flatMap((event) => this.views.viewOf(event, principal, types) ?? []),
      next: String(events.at(-1)?.position ?? start),
    };
  }
}
