import { Injectable, Logger } from '@nestjs/common';
import { PubSub as Engine } from 'graphql-subscriptions';
import { Broadcast } from './broadcast.js';
import type { Flow } from './flow.js';
import type { Topic, Topics } from './topics.js';

/**
 * Publishes events to subscribers of this process. Events are delivered in the order of publication, to callers that
 * subscribed before. Nothing is kept for later subscribers. Only the tailer publishes events of the log.
 */
@Injectable()
export class PubSub {
  private readonly logger = new Logger('PubSub');
  private readonly engine = new Engine();
  /** The broadcasts of the topics with subscribers. */
  private readonly broadcasts = new Map<Topic, Broadcast<Topics[Topic]>>();

  /** When this returns, all subscribers can take the event. It never throws. */
  publish<T extends Topic>(topic: T, payload: Topics[T]): void {
    Promise.try(() => this.engine.publish(topic, payload)).catch((error: unknown) =>
      this.logger.error(error),
    );
  }

  /**
   * Resolves when all idle subscribers have taken the published events. A publisher that waits for this keeps the
   * subscribers from falling behind.
   */
  async told(): Promise<void> {
    for (const { told } of this.broadcasts.values()) await told;
  }

  /** Subscribes to the events from now on. The caller has to end the flow. See `Broadcast`. */
  subscribe<T extends Topic>(topic: T): Flow<Topics[T]> {
    const broadcast = this.broadcasts.get(topic) ?? this.begin(topic);
    return broadcast.listen() as Flow<Topics[T]>;
  }

  countSubscribers(topic: Topic): number {
    return this.broadcasts.get(topic)?.size ?? 0;
  }

  /** Whether there are no subscribers. */
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
