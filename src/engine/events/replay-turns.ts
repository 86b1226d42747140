import { Injectable } from '@nestjs/common';

/** The longest turn. After this time, a reader may finish the event that it is handling, but begin no other. */
export const LONGEST_TURN_MS = 50;

/**
 * Lets the readers of many old events take turns, so that all of them together take at most about half of the time of
 * the process. In a turn, a reader reads a page of events, and handles them. Then there is a pause that is as long as
 * the turn was. The callers have their turns one after the other. So a caller with many readers gets no more turns than
 * a caller with one.
 */
@Injectable()
export class ReplayTurns {
  /** The waiting readers by caller. The first caller in the map has the next turn. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;

  /**
   * Resolves when the reader has its turn.
   *
   * @param caller identifies the caller (`Asker.name`)
   * @returns a function that ends the turn. Call it when the events of the page have been handled
   */
  async take(caller: string): Promise<() => void> {
    if (this.isBusy) await this.queue(caller);
    this.isBusy = true;
    return this.begin();
  }

  private queue(caller: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.waiting.get(caller);
      if (own) own.push(resolve);
      else this.waiting.set(caller, [resolve]);
    });
  }

  private begin(): () => void {
    const begunAt = performance.now();
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      const took = Math.min(performance.now() - begunAt, LONGEST_TURN_MS);
      setTimeout(() => this.next(), took).unref();
    };
    const timer = setTimeout(end, LONGEST_TURN_MS).unref();
    return end;
  }

  private next(): void {
    const [first] = this.waiting;
    if (first === undefined) {
      this.isBusy = false;
      return;
    }
    const [caller, own] = first;
    const wake = own.shift();
    // The caller goes to the end of the map.
    this.waiting.delete(caller);
    if (own.length > 0) this.waiting.set(caller, own);
    wake?.();
  }
}
