import { check } from './check.ts';
import { Creators } from './creators.ts';
import type { Random } from '../testkit/random.ts';
import type { ProofDatabase } from './databases.ts';
import { byLog, bySse, byWebSocket, type Follower } from './followers.ts';
import type { Proceeding } from '../testkit/proceeding.ts';
import { requireThat } from './options.ts';
import { Shop } from './shop.ts';

const KEY = 'proof-'.repeat(6);
const FOLLOWERS_OF_EACH_KIND = 3;
const REPEATERS = 24;
/** The maximum number of requests that are answered before a kill. The actual number is random. */
const BEFORE = 400;
/** The number of requests that are answered after a kill, while the subscribers connect again. */
export const AFTER = 48;

export function settingsOn(database: ProofDatabase): Record<string, string> {
  return {
    STORE_DATABASE_URL: database.url,
    STORE_ADMIN_KEY: KEY,
    STORE_SECRET: KEY,
    STORE_RATE_LIMIT: 'off',
    STORE_ACCESS_LOG: 'errors',
  };
}

/** The clients of the service, and the check that everything acknowledged to them was kept. */
export class Proof {
  readonly creators: Creators;
  readonly #shop: Shop;
  readonly #database: ProofDatabase;
  readonly #random: Random;
  readonly #followers: Follower[] = [];

  /** @param urls the addresses of the service */
  constructor(
    urls: readonly string[],
    database: ProofDatabase,
    random: Random,
    { signal, atEnd }: Proceeding,
  ) {
    this.#shop = new Shop(urls, KEY, signal);
    this.creators = new Creators(this.#shop, random);
    this.#database = database;
    this.#random = random;
    atEnd(() => this.leave());
  }

  /** Adds subscribers that follow from the beginning: at each address, at least one of each kind. */
  follow(when: string): void {
    const count = Math.max(FOLLOWERS_OF_EACH_KIND, this.#shop.urls.length);
    for (let n = 0; n < count; n++) {
      this.#followers.push(
        byWebSocket(this.#shop, `the ${when} WebSocket ${n + 1}`, n),
        bySse(this.#shop, `the ${when} SSE ${n + 1}`, n),
        byLog(this.#shop, `the ${when} reader of the log ${n + 1}`, n),
      );
    }
  }

  /** Ends all subscriptions. */
  leave(): void {
    for (const follower of this.#followers) follower.leave();
  }

  /** All clients begin. Resolves when it is time for a kill. */
  async work(): Promise<void> {
    this.creators.begin();
    await this.creators.answers(1 + Math.floor(this.#random() * BEFORE));
  }

  /**
   * Compares the stored data and the events of all subscribers with what was acknowledged. No client may work
   * meanwhile.
   *
   * @returns the counts, as a text
   * @throws Broken at the first difference
   */
  async agreed(): Promise<string> {
    const events = await check(this.creators, this.#shop, this.#database);
    await Promise.all(this.#followers.map((follower) => follower.requireAll(events)));
    const { orders, cancelled, products, refusals, cuts, settled } = this.creators;
    const replays = settled.filter(({ isReplayed }) => isReplayed).length;
    const comings = this.#followers.reduce((sum, { connections }) => sum + connections - 1, 0);
    return (
      `${orders.size} orders, ${cancelled.size} of them cancelled, ${products.size} products, ${refusals} orders refused because of the stock; ` +
      `${cuts} requests cut off, ${replays} of them had been served; ` +
      `${events.length} events, ${this.#followers.length} subscribers received them all, and connected again ${comings} times`
    );
  }

  /**
   * Sends each acknowledged order, cancellation and product again. The same key must give the same result.
   *
   * @throws Broken if a result differs, or if no request was cut off
   */
  async repeatAll(): Promise<void> {
    requireThat(this.creators.cuts > 0, () => 'No request was cut off, so nothing was proved.');
    const left = [...this.creators.settled];
    await Promise.all(
      Array.from({ length: REPEATERS }, async () => {
        for (let settled = left.pop(); settled; settled = left.pop()) await this.#shop.repeat(settled);
      }),
    );
  }
}
