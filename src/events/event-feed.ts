import { Injectable } from '@nestjs/common';
import { kindOf } from './event-kinds.js';
import { EventLog } from './event-log.js';
import { PubSub } from './pubsub.js';
import type { StoreEvent } from './store-event.js';
import { Tailer } from './tailer.js';
import type { Topic, Topics } from './topics.js';

type LogTopic = { [T in Topic]: Topics[T] extends StoreEvent ? T : never }[Topic];
type Entity<T extends LogTopic> = Topics[T] extends StoreEvent<infer E> ? E : never;

/** What came after the cursor was purged, so that nobody can go on from there without a gap. */
export class EventsPurged extends Error {}

const PAGE = 100;

/** Gives events to those who follow the log, from any position on. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly log: EventLog,
    private readonly tailer: Tailer,
    private readonly pubSub: PubSub,
  ) {}

  /**
   * The events of a topic, until `return` is called; `next` is not called again before it has answered.
   *
   * @param after the position from which on all events are wanted, those that there are and then those that come, with
   *   neither a gap nor a duplicate at the seam; null for those from now on
   * @throws EventsPurged from `next`
   */
  follow<T extends LogTopic>(topic: T, after: number | null): AsyncIterableIterator<StoreEvent<Entity<T>>> {
    const events =
      after === null
        ? this.pubSub.subscribe(topic)
        : new Follower(topic, after, this.log, this.tailer, this.pubSub);
    return events as AsyncIterableIterator<StoreEvent<Entity<T>>>;
  }
}

/** First reads the log, as fast as it is asked, then listens. Not a generator: its `return` would wait for the next event. */
class Follower implements AsyncIterableIterator<StoreEvent> {
  private page: StoreEvent[] = [];
  private live: AsyncIterator<StoreEvent> | null = null;
  private isOver = false;

  constructor(
    private readonly topic: LogTopic,
    private cursor: number,
    private readonly log: EventLog,
    private readonly tailer: Tailer,
    private readonly pubSub: PubSub,
  ) {}

  async next(): Promise<IteratorResult<StoreEvent>> {
    const live = this.live ?? (await this.readUp());
    const event = this.page.shift();
    if (event) return { value: event, done: false };
    if (!live) return { value: undefined, done: true };
    for (;;) {
      const step = await live.next();
      // The log may have been read faster than the tailer did.
      if (step.done === true || step.value.position > this.cursor) return step;
    }
  }

  async return(): Promise<IteratorResult<StoreEvent>> {
    this.isOver = true;
    this.page = [];
    await this.live?.return?.();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Reads until there is something in the page, or listens when everything is read. */
  private async readUp(): Promise<AsyncIterator<StoreEvent> | null> {
    while (this.page.length === 0 && !this.isOver) {
      if (this.cursor >= this.tailer.position) {
        // In the tick in which the positions were compared, so that nothing comes between.
        this.live = this.pubSub.subscribe(this.topic);
        return this.live;
      }
      const events = await this.log.after(this.cursor, PAGE);
      if (events[0]?.position !== this.cursor + 1) {
        throw new EventsPurged(`What came after the position ${this.cursor} was purged.`);
      }
      this.cursor = events.at(-1)?.position ?? this.cursor;
      if (!this.isOver) this.page = events.filter(({ type }) => isAbout(this.topic, type));
    }
    return null;
  }
}

function isAbout(topic: LogTopic, type: string): boolean {
  return topic === 'everything' || kindOf(type)?.topics[type] === topic;
}

/** The entities of events, as they were then. */
export function snapshotsIn<E>(events: AsyncIterator<StoreEvent<E>>): AsyncIterableIterator<E> {
  return {
    next: async () => {
      const step = await events.next();
      return step.done === true ? step : { value: step.value.snapshot, done: false };
    },
    return: async () => {
      await events.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
