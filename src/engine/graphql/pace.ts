/** So long one turn of the event loop may be taken up by executions for subscribers. */
const MOST_MS = 10;
/** What waits for the database goes on in turns of its own: so many at a time. */
const MOST_WAITING = 8;

/**
 * Executes for subscribers at once as long as little of the turn is used up, and otherwise in the turns that follow, in order:
 * an event may be a thousand different things to a thousand subscribers, and others are to be served between them.
 */
export class Pace {
  private readonly queue: (() => void)[] = [];
  private usedMs = 0;
  private waiting = 0;
  private isPlanned = false;

  /** How many have not been begun. */
  get queued(): number {
    return this.queue.length;
  }

  run<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.queue.length === 0 && this.hasRoom) return this.begin(work);
    return new Promise((resolve, reject) => {
      this.queue.push(() => {
        try {
          resolve(this.begin(work));
        } catch (error) {
          reject(error);
        }
      });
      this.plan();
    });
  }

  private get hasRoom(): boolean {
    return this.usedMs < MOST_MS && this.waiting < MOST_WAITING;
  }

  private begin<T>(work: () => T | Promise<T>): T | Promise<T> {
    const begun = performance.now();
    try {
      const outcome = work();
      if (outcome instanceof Promise) {
        this.waiting += 1;
        outcome.then(this.oneLess, this.oneLess);
      }
      return outcome;
    } finally {
      this.usedMs += performance.now() - begun;
      this.plan();
    }
  }

  private readonly oneLess = (): void => {
    this.waiting -= 1;
    if (this.queue.length > 0) this.plan();
  };

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(this.turn);
  }

  private readonly turn = (): void => {
    this.isPlanned = false;
    this.usedMs = 0;
    while (this.queue.length > 0 && this.hasRoom) this.queue.shift()?.();
    // Otherwise one that waits for the database plans the next one.
    if (this.queue.length > 0 && this.waiting < MOST_WAITING) this.plan();
  };
}
