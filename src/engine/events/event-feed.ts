import { Injectable } from '@nestjs/common';
import type { Asker } from '../database/asker.js';
import { CursorExpired, CursorInvalid, TooSlow } from '../errors/errors.js';
import { HeldBytes, type Holder } from '../rate-limits/held-bytes.js';
import { isMeant, type Only } from './audience.js';
import { kindOf } from './event-kinds.js';
import { EventLog } from './event-log.js';
import { Flow, OVER } from './flow.js';
import { PubSub } from './pubsub.js';
import { LONGEST_TURN_MS, ReplayTurns } from './replay-turns.js';
import type { StoreEvent } from './store-event.js';
import { Tailer } from './tailer.js';
import type { Topic, Topics } from './topics.js';

type LogTopic = { [T in Topic]: Topics[T] extends StoreEvent ? T : never }[Topic];
type Entity<T extends LogTopic> = Topics[T] extends StoreEvent<infer E> ? E : never;

const PAGE = 100;
/**
 * The maximum size of the event data that is read at once for a follower: in bytes for events from the database, in
 * characters for events from memory. A single event may be larger.
 */
const PAGE_BYTES = 65_536;
/** The bytes of memory that an event takes for each character of its data. */
const BYTES_OF_A_CHARACTER = 4;

/** Delivers the events of the log to followers, after any position. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly log: EventLog,
    private readonly tailer: Tailer,
    private readonly pubSub: PubSub,
    private readonly held: HeldBytes,
    private readonly turns: ReplayTurns,
  ) {}

  /**
   * The events of a topic, until the flow is ended. Without a position, the caller is subscribed as soon as the method
   * has returned its promise.
   *
   * @param after the position after which the caller gets all events: first the existing events, then the new ones,
   *   without a gap and without a duplicate; null for the events from now on
   * @param asker the caller. Callers that read many old events take turns (`ReplayTurns`)
   * @param only the wanted events; null for all events of the topic. New events that are not wanted cost nothing
   * @throws CursorInvalid
   * @throws CursorExpired also from `take`, when events are purged before they are read
   * @throws TooSlow only from `take`
   */
  async follow<T extends LogTopic>(
    topic: T,
    after: number | null | undefined,
    asker: Pick<Asker, 'name'>,
    only: Only | null = null,
  ): Promise<Flow<StoreEvent<Entity<T>>>> {
    type Events = Flow<StoreEvent<Entity<T>>>;
    if (after == null) return this.pubSub.subscribe(topic, only) as Events;
    await this.requireKnown(after);
    const { log, tailer, pubSub, held, turns } = this;
    return new Follower(topic, only, after, { log, tailer, pubSub, held, turns, asker }) as Events;
  }

  /**
   * At most `limit` events after a position, in order.
   *
   * @throws CursorInvalid
   * @throws CursorExpired
   */
  async read(after: number, limit: number): Promise<readonly StoreEvent[]> {
    await this.requireKnown(after);
    const events = await this.log.after(after, limit);
    requireNext(events, after);
    return events;
  }

  /**
   * @throws CursorInvalid when the position is after the newest event
   * @throws CursorExpired when events after the position were purged
   */
  async requireKnown(after: number): Promise<void> {
    if (after > this.tailer.position && after > (await this.log.latest())) {
      throw new CursorInvalid(
        `The cursor ${after} is ahead of the newest event. It comes from another store, or from this store before a backup was restored.`,
      );
    }
    if (after + 1 < (await this.log.oldest())) throw expired(after);
  }
}

interface Sources {
  readonly log: EventLog;
  readonly tailer: Tailer;
  readonly pubSub: PubSub;
  readonly held: HeldBytes;
  readonly turns: ReplayTurns;
  readonly asker: Pick<Asker, 'name'>;
}

/**
 * Reads the log first, in pages. After that, it listens for new events. The first page of the log is read without
 * waiting for a turn, because most readers need no more, for example after a restart of the service. All other pages
 * are read in turns. In a turn, one event is always handed out. The events of the page that are left when the time of
 * the turn is over are handed out in the next turns.
 */
