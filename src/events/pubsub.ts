import { EventEmitter } from 'node:events';
import { Injectable, Logger } from '@nestjs/common';
import { PubSub as Engine } from 'graphql-subscriptions';
import { Backlog } from './backlog.js';
import type { Flow } from './flow.js';
import type { Topic, Topics } from './topics.js';

/**
 * Tells subscribers of this process what happened. Events are delivered in the order of publication, to those who
 * subscribed before; nothing is kept for those who come later. What stands in the log is published by the tailer alone.
 */
@Injectable()
export class PubSub {
  private readonly logger = new Logger('PubSub');
  // Node warns of more than ten listeners; here each is a subscriber.
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly engine = new Engine({ eventEmitter: this.emitter });

  /** When it returns all subscribers have it. It never throws. */
  publish<T extends Topic>(topic: T, payload: Topics[T]): void {
    Promise.try(() => this.engine.publish(topic, payload)).catch((error: unknown) =>
      this.logger.error(error),
    );
  }

  /** From now on until it is ended, which whoever serves the subscription does. See `Backlog`. */
  subscribe<T extends Topic>(topic: T): Flow<Topics[T]> {
    const backlog = new Backlog<Topics[T]>(() => {
      id.then((known) => this.engine.unsubscribe(known)).catch((error: unknown) => this.logger.error(error));
    });
    const id = this.engine.subscribe(topic, (payload: Topics[T]) => backlog.push(payload));
    return backlog;
  }

  countSubscribers(topic: Topic): number {
    return this.emitter.listenerCount(topic);
  }

  /** Whether nobody subscribes to anything. */
  get isIdle(): boolean {
    return this.emitter.eventNames().length === 0;
  }
}
