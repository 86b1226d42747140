import { Global, Module } from '@nestjs/common';
import { PubSub } from './pubsub.js';

/** From a change that is committed to those who want to know of it. */
@Global()
@Module({ providers: [PubSub], exports: [PubSub] })
export class EventsModule {}
