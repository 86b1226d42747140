import type { Quota } from '../config/quotas.js';

/** What is left for a subject after units were asked for. */
export interface Taken {
  /** All of them or none. */
  readonly isTaken: boolean;
  readonly left: number;
  /** When the whole quota is there again, on the clock of `performance`, which nobody can set back. */
  readonly resetsAt: number;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** Whoever has more addresses than this gets by the limit anyway, and must not fill the memory. */
const MOST_REMEMBERED = 50_000;

/**
 * Counts in windows of a fixed length; each subject's begins with its first unit. So the map is in the order in which
 * windows end, and what is over stands in front.
 */
export class Windows {
  private readonly windows = new Map<string, Window>();
  private readonly lengthMs: number;

  constructor(
    readonly quota: Quota,
    private readonly most = MOST_REMEMBERED,
  ) {
    this.lengthMs = quota.seconds * 1000;
  }

  get size(): number {
    return this.windows.size;
  }

  take(subject: string, units: number): Taken {
    const now = performance.now();
    const window = this.current(subject, now) ?? this.open(subject, 0, now + this.lengthMs);
    const isTaken = window.used + units <= this.quota.units;
    if (isTaken) window.used += units;
    return { isTaken, left: this.quota.units - window.used, resetsAt: window.endsAt };
  }

  giveBack(subject: string): void {
    const window = this.current(subject, performance.now());
    if (window && window.used > 0) window.used -= 1;
  }

  /** Whether there is nothing left. */
  isSpent(subject: string): boolean {
    const window = this.current(subject, performance.now());
    return window !== undefined && window.used >= this.quota.units;
  }

  /** Takes over what all instances together counted. */
  learn(subject: string, left: number, resetsAt: number): void {
    const window = this.windows.get(subject);
    const used = this.quota.units - left;
    // Only a new window changes its place in the order.
    if (window && Math.abs(window.endsAt - resetsAt) < this.lengthMs / 2) window.used = used;
    else this.open(subject, used, resetsAt);
  }

  private current(subject: string, now: number): Window | undefined {
    const window = this.windows.get(subject);
    return window && window.endsAt > now ? window : undefined;
  }

  private open(subject: string, used: number, endsAt: number): Window {
    const window: Window = { used, endsAt };
    this.windows.delete(subject);
    this.makeRoom();
    this.windows.set(subject, window);
    return window;
  }

  /** Two go for one that comes, as far as they are over: so the map shrinks by itself. */
  private makeRoom(): void {
    const now = performance.now();
    let gone = 0;
    for (const [subject, { endsAt }] of this.windows) {
      if (gone === 2 || (endsAt > now && this.windows.size < this.most)) return;
      this.windows.delete(subject);
      gone += 1;
    }
  }
}
