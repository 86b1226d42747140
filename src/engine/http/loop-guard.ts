import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Counter } from '../metrics/instruments.js';
import { Unavailable } from '../errors/errors.js';

const TICK_MS = 100;
/** The event loop is held if it serves a single request or message for longer than this. */
const HELD_MS = 200;
/**
 * The maximum time that a single hold adds to the sum of the recent holds. The first load of a module may hold the loop
 * for longer, and this is no overload.
 */
const MOST_OF_A_HOLD_MS = 400;
const SHED_FROM_MS = 700;
const MOST_MS = 1_500;

/** Work that may hold the loop: an HTTP request, or an operation on a connection that stays open. */
export interface Work {
  readonly id: string;
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly operation?: string;
}

/**
 * Watches the event loop, which all requests share. The log names the work that holds the loop. While the loop is held
 * again and again, work without a credential is refused (ADR 33). The guard counts the time that this thread computes,
 * not the time that it waits for the processor. So other programs on a busy machine are no reason to refuse work.
 */
@Injectable()
export class LoopGuard implements OnModuleDestroy {
  readonly refused = new Counter();
  private timer: NodeJS.Timeout | null = null;
  private logger: Logger | null = null;
  private tickedAt = 0;
  private computedMs = 0;
  /** The sum of the recent holds, in milliseconds. */
  private level = 0;
  private isShedding = false;
  private markedAt = 0;
  private work: Work | null = null;
  /** The longest hold since the last tick, with the work that was marked before it. Null if there was no hold. */
  private suspect: { readonly work: Work | null; readonly ms: number } | null = null;

  /** Starts watching. Before this call, the guard costs nothing and refuses nothing. */
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

  /** Call this before work that may take long. The marked work is reported if the loop is held. */
  mark(work: Work | null): void {
    if (this.timer === null) return;
    const now = performance.now();
    const ms = now - this.markedAt;
    // The guard ticks often, so a gap as long as this means that the loop was held.
    if (ms > HELD_MS && ms > (this.suspect?.ms ?? 0)) this.suspect = { work: this.work, ms };
    this.markedAt = now;
    this.work = work;
  }

  /** @throws Unavailable when the service has no capacity for work without a credential */
  requireRoom(): void {
    if (this.isShedding) {
      this.refused.add();
      throw new Unavailable('The service is overloaded. Try again in a moment, or send a credential.');
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

  /** Logs the route without its values. It logs no data of the client except the request id. */
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
    this.logger?.warn(isShedding ? 'anonymous work is refused' : 'anonymous work is accepted again');
  }
}

/** The processor time of this thread, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
