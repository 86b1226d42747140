import { DatabaseUnavailable } from './faults.js';

/**
 * Bounds the number of acts that have a connection of the pool at the same time. Without this bound, acts that wait for
 * one locked row could take all connections, and then every read would wait too. The acts begin in the order in which
 * they came.
 */
export class ActTurns {
  readonly #waitMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  /**
   * @param most the number of acts that run at the same time
   * @param waitMs the longest time that an act waits for its turn
   */
  constructor(most: number, waitMs: number) {
    this.#free = most;
    this.#waitMs = waitMs;
  }

  /** The number of acts that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a turn. Call `end` after the act. Returns nothing if the turn begins at once.
   *
   * @throws DatabaseUnavailable, as a rejected promise, when the turn does not come in time
   */
  begin(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(start);
        reject(new DatabaseUnavailable(`No other act ended within ${this.#waitMs} ms`));
      }, this.#waitMs);
      this.#waiting.add(start);
    });
  }

  /** Ends a turn. The act that has waited longest begins. */
  end(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
