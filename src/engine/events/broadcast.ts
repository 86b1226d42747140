import { setImmediate as nextTurn } from 'node:timers/promises';
import { TooSlow } from '../errors/errors.js';
import { Flow, OVER } from './flow.js';
import { StoreEvent } from './store-event.js';

/** A listener that is further behind than this number of events is assumed to have stopped reading. */
export const MAX_WAITING = 1_000;
/** The maximum number of characters in the data of all waiting events; see `StoreEvent.size`. */
const MAX_WAITING_CHARACTERS = 8 * 1_048_576;
/**
 * The number of events that are handed on in one turn of the event loop. This takes a few milliseconds, in which
 * nothing else is served.
 */
const HANDED_AT_ONCE = 500;

interface Kept<T> {
  readonly event: T;
  /** The number of listeners that still have to take the event. */
  takers: number;
}

/**
 * Distributes events to all listeners. Each event is kept once, until the last listener has taken it, and each listener
 * takes events at its own pace. A listener that is too far behind is removed. The events that it has taken have no gap,
 * so its client can continue after the last of them.
 */
export class Broadcast<T> {
  private readonly listeners = new Set<Listener<T>>();
  private readonly kept: Kept<T>[] = [];
  /** The number (counted from 0) of the first kept event. */
  private first = 0;
  private characters = 0;
  private handed = 0;
  private telling: Promise<void> | null = null;

  /**
   * @param ends `left` is called when a listener has left. If it was the last listener, `abandoned` is called after
   * that
   */
  constructor(private readonly ends: { readonly left: () => void; readonly abandoned: () => void }) {}

  /** The number (counted from 0) of the next event. */
  get end(): number {
    return this.first + this.kept.length;
  }

  /** Listens to the events from now on. */
  listen(): Flow<T> {
    const listener = new Listener(this);
    this.listeners.add(listener);
    return listener;
  }

  /** Resolves when all waiting listeners were woken for all events; null when this has already happened. */
  get told(): Promise<void> | null {
    return this.telling;
  }

  /**
   * All listeners can take the event when this method returns. Waiting listeners are woken after the present tick. If
   * there are many, they are woken in several turns.
   */
  push(event: T): void {
    if (this.listeners.size === 0) return;
    this.kept.push({ event, takers: this.listeners.size });
    this.characters += sizeOf(event);
    while (this.kept.length > MAX_WAITING || this.characters > MAX_WAITING_CHARACTERS) this.letGoOfLast();
    this.telling ??= this.tell();
  }

  /**
   * @param number the number of an event that the listener has not taken before
   * @returns undefined when this event has not happened yet
   */
  take(number: number): T | undefined {
    const kept = this.kept[number - this.first];
    if (kept === undefined) return undefined;
    this.handed += 1;
    kept.takers -= 1;
    this.forgetTaken();
    return kept.event;
  }

  leave(listener: Listener<T>): void {
    if (!this.listeners.delete(listener)) return;
    for (const kept of this.kept.slice(listener.place - this.first)) kept.takers -= 1;
    this.forgetTaken();
    this.ends.left();
    if (this.listeners.size === 0) this.ends.abandoned();
  }

  private async tell(): Promise<void> {
    await Promise.resolve();
    let told;
    do {
      told = this.end;
      for (const listener of this.listeners) {
        listener.tell();
        if (this.handed < HANDED_AT_ONCE) continue;
        await nextTurn();
        this.handed = 0;
      }
    } while (told < this.end);
    this.telling = null;
  }

  private letGoOfLast(): void {
    const { first } = this;
    for (const listener of this.listeners) {
      if (listener.place === first) listener.letGo();
    }
  }

  private forgetTaken(): void {
    while (this.kept[0]?.takers === 0) {
      this.characters -= sizeOf(this.kept[0].event);
      this.kept.shift();
      this.first += 1;
    }
  }
}

class Listener<T> extends Flow<T> {
  /** The number of the first event that was not taken yet. */
  place: number;
  private wake: (() => void) | null = null;
  private isTooSlow = false;
  private isOver = false;

  constructor(private readonly broadcast: Broadcast<T>) {
    super();
    this.place = broadcast.end;
  }

  /** @throws TooSlow once, if the listener was removed because it was too far behind */
  take(): IteratorResult<T, undefined> | null {
    if (this.isTooSlow) {
      this.isTooSlow = false;
      throw new TooSlow();
    }
    if (this.isOver) return OVER;
    const event = this.broadcast.take(this.place);
    if (event === undefined) return null;
    this.place += 1;
    return { value: event, done: false };
  }

  whenReady(wake: () => void): void {
    this.wake = wake;
  }

  /** Wakes the listener, because there may be an event. */
  tell(): void {
    const { wake } = this;
    if (wake === null) return;
    this.wake = null;
    wake();
  }

  end(): void {
    this.isTooSlow = false;
    this.leave();
    this.tell();
  }

  letGo(): void {
    this.isTooSlow = true;
    this.leave();
    this.tell();
  }

  private leave(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.broadcast.leave(this);
  }
}

function sizeOf(event: unknown): number {
  return event instanceof StoreEvent ? event.size : 0;
}
