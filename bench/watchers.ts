import { setTimeout as sleep } from 'node:timers/promises';
import { userAt, usersFor } from './data.ts';
import { NEW_ORDER_QUERY } from './queries.ts';
import { SMALLEST_STORE, type RequestSettings } from './requests.ts';
import { Subscriber } from './subscriber.ts';

const MOST_USERS = 100;
const MOST_AT_ONCE = 200;
const TIMEOUT_MS = 60_000;
const TRY_MS = 20;

/** WebSockets on which users wait for their own orders. All orders that the benchmark places belong to other users. */
export class Watchers {
  readonly #subscribers: Subscriber[] = [];
  #subscribed = 0;
  #failure: string | null = null;

  /** @throws Error when the store has too few users, a user gets no API key, or not all WebSockets can be connected */
  static async open(settings: RequestSettings, count: number): Promise<Watchers> {
    const watchers = new Watchers();
    const keys: string[] = [];
    for (const id of watchingUsers(settings.products).slice(0, count)) keys.push(await keyOf(settings, id));
    const listener = {
      subscribed: () => (watchers.#subscribed += 1),
      heard: () => (watchers.#failure = 'A watcher got a message, although its user has no new order'),
      failed: (reason: string) => (watchers.#failure = reason),
    };
    const end = performance.now() + TIMEOUT_MS;
    const subscribers = watchers.#subscribers;
    while (subscribers.length < count) {
      const most = Math.min(count, subscribers.length + MOST_AT_ONCE);
      while (subscribers.length < most) {
        const key = keys[subscribers.length % keys.length] as string;
        subscribers.push(new Subscriber(settings.port, key, NEW_ORDER_QUERY, listener));
      }
      while (watchers.#subscribed < most) {
        watchers.requireContent();
        if (performance.now() > end)
          throw new Error(`Only ${watchers.#subscribed} of ${count} watchers are connected`);
        await sleep(TRY_MS);
      }
    }
    return watchers;
  }

  /** @throws Error when a watcher was disconnected, or received a message after it subscribed */
  requireContent(): void {
    if (this.#failure !== null) throw new Error(this.#failure);
  }

  leave(): void {
    for (const subscriber of this.#subscribers) subscriber.leave();
  }
}

/**
 * The ids of users who place no orders while the benchmark runs. The users of the smallest store, who have the lowest
 * ids, place the orders. So they are left out.
 *
 * @throws Error when the store has only the users of the smallest store
 */
export function watchingUsers(products: number): readonly number[] {
  const ordering = usersFor(SMALLEST_STORE);
  const count = Math.min(MOST_USERS, usersFor(products) - ordering);
  if (count < 1) throw new Error(`Watchers need ${SMALLEST_STORE + 10} products or more, not ${products}`);
  return Array.from({ length: count }, (_, index) => userAt(ordering + index).id);
}

async function keyOf({ port, key }: RequestSettings, userId: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/api-keys`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'watcher', scopes: [], user_id: userId }),
  });
  if (response.status !== 201) throw new Error(`POST /api/v1/api-keys answered ${response.status}`);
  return ((await response.json()) as { key: string }).key;
}
