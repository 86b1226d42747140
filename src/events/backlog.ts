import { TooSlow } from '../errors.js';
import { Flow, OVER } from './flow.js';
import { StoreEvent } from './store-event.js';

/** A subscriber that is further behind than this many events has stopped reading, for all we know. */
export const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 8 * 1_048_576;

/**
 * What happened and one subscriber has not yet taken, in order. There is a bound to it: with one event more all of it is
 * let go, and the subscription is over. What the subscriber has got has no gap, so that it can go on behind that.
 */
export class Backlog<T> extends Flow<T> {
  private readonly waiting: T[] = [];
  private wake: (() => void) | null = null;
  private bytes = 0;
  private isTooSlow = false;
  private isOver = false;

  /** @param release ends the supply; called once */
  constructor(private readonly release: () => void) {
    super();
  }

  /** Who waits for it takes it before this returns. */
  push(event: T): void {
    if (this.isOver) return;
    this.waiting.push(event);
    this.bytes += sizeOf(event);
    if (this.wake) return this.tell();
    if (this.waiting.length <= MAX_WAITING && this.bytes <= MAX_WAITING_BYTES) return;
    this.isTooSlow = true;
    this.letGo();
  }

  /** @throws TooSlow once, when more happened than is kept */
  take(): IteratorResult<T, undefined> | null {
    if (this.waiting.length > 0) {
      const value = this.waiting.shift() as T;
      this.bytes -= sizeOf(value);
      return { value, done: false };
    }
    if (this.isTooSlow) {
      this.isTooSlow = false;
      throw new TooSlow('More events wait for this subscriber than are kept for one.');
    }
    return this.isOver ? OVER : null;
  }

  whenReady(wake: () => void): void {
    this.wake = wake;
  }

  end(): void {
    this.isTooSlow = false;
    this.letGo();
    this.tell();
  }

  private tell(): void {
    const { wake } = this;
    this.wake = null;
    wake?.();
  }

  private letGo(): void {
    this.waiting.length = 0;
    if (this.isOver) return;
    this.isOver = true;
    this.release();
  }
}

function sizeOf(event: unknown): number {
  return event instanceof StoreEvent ? event.size : 0;
}
