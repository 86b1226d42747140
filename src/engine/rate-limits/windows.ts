import type { Quota } from '../config/quotas.js';

/** The remaining units of a subject after a request for units. */
export interface Taken {
  /** Whether all units were taken; otherwise no unit was taken. */
  readonly isTaken: boolean;
  readonly left: number;
  /** The time at which the whole quota is available again, on the clock of `performance`, which cannot be set back. */
  readonly resetsAt: number;
}

interface Window {
  used: number;
  readonly endsAt: number;
  /** Whether Redis counts this window. */
  isShared: boolean;
}

/**
 * The maximum number of windows that are remembered, to bound the memory. A party with more addresses than this escapes
 * the limit anyway.
 */
const MOST_REMEMBERED = 50_000;

/**
 * Counts in windows of a fixed length. The window of a subject begins with its first request. So the map is in the
 * order in which windows end, and the ended windows come first. There is one exception: a window that began in Redis
 * may end earlier than the windows before it.
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
    const window = this.current(subject, now) ?? this.open(subject, 0, now + this.lengthMs, false);
    const isTaken = window.used + units <= this.quota.units;
    if (isTaken) window.used += units;
    return { isTaken, left: this.quota.units - window.used, resetsAt: window.endsAt };
  }

  giveBack(subject: string): void {
    const window = this.current(subject, performance.now());
    if (window && window.used > 0) window.used -= 1;
  }

  /** Whether no units are left. */
  isSpent(subject: string): boolean {
    const window = this.current(subject, performance.now());
    return window !== undefined && window.used >= this.quota.units;
  }

  /**
   * Whether the subject may be counted in Redis: it is counted there already, or there is room for it without the
   * removal of a window that has not ended. So the number of keys in Redis has a bound.
   */
  mayBeShared(subject: string): boolean {
    if (this.windows.size < this.most || this.windows.get(subject)?.isShared === true) return true;
    const oldest = this.windows.values().next().value;
    return oldest === undefined || oldest.endsAt <= performance.now();
  }

  /** Takes over the count of all instances, which Redis has returned. */
  learn(subject: string, left: number, resetsAt: number): void {
    const window = this.windows.get(subject);
    const used = this.quota.units - left;
    // If the window is still the same, its place in the order of the map stays. A new window goes to the end of the
    // map.
    if (window && Math.abs(window.endsAt - resetsAt) < this.lengthMs / 2) {
      window.used = used;
      window.isShared = true;
    } else this.open(subject, used, resetsAt, true);
  }

  private current(subject: string, now: number): Window | undefined {
    const window = this.windows.get(subject);
    return window && window.endsAt > now ? window : undefined;
  }

  private open(subject: string, used: number, endsAt: number, isShared: boolean): Window {
    const window: Window = { used, endsAt, isShared };
    this.windows.delete(subject);
    this.makeRoom();
    this.windows.set(subject, window);
    return window;
  }

  /**
   * Removes up to two ended windows for each new window, so that the map shrinks without a timer. If the map is full,
   * its first window is removed even if this window has not ended.
   */
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