class Follower extends Flow<StoreEvent> implements Holder {
  private page: StoreEvent[] = [];
  private live: Flow<StoreEvent> | null = null;
  private failure: Error | null = null;
  private isOver = false;
  private isFirstPage = true;
  /** The time after which no event is handed out in this turn; null before the first event of the turn. */
  private handedOutUntil: number | null = null;
  /** Ends the turn in which the page was read. Without a turn, it does nothing. */
  private endTurn: () => void = () => {};

  constructor(
    private readonly topic: LogTopic,
    private readonly only: Only | null,
    private cursor: number,
    private readonly sources: Sources,
  ) {
    super();
  }

  take(): IteratorResult<StoreEvent, undefined> | null {
    if (this.isOver) return OVER;
    // No event may follow a failure, because the reader may have missed some events at that point.
    if (this.failure) throw this.failure;
    const event = this.nextOfPage();
    if (event) return { value: event, done: false };
    if (!this.live) return null;
    for (;;) {
      const step = this.live.take();
      // This follower may have read an event from the log before the tailer published it. Such an event is skipped.
      if (step === null || step.done === true || step.value.position > this.cursor) return step;
    }
  }

  whenReady(wake: () => void): void {
    if (this.live) return this.live.whenReady(wake);
    this.readUp()
      .catch((error: unknown) => (this.failure = error as Error))
      .finally(wake);
  }

  end(): void {
    this.isOver = true;
    this.page = [];
    this.sources.held.set(this, 0);
    this.live?.end();
    this.endTurn();
  }

  /** Drops the events in memory. The reader gets the error `TooSlow`, and no event after it. */
  letGo(): void {
    this.page = [];
    this.failure = new TooSlow();
    this.endTurn();
  }

  private nextOfPage(): StoreEvent | undefined {
    const [event] = this.page;
    if (event === undefined) return undefined;
    const now = performance.now();
    this.handedOutUntil ??= now + LONGEST_TURN_MS;
    if (now > this.handedOutUntil) return undefined;
    this.page.shift();
    if (this.page.length === 0) this.sources.held.set(this, 0);
    return event;
  }

  private wants(event: StoreEvent): boolean {
    return isAbout(this.topic, event.type) && isMeant(event, this.only);
  }

  /** The follower itself may be let go here, if all holders together hold too much. */
  private keep(page: StoreEvent[]): void {
    this.page = page;
    this.sources.held.set(this, bytesOf(page));
  }

  /** Waits for a turn and reads until the page has events, or listens when everything is read. */
  private async readUp(): Promise<void> {
    const { log, tailer, pubSub } = this.sources;
    if (this.page.length > 0) await this.takeTurn();
    while (this.page.length === 0 && !this.isOver && !this.failure) {
      // All events of the previous page have been handled.
      this.endTurn();
      if (this.cursor >= tailer.position) {
        // Subscribes in the tick in which the positions were compared, so that no event is missed.
        this.live = pubSub.subscribe(this.topic, this.only);
        return;
      }
      await this.takeTurn();
      // The client may have left while this reader waited for its turn.
      if (this.isOver) break;
      const events =
        tailer.recentAfter(this.cursor, PAGE, PAGE_BYTES) ?? (await log.page(this.cursor, PAGE, PAGE_BYTES));
      if (events.length === 0) throw expired(this.cursor);
      requireNext(events, this.cursor);
      this.cursor = events.at(-1)?.position ?? this.cursor;
      if (!this.isOver) this.keep(events.filter((event) => this.wants(event)));
    }
    if (this.isOver) this.endTurn();
  }

  private async takeTurn(): Promise<void> {
    const { turns, asker } = this.sources;
    this.endTurn();
    if (this.isFirstPage) this.isFirstPage = false;
    else this.endTurn = await turns.take(asker.name);
    this.handedOutUntil = null;
  }
}

function bytesOf(events: readonly StoreEvent[]): number {
  return events.reduce((sum, { size }) => sum + size, 0) * BYTES_OF_A_CHARACTER;
}

function requireNext([first]: readonly StoreEvent[], cursor: number): void {
  if (first && first.position !== cursor + 1) throw expired(cursor);
}

function expired(cursor: number): CursorExpired {
  return new CursorExpired(`Events after the cursor ${cursor} are no longer stored.`);
}

function isAbout(topic: LogTopic, type: string): boolean {
  return topic === 'everything' || kindOf(type)?.topics[type] === topic;
}
