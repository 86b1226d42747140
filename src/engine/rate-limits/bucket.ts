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

  /** The time until the bucket is full, in milliseconds; 0 if it is full. */
  get msUntilFull(): number {
    this.fill();
    return Math.ceil(((this.capacity - this.left) / this.perSecond) * 1000);
  }

  /** Takes all of the units, or none. */
  take(units: number): boolean {
    this.fill();
    if (this.left < units) return false;
    this.left -= units;
    return true;
  }

  giveBack(units: number): void {
    this.left = Math.min(this.capacity, this.left + units);
  }

  private fill(): void {
    const now = performance.now();
    this.left = Math.min(this.capacity, this.left + ((now - this.filledAt) / 1000) * this.perSecond);
    this.filledAt = now;
  }
}
