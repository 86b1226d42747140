import type { Policy } from '../config/quotas.js';

/**
 * The number of requests that may be under way at a time: `anonymous` for all anonymous callers of one network
 * together, `caller` for one proven caller.
 */
export const MOST_IN_FLIGHT: Readonly<Record<Policy, number>> = { anonymous: 100, caller: 250 };

/** The maximum number of idle names that are kept. A name is idle if it has no request under way. */
const MOST_IDLE = 1_000;

/**
 * Counts the requests under way, in addition to the requests in a time window, because a few slow requests can be as
 * heavy a load as many fast requests.
 */
export class InFlight {
  /**
   * The count of a name stays for a while when it is 0. If a map loses and gets a name at each request, V8 makes new
   * tables for the map again and again, and frees them late.
   */
  private readonly counts = new Map<string, number>();
  private idle = 0;

  constructor(private readonly most: number) {}

  /** The number of names that are kept. */
  get size(): number {
    return this.counts.size;
  }

  /**
   * Returns false if too many requests are under way already. If the result is true, `leave` must be called at the end
   * of the request.
   */
  enter(name: string): boolean {
    const count = this.counts.get(name);
    if (count !== undefined && count >= this.most) return false;
    if (count === 0) this.idle -= 1;
    this.counts.set(name, (count ?? 0) + 1);
    return true;
  }

  leave(name: string): void {
    const count = this.counts.get(name);
    if (count === undefined || count === 0) return;
    this.counts.set(name, count - 1);
    if (count > 1) return;
    this.idle += 1;
    if (this.idle > MOST_IDLE) this.forgetIdle();
  }

  private forgetIdle(): void {
    for (const [name, count] of this.counts) if (count === 0) this.counts.delete(name);
    this.idle = 0;
  }
}
