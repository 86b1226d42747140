/**
 * The maximum time of executions for subscribers in one turn of the event loop. An execution that has begun is not
 * interrupted.
 */
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
  /** The time of the first execution in this turn; null if there is none yet. */
  private begunAt: number | null = null;
  /** The execution that began last in this turn and has not ended; null if there is none. */
  private unfinished: object | null = null;
  /**
   * Whether the last execution ended in the turn in which it began. An execution on SQLite does so, although it returns
   * a promise. Then the next one has to wait for it, because all its time belongs to this turn.
   */
  private endsInTurn = true;
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
    if (this.waiting >= MOST_WAITING || (this.endsInTurn && this.unfinished !== null)) return false;
    return this.begunAt === null || performance.now() - this.begunAt < MOST_MS;
  }

  private begin<T>(work: () => T | Promise<T>): T | Promise<T> {
    this.begunAt ??= performance.now();
    this.plan();
    const outcome = work();
    if (outcome instanceof Promise) {
      this.waiting += 1;
      this.unfinished = outcome;
      const ended = (): void => this.end(outcome);
      outcome.then(ended, ended);
    }
    return outcome;
  }

  private end(outcome: object): void {
    this.waiting -= 1;
    if (this.unfinished === outcome) {
      this.unfinished = null;
      this.endsInTurn = true;
    }
    this.goOn();
  }

  private goOn(): void {
    while (this.queue.length > 0 && this.hasRoom) this.queue.shift()?.();
    // If too many executions wait for the database, no turn is planned here. The first of these executions that ends
    // goes on with the queue.
    if (this.queue.length > 0 && this.waiting < MOST_WAITING) this.plan();
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(this.turn);
  }

  private readonly turn = (): void => {
    this.isPlanned = false;
    this.begunAt = null;
    if (this.unfinished !== null) {
      this.unfinished = null;
      this.endsInTurn = false;
    }
    this.goOn();
  };
}
