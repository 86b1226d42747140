/** Counts what may come at a steady pace and in bursts. On a clock that cannot be put back. */
export class Bucket {
  private left: number;
  private filledAt = performance.now();

  constructor(
    readonly capacity: number,
    readonly perSecond: number,
  ) {
    this.left = capacity;
  }

  /** Takes all of it or nothing. */
  take(units: number): boolean {
    const now = performance.now();
    this.left = Math.min(this.capacity, this.left + ((now - this.filledAt) / 1000) * this.perSecond);
    this.filledAt = now;
    if (this.left < units) return false;
    this.left -= units;
    return true;
  }

  giveBack(units: number): void {
    this.left = Math.min(this.capacity, this.left + units);
  }
}
