import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Unavailable } from '../errors/errors.js';

const TICK_MS = 100;
/** So long nobody else is served: longer is a hold. */
export const HELD_MS = 200;
/** No single hold counts for more: a module that is loaded for the first time is no overload. */
const MOST_OF_A_HOLD_MS = 400;
export const SHED_FROM_MS = 700;
const MOST_MS = 1_500;

/** What may have been computed: a request of HTTP, or an operation on a connection that stays open. */
export interface Work {
  readonly id: string;
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly operation?: string;
}

/**
 * Watches the event loop, which everybody shares. Whoever holds it is named in the log, and while it is held again and again
 * the work of who shows no credential is refused (ADR 33). It counts what this thread computes, not what it waits for the
 * processor: on a machine that is busy with other programs nobody is refused.
 */
@Injectable()
export class LoopGuard implements OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private logger: Logger | null = null;
  private tickedAt = 0;
  private computedMs = 0;
  /** How much it was held of late. */
  private level = 0;
  private isShedding = false;
  private markedAt = 0;
  private work: Work | null = null;
  /** Who was at work for longest since the last tick, if that was a hold. */
  private suspect: { readonly work: Work | null; readonly ms: number } | null = null;

  /** From now on; before, it costs nothing and refuses nobody. */
  watch(logger: Logger): void {
    this.logger = logger;
    this.tickedAt = this.markedAt = performance.now();
    this.computedMs = threadMs();
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.isShedding = false;
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /** Before what may take long: whoever is marked when the loop is held is the one who held it. */
  mark(work: Work | null): void {
    if (this.timer === null) return;
    const now = performance.now();
    const ms = now - this.markedAt;
    // Between two ticks there is no such gap unless it was held.
    if (ms > HELD_MS && ms > (this.suspect?.ms ?? 0)) this.suspect = { work: this.work, ms };
    this.markedAt = now;
    this.work = work;
  }

  /** @throws Unavailable when there is too much to do for work of who shows no credential */
  requireRoom(): void {
    if (this.isShedding) {
      throw new Unavailable(
        'The service has more to do than it can. Try again in a moment, or with a credential.',
      );
    }
  }

  private tick(): void {
    const now = performance.now();
    const lateMs = now - this.tickedAt - TICK_MS;
    const computed = threadMs();
    const ownMs = computed - this.computedMs;
    this.mark(null);
    const { suspect } = this;
    this.suspect = null;
    const isHeld = lateMs > HELD_MS && ownMs > HELD_MS;
    if (isHeld && suspect) this.tell(suspect.work, suspect.ms, ownMs);
    const change = isHeld ? Math.min(ownMs, MOST_OF_A_HOLD_MS) : -TICK_MS;
    this.level = Math.max(0, Math.min(MOST_MS, this.level + change));
    if (!this.isShedding && this.level >= SHED_FROM_MS) this.shed(true);
    else if (this.isShedding && this.level === 0) this.shed(false);
    this.tickedAt = now;
    this.computedMs = computed;
  }

  /** Never an address with its values, nor anything else that the client has sent but its request id. */
  private tell(work: Work | null, ms: number, ownMs: number): void {
    this.logger?.warn(
      {
        requestId: work?.id,
        method: work?.method,
        route: work?.routeOptions.url,
        operation: work?.operation,
        heldMs: Math.round(ms),
        computedMs: Math.round(ownMs),
      },
      'the event loop was held',
    );
  }

  private shed(isShedding: boolean): void {
    this.isShedding = isShedding;
    this.logger?.warn(isShedding ? 'anonymous work is refused' : 'anonymous work is taken again');
  }
}

/** What this thread has computed. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
