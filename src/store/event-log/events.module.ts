import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { Events1763700000009 } from '../../engine/database/migrations/1763700000009-events.js';
import { EventLogPartitions1763700000022 } from '../../engine/database/migrations/1763700000022-event-log-partitions.js';
import { HttpModule } from '../../engine/http/http.module.js';
import { EventAnswers } from './event-answers.js';
import { EventsByEntity1763700000025 } from '../../engine/database/migrations/1763700000025-events-by-entity.js';
import { EventFeed } from '../../engine/events/event-feed.js';
import { EventSearch } from '../../engine/events/event-search.js';
import { EventLog } from '../../engine/events/event-log.js';
import { EventViews } from './event-views.js';
import { EventsController } from './events.controller.js';
import { EventsResolver } from './events.resolver.js';
import { LiveEvents } from '../../engine/events/live-events.js';
import { PubSub } from '../../engine/events/pubsub.js';
import { ReplayTurns } from '../../engine/events/replay-turns.js';
import { TableParts } from '../../engine/database/table-parts.js';
import { Tailer } from '../../engine/events/tailer.js';
import { WakeUp } from '../../engine/events/wake-up.js';

declare module '../../generated/contract.js' {
  interface Features {
    events: { controllers: EventsController; resolvers: EventsResolver };
  }
}

/**
 * Brings the events of changes to subscribers through a log. So a client that was disconnected can continue after its
 * last event.
 */
@Global()
@Module({
  imports: [
    HttpModule,
    DatabaseModule.forFeature({
      migrations: [Events1763700000009, EventLogPartitions1763700000022, EventsByEntity1763700000025],
    }),
  ],
  controllers: [EventsController],
  providers: [
    PubSub,
    EventLog,
    Tailer,
    EventFeed,
    ReplayTurns,
    EventSearch,
    WakeUp,
    LiveEvents,
    EventsResolver,
    EventViews,
    EventAnswers,
    TableParts,
  ],
  exports: [PubSub, EventLog, Tailer, EventFeed, LiveEvents, TableParts],
})
export class EventsModule {}
