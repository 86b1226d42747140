import { Injectable, Logger } from '@nestjs/common';
import { PubSub as Engine } from 'graphql-subscriptions';
import { Broadcast } from './broadcast.js';
import type { Flow } from './flow.js';
import type { Topic, Topics } from './topics.js';

/**
 * Tells subscribers of this process what happened. Events are delivered in the order of publication, to those who
 * subscribed before; nothing is kept for those who come later. What stands in the log is published by the tailer alone.
 */
@Injectable()
export class PubSub {
  private readonly logger = new Logger('PubSub');
  private readonly engine = new Engine();
  /** Of the topics that somebody subscribes to. */
  private readonly broadcasts = new Map<Topic, Broadcast<Topics[Topic]>>();

  /** When it returns all subscribers have it. It never throws. */
  publish<T extends Topic>(topic: T, payload: Topics[T]): void {
    Promise.try(() => this.engine.publish(topic, payload)).catch((error: unknown) =>
      this.logger.error(error),
    );
  }

  /** Resolves when all who had nothing to do have taken what was published. To wait for it keeps them from falling behind. */
  async told(): Promise<void> {
    for (const { told } of this.broadcasts.values()) await told;
  }

  /** From now on until it is ended, which whoever serves the subscription does. See `Broadcast`. */
  subscribe<T extends Topic>(topic: T): Flow<Topics[T]> {
    const broadcast = this.broadcasts.get(topic) ?? this.begin(topic);
    return broadcast.listen() as Flow<Topics[T]>;
  }

  countSubscribers(topic: Topic): number {
    return this.broadcasts.get(topic)?.size ?? 0;
  }

  /** Whether nobody subscribes to anything. */
  get isIdle(): boolean {
    return this.broadcasts.size === 0;
  }

  private begin(topic: Topic): Broadcast<Topics[Topic]> {
    const broadcast = new Broadcast<Topics[Topic]>(() => {
      this.broadcasts.delete(topic);
      id.then((known) => this.engine.unsubscribe(known)).catch((error: unknown) => this.logger.error(error));
    });
    const id = this.engine.subscribe(topic, (payload: Topics[Topic]) => broadcast.push(payload));
    this.broadcasts.set(topic, broadcast);
    return broadcast;
  }
}
