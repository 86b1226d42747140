import { Injectable, Logger } from '@nestjs/common';
import { PubSub as Engine } from 'graphql-subscriptions';
import { Audience, type Only } from './audience.js';
import type { Flow } from './flow.js';
import type { Topic, Topics } from './topics.js';

/**
 * Publishes events to subscribers of this process, in the order of publication. An event is delivered only to callers
 * that are subscribed when it is published. Only the tailer publishes events of the log.
 */
@Injectable()
export class PubSub {
  private readonly logger = new Logger('PubSub');
  private readonly engine = new Engine();
  /** The topics with subscribers. */
  private readonly audiences = new Map<Topic, Audience<Topics[Topic]>>();

  /** When this method returns, all subscribers can take the event. The method never throws. */
  publish<T extends Topic>(topic: T, payload: Topics[T]): void {
    Promise.try(() => this.engine.publish(topic, payload)).catch((error: unknown) =>
      this.logger.error(error),
    );
  }

  /**
   * Resolves when all waiting subscribers were woken for the published events. If the publisher waits for this promise
   * before the next event, subscribers that are waiting do not fall behind. Busy subscribers can still fall behind.
   */
  async told(): Promise<void> {
    for (const audience of this.audiences.values()) await audience.told();
  }

  /**
   * Subscribes to the events from now on. The caller has to end the flow. See `Broadcast`.
   *
   * @param only the wanted events; null for all events of the topic
   */
  subscribe<T extends Topic>(topic: T, only: Only | null = null): Flow<Topics[T]> {
    const audience = this.audiences.get(topic) ?? this.begin(topic);
    return audience.listen(only) as Flow<Topics[T]>;
  }

  countSubscribers(topic: Topic): number {
    return this.audiences.get(topic)?.size ?? 0;
  }

  /** Whether there are no subscribers. */
  get isIdle(): boolean {
    return this.audiences.size === 0;
  }

  private begin(topic: Topic): Audience<Topics[Topic]> {
    const audience = new Audience<Topics[Topic]>(() => {
      this.audiences.delete(topic);
      id.then((known) => this.engine.unsubscribe(known)).catch((error: unknown) => this.logger.error(error));
    });
    const id = this.engine.subscribe(topic, (payload: Topics[Topic]) => audience.push(payload));
    this.audiences.set(topic, audience);
    return audience;
  }
}
