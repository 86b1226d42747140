/** What came, one after the other; `next` waits for what has not come yet. */
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

  /** How many have come that nobody has taken. */
  get length(): number {
    return this.waiting.length;
  }
}
