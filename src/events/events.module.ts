import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Events1763700000009 } from '../database/migrations/1763700000009-events.js';
import { HttpModule } from '../http/http.module.js';
import { EventAnswers } from './event-answers.js';
import { EventFeed } from './event-feed.js';
import { EventLog } from './event-log.js';
import { EventViews } from './event-views.js';
import { EventsController } from './events.controller.js';
import { EventsResolver } from './events.resolver.js';
import { LiveEvents } from './live-events.js';
import { PubSub } from './pubsub.js';
import { Tailer } from './tailer.js';
import { WakeUp } from './wake-up.js';

/** From a change to those who want to know of it, by a log: whoever was away reads on where it was. */
@Global()
@Module({
  imports: [HttpModule, DatabaseModule.forFeature({ migrations: [Events1763700000009] })],
  controllers: [EventsController],
  providers: [
    PubSub,
    EventLog,
    Tailer,
    EventFeed,
    WakeUp,
    LiveEvents,
    EventsResolver,
    EventViews,
    EventAnswers,
  ],
  exports: [PubSub, EventLog, Tailer, EventFeed],
})
export class EventsModule {}
