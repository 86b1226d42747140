import { ClientLeft, RateLimited, Unavailable } from '../errors/errors.js';
import { Counter } from '../metrics/instruments.js';
import type { Asker } from './asker.js';
import { DatabaseUnavailable } from './faults.js';

export interface ScanBounds {
  /** The number of scans that run at the same time, each for a different caller. */
  readonly lanes: number;
  /** The maximum number of waiting scans, of all callers together. */
  readonly waiting: number;
  /** The maximum number of waiting scans of one caller. */
  readonly waitingOfOne: number;
  /** The longest time that a scan waits for its turn. */
  readonly waitMs: number;
}

export const SCAN_BOUNDS: Omit<ScanBounds, 'lanes'> = { waiting: 256, waitingOfOne: 40, waitMs: 10_000 };

/** The interval at which the queue checks whether the client of a running scan is still there. */
const LOOK_MS = 100;
const RETRY_SECONDS = 5;

type Work = (gone: AbortSignal) => Promise<void>;

interface Waiting {
  readonly asker: Asker;
  readonly work: Work;
  readonly refuse: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Lets scans take turns. A scan is one statement of a long read. Each caller runs one scan at a time. Then the next
 * caller has its turn, even if the first caller has more scans waiting. Waiting is bounded, and no scan begins for a
 * client that has left.
 */
export class ScanQueue {
  readonly refused = new Counter();
  readonly #bounds: ScanBounds;
  /** The waiting scans by caller. The first caller in the map has the next turn. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(bounds: ScanBounds) {
    this.#bounds = bounds;
  }

  /**
   * @param work the scan, which begins when its turn has come. It ends early when the signal reports that the client
   *   has left.
   * @throws RateLimited when the caller has too many scans waiting
   * @throws Unavailable when too many scans wait, or when the turn does not come in time
   * @throws ClientLeft when the client has left
   * @throws DatabaseUnavailable when the service is shutting down
   */
  run<T>(asker: Asker, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(stopping());
    try {
      this.#requireRoom(asker);
    } catch (error) {
      this.refused.add();
      return Promise.reject(error);
    }
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = {
        asker,
        work: (gone) => work(gone).then(resolve, reject),
        refuse: reject,
        timer: setTimeout(() => this.#giveUp(waiting), this.#bounds.waitMs),
      };
      const own = this.#waiting.get(asker.name);
      if (own) own.push(waiting);
      else this.#waiting.set(asker.name, [waiting]);
      this.#begin();
    });
  }

  /** The number of scans that wait for their turn. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, own) => sum + own.length, 0);
  }

  /** Lets running scans finish, and refuses the waiting ones. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer, refuse } of [...this.#waiting.values()].flat()) {
      clearTimeout(timer);
      refuse(stopping());
    }
    this.#waiting.clear();
    await Promise.allSettled(this.#running.values());
  }

  #requireRoom({ name }: Asker): void {
    const { waiting, waitingOfOne } = this.#bounds;
    if ((this.#waiting.get(name)?.length ?? 0) >= waitingOfOne) {
      throw new RateLimited(
        `You already have ${waitingOfOne} waiting searches, and they run one after another. Wait for their answers before you send the next.`,
        RETRY_SECONDS,
      );
    }
    if (this.waiting >= waiting) {
      throw busy('Too many searches are waiting.');
    }
  }

  #begin(): void {
    for (const [name, own] of this.#waiting) {
      if (this.#running.size >= this.#bounds.lanes) return;
      if (this.#running.has(name)) continue;
      const next = this.#taken(own);
      this.#waiting.delete(name);
      if (own.length > 0) this.#waiting.set(name, own);
      if (next) this.#start(next);
    }
  }

  /** Takes the first scan whose client is still there. */
  #taken(own: Waiting[]): Waiting | undefined {
    for (;;) {
      const next = own.shift();
      if (!next) return undefined;
      clearTimeout(next.timer);
      if (!next.asker.isGone()) return next;
      next.refuse(new ClientLeft());
    }
  }

  #start({ asker, work }: Waiting): void {
    const gone = new AbortController();
    const look = setInterval(() => {
      if (asker.isGone()) gone.abort();
    }, LOOK_MS);
    const running = work(gone.signal).finally(() => {
      clearInterval(look);
      this.#running.delete(asker.name);
      this.#begin();
    });
    this.#running.set(asker.name, running);
  }

  #giveUp(waiting: Waiting): void {
    const { name } = waiting.asker;
    const own = this.#waiting.get(name) ?? [];
    own.splice(own.indexOf(waiting), 1);
    if (own.length === 0) this.#waiting.delete(name);
    this.refused.add();
    waiting.refuse(
      busy(`This search waited for ${this.#bounds.waitMs / 1000} s while other searches were running.`),
    );
  }
}

function busy(what: string): Unavailable {
  return new Unavailable(`${what} Try again in ${RETRY_SECONDS} s.`, { retryAfterSeconds: RETRY_SECONDS });
}

function stopping(): Error {
  return new DatabaseUnavailable('The service is shutting down');
}
