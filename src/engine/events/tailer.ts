import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Histogram } from '../metrics/instruments.js';
import { kindOf } from './event-kinds.js';
import { EventLog } from './event-log.js';
import { PubSub } from './pubsub.js';
import { RecentEvents } from './recent-events.js';
import type { Topic } from './topics.js';
import type { StoreEvent } from './store-event.js';
import { apart, SpanForm, type Attributes, type Span } from '../tracing/span.js';
import { Tracing } from '../tracing/tracing.js';

// The maximum number of events that are published in one turn of the event loop. It must be far less than the number of
// events that may wait for a subscriber.
const BATCH = 100;
const LAG_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];

/**
 * Reads the log in order, once for the whole process, and publishes its events. The tailer reads when it is woken, and
 * also at intervals. The wake-ups make it fast. If a wake-up is lost, the tailer finds the events at the next interval.
 */
@Injectable()
export class Tailer {
  /** The time from an event to its publication in this process. The clocks of two machines may differ. */
  readonly lags = new Histogram(LAG_BOUNDS);
  private readonly logger = new Logger('Tailer');
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | null = null;
  private isWanted = false;
  private isStopped = true;
  private isFailing = false;
  private handedOn = 0;
  private readonly recent = new RecentEvents();

  constructor(
    private readonly log: EventLog,
    private readonly pubSub: PubSub,
    private readonly tracing: Tracing = Tracing.OFF,
  ) {}

  /**
   * The position of the last event that was published, or was not read because nobody listened. The position changes in
   * the same tick in which subscribers can take the event.
   */
  get position(): number {
    return this.handedOn;
  }

  /** The next events after a position, if this process has published them lately; see `RecentEvents`. */
  recentAfter(position: number, limit: number, characters: number): readonly StoreEvent[] | null {
    return this.recent.after(position, this.handedOn, limit, characters);
  }

  /** Begins with the events from now on. */
  async start(pollMs: number): Promise<void> {
    this.handedOn = await this.log.latest();
    this.isStopped = false;
    this.timer = setInterval(() => this.wake(), pollMs).unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.reading;
  }

  /**
   * Call this when there may be new events. A call does almost no work, so any part may call this as often as it wants.
   */
  wake(): void {
    this.isWanted = true;
    // The read serves many requests, so it belongs to none of them.
    if (!this.isStopped) this.reading ??= apart(() => this.read());
  }

  /** Call this when the log has events up to a position. If nobody listens, there is nothing to read. */
  reach(position: number): void {
    if (position <= this.handedOn) return;
    if (this.pubSub.isIdle && this.reading === null && !this.isStopped) this.handedOn = position;
    else this.wake();
  }

  /** Never rejects. Events that could not be read are read the next time. */
  private async read(): Promise<void> {
    try {
      while (this.isWanted && !this.isStopped) {
        // The callers whose commit woke the tailer get their answers before the code below runs, because these answers
        // need only microtasks.
        await nextTurn();
        this.isWanted = false;
        await this.catchUp();
      }
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing && !this.isStopped) {
        this.logger.warn(`The log of events cannot be read: ${String(error)}`);
      }
      this.isFailing = true;
    } finally {
      this.reading = null;
    }
  }

  private async catchUp(): Promise<void> {
    if (this.pubSub.isIdle) {
      const latest = await this.log.latest();
      // A caller may have subscribed meanwhile, and needs all events after the old position.
      if (this.pubSub.isIdle) {
        this.handedOn = Math.max(this.handedOn, latest);
        return;
      }
    }
    while (!this.isStopped) {
      const events = await this.log.after(this.handedOn, BATCH);
      for (const event of events) {
        this.handedOn = event.position;
        this.recent.add(event);
        const lag = Math.max(0, Date.now() - event.occurredAt.getTime()) / 1_000;
        this.lags.observe(lag);
        const topic = kindOf(event.type)?.topics[event.type];
        event.delivery = this.spanOf(event, topic, lag);
        if (topic) this.pubSub.publish(topic, event);
        this.pubSub.publish('everything', event);
        await this.pubSub.told();
        event.delivery?.end();
      }
      if (events.length < BATCH) return;
      await nextTurn();
    }
  }

  /**
   * A delivery to subscribers begins a new trace. If this process has recorded the request that wrote the event, the
   * delivery is recorded too. Otherwise the sampler decides.
   */
  private spanOf(event: StoreEvent, topic: Topic | null | undefined, lag: number): Span | null {
    const { tracer } = this.tracing;
    if (tracer === null) return null;
    const listeners =
      this.pubSub.countSubscribers('everything') + (topic ? this.pubSub.countSubscribers(topic) : 0);
    if (listeners === 0) return null;
    const { type, position, requestId } = event;
    const cause = this.log.causes.of(requestId);
    if (cause === null && !tracer.isRecorded(null)) return null;
    const attributes: Attributes = {
      'store.event.type': type,
      'store.event.position': position,
      'store.event.lag_seconds': lag,
      'store.subscribers': listeners,
    };
    if (requestId !== null) attributes['store.request_id'] = requestId;
    return tracer.begin(new SpanForm(`deliver ${type}`, 'consumer'), attributes, null, cause);
  }
}
