import { Resolver } from '@nestjs/graphql';
import { RootField } from '../../engine/graphql/field.js';
import { EventLog } from '../../engine/events/event-log.js';

@Resolver()
export class EventsResolver {
  constructor(private readonly log: EventLog) {}

  @RootField('Query.latestCursor', { isChanging: true })
  async latestCursor(): Promise<string> {
    return String(await this.log.latest());
  }
}
