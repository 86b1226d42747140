/** The maximum time of executions for subscribers in one turn of the event loop. */
const MOST_MS = 10;
/**
 * The maximum number of executions that wait for the database at the same time. The next one begins when one of them
 * has ended.
 */
const MOST_WAITING = 8;

/**
 * Executes operations for subscribers: at once as long as this turn has time left and few executions wait for the
 * database, otherwise in order in the following turns. One event may have a thousand different results for a thousand
 * subscribers, and other work has to be served in between.
 */
export class Pace {
  private readonly queue: (() => void)[] = [];
  private usedMs = 0;
  private waiting = 0;
  private isPlanned = false;

  /** The number of executions that have not begun. */
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
    // If too many executions wait for the database, no turn is planned here. The first of these executions that ends
    // plans the next turn.
    if (this.queue.length > 0 && this.waiting < MOST_WAITING) this.plan();
  };
}
