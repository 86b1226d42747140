import { Resolver } from '@nestjs/graphql';
import { RootField } from '../../engine/graphql/field.js';
import { EventLog } from '../../engine/events/event-log.js';

declare module '../../engine/contract/complete.js' {
  interface Resolvers {
    events: EventsResolver;
  }
}

@Resolver()
export class EventsResolver {
  constructor(private readonly log: EventLog) {}

  @RootField('Query.latestCursor')
  async latestCursor(): Promise<string> {
    return String(await this.log.latest());
  }
}
