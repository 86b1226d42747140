import { GraphqlLimitExceeded } from '../errors.js';

/** A subscriber that is further behind than this many events has stopped reading, for all we know. */
export const MAX_WAITING = 1_000;

/**
 * What happened and one subscriber has not yet taken, in order. It holds a thousand events at most: with the next one
 * the subscription is over, which the subscriber learns after the thousand, so that what it got has no gap.
 */
export class Backlog<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private readonly takers: PromiseWithResolvers<IteratorResult<T>>[] = [];
  private fault: Error | null = null;
  private isOver = false;

  /** @param release ends the supply; called once */
  constructor(private readonly release: () => void) {}

  push(event: T): void {
    if (this.isOver) return;
    const taker = this.takers.shift();
    if (taker) return taker.resolve({ value: event, done: false });
    if (this.waiting.length < MAX_WAITING) return void this.waiting.push(event);
    this.fault = new GraphqlLimitExceeded(
      `The number of events that wait for this subscriber is ${MAX_WAITING + 1}; it may be at most ${MAX_WAITING}. ` +
        'Read what is missing, then subscribe again.',
    );
    this.end();
  }

  /** @throws GraphqlLimitExceeded when all is taken that came before there was too much */
  async next(): Promise<IteratorResult<T>> {
    if (this.waiting.length > 0) return { value: this.waiting.shift() as T, done: false };
    if (this.fault) {
      const { fault } = this;
      this.fault = null;
      throw fault;
    }
    if (this.isOver) return { value: undefined, done: true };
    const taker = Promise.withResolvers<IteratorResult<T>>();
    this.takers.push(taker);
    return taker.promise;
  }

  async return(): Promise<IteratorResult<T>> {
    this.waiting.length = 0;
    this.fault = null;
    this.end();
    for (const taker of this.takers.splice(0)) taker.resolve({ value: undefined, done: true });
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.release();
  }
}
