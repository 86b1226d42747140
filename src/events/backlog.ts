import { TooSlow } from '../errors.js';
import { StoreEvent } from './store-event.js';

/** A subscriber that is further behind than this many events has stopped reading, for all we know. */
export const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 8 * 1_048_576;

/**
 * What happened and one subscriber has not yet taken, in order. There is a bound to it: with one event more all of it is
 * let go, and the subscription is over. What the subscriber has got has no gap, so that it can go on behind that.
 */
export class Backlog<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private readonly takers: PromiseWithResolvers<IteratorResult<T>>[] = [];
  private bytes = 0;
  private isTooSlow = false;
  private isOver = false;

  /** @param release ends the supply; called once */
  constructor(private readonly release: () => void) {}

  push(event: T): void {
    if (this.isOver) return;
    const taker = this.takers.shift();
    if (taker) return taker.resolve({ value: event, done: false });
    this.waiting.push(event);
    this.bytes += sizeOf(event);
    if (this.waiting.length <= MAX_WAITING && this.bytes <= MAX_WAITING_BYTES) return;
    this.isTooSlow = true;
    this.end();
  }

  /** @throws TooSlow once, when more happened than is kept */
  async next(): Promise<IteratorResult<T>> {
    if (this.waiting.length > 0) {
      const value = this.waiting.shift() as T;
      this.bytes -= sizeOf(value);
      return { value, done: false };
    }
    if (this.isTooSlow) {
      this.isTooSlow = false;
      throw new TooSlow('More events wait for this subscriber than are kept for one.');
    }
    if (this.isOver) return { value: undefined, done: true };
    const taker = Promise.withResolvers<IteratorResult<T>>();
    this.takers.push(taker);
    return taker.promise;
  }

  async return(): Promise<IteratorResult<T>> {
    this.isTooSlow = false;
    this.end();
    for (const taker of this.takers.splice(0)) taker.resolve({ value: undefined, done: true });
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private end(): void {
    this.waiting.length = 0;
    if (this.isOver) return;
    this.isOver = true;
    this.release();
  }
}

function sizeOf(event: unknown): number {
  return event instanceof StoreEvent ? event.size : 0;
}
