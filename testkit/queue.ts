/** Values in the order in which they came. If there is no value, `next` waits for the next one. */
export class Queue<T> {
  private readonly waiting: T[] = [];
  private readonly takers: ((value: T) => void)[] = [];

  push(value: T): void {
    const taker = this.takers.shift();
    if (taker) taker(value);
    else this.waiting.push(value);
  }

  next(): Promise<T> {
    if (this.waiting.length > 0) return Promise.resolve(this.waiting.shift() as T);
    return new Promise((resolve) => this.takers.push(resolve));
  }

  /** The number of values that nobody has taken yet. */
  get length(): number {
    return this.waiting.length;
  }
}
