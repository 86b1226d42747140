/**
 * What comes one after the other, and is taken at once where it is there already: otherwise each of thousands of subscribers
 * would make promises for every event. For who has time it is an async iterator; one asks at a time, in the one way or the other.
 */
export abstract class Flow<T> implements AsyncIterableIterator<T> {
  /** The next one, or that it is over; null when nothing is there yet. */
  abstract take(): IteratorResult<T, undefined> | null;

  /**
   * After `take` gave null: calls back, once, when it is worth another try.
   *
   * @param wake does not throw: others are told after it
   */
  abstract whenReady(wake: () => void): void;

  /** Lets everything go at once. Who waits is told that it is over. */
  abstract end(): void;

  async next(): Promise<IteratorResult<T>> {
    for (;;) {
      const step = this.take();
      if (step) return step;
      await new Promise<void>((resolve) => this.whenReady(resolve));
    }
  }

  async return(): Promise<IteratorResult<T>> {
    this.end();
    return OVER;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Hands on everything, in order, and in the tick in which it comes as long as `handle` gives back nothing to wait for.
   * Resolves when it is over; ends it, and rejects, with what is thrown here or there.
   */
  forEach(handle: (value: T) => Promise<void> | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        this.end();
        reject(error);
      };
      const goOn = (): void => {
        try {
          for (;;) {
            const step = this.take();
            if (step === null) return this.whenReady(goOn);
            if (step.done === true) return resolve();
            const handled = handle(step.value);
            if (handled) return void handled.then(goOn, fail);
          }
        } catch (error) {
          fail(error as Error);
        }
      };
      goOn();
    });
  }
}

export const OVER = { value: undefined, done: true } as const;
