/**
 * A sequence of values. A value that is already there is taken synchronously, because otherwise each of thousands of
 * subscribers would make promises for every event. The sequence is also an async iterator, for readers that may wait
 * for promises. Only one reader may take values at a time, in one of the two ways.
 */
export abstract class Flow<T> implements AsyncIterableIterator<T> {
  /** The next value, or the end; null when there is no value yet. */
  abstract take(): IteratorResult<T, undefined> | null;

  /**
   * Call this after `take` returned null. `wake` is called once, when there may be a value or the end.
   *
   * @param wake must not throw, because other readers are woken after it
   */
  abstract whenReady(wake: () => void): void;

  /** Releases everything at once. A waiting reader gets the end. */
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
   * Passes all values to `handle`, in order. Each call is made in the tick in which the value comes, as long as
   * `handle` returns null. Resolves at the end. An error of the flow or of `handle` ends the flow, and the promise
   * rejects with this error.
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
