import type { Policy } from '../config/quotas.js';

/**
 * The number of requests that may be under way at a time: `anonymous` for all anonymous callers of one network
 * together, `caller` for one proven caller.
 */
export const MOST_IN_FLIGHT: Readonly<Record<Policy, number>> = { anonymous: 100, caller: 250 };

/**
 * Counts the requests under way, in addition to the requests in a time window, because a few slow requests can be as
 * heavy a load as many fast requests.
 */
export class InFlight {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  get size(): number {
    return this.counts.size;
  }

  /**
   * Returns false if too many requests are under way already. If the result is true, `leave` must be called at the end
   * of the request.
   */
  enter(name: string): boolean {
    const count = this.counts.get(name) ?? 0;
    if (count >= this.most) return false;
    this.counts.set(name, count + 1);
    return true;
  }

  leave(name: string): void {
    const count = this.counts.get(name) ?? 0;
    if (count > 1) this.counts.set(name, count - 1);
    else this.counts.delete(name);
  }
}
