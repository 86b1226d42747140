import type { Policy } from '../config/quotas.js';

/** How many requests of one may be under way at a time. Many callers may come from one address, each with a bound of its own. */
export const MOST_IN_FLIGHT: Readonly<Record<Policy, number>> = { anonymous: 100, caller: 250 };

/** Counts what is under way, beside what is asked for in a while: a few slow requests hold as much as many quick ones. */
export class InFlight {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  get size(): number {
    return this.counts.size;
  }

  /** False when there are too many already. Who was let in has to leave. */
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
