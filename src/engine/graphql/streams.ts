import { Flow } from '../events/flow.js';

/** The values of a source that `isWanted` accepts. An error of `isWanted` also ends the source. */
export function filtered<T>(source: Flow<T>, isWanted: (value: T) => boolean): Flow<T> {
  return new Filtered(source, isWanted);
}

class Filtered<T> extends Flow<T> {
  constructor(
    private readonly source: Flow<T>,
    private readonly isWanted: (value: T) => boolean,
  ) {
    super();
  }

  take(): IteratorResult<T, undefined> | null {
    for (;;) {
      const step = this.source.take();
      if (step === null || step.done === true) return step;
      try {
        if (this.isWanted(step.value)) return step;
      } catch (error) {
        this.source.end();
        throw error;
      }
    }
  }

  whenReady(wake: () => void): void {
    this.source.whenReady(wake);
  }

  end(): void {
    this.source.end();
  }
}
