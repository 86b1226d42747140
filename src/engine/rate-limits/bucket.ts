/** A token bucket: it allows a steady rate with bursts. It uses a clock that cannot be set back. */
export class Bucket {
  private left: number;
  private filledAt = performance.now();

  constructor(
    readonly capacity: number,
    readonly perSecond: number,
  ) {
    this.left = capacity;
  }

  /** Takes all of the units, or none. */
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
