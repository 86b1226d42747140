import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Product, Shop } from '../shop.ts';

/** Clients that place orders at a steady rate. Each order is sent until it is acknowledged. */
export class Buyers {
  /** The ids of the acknowledged orders. */
  readonly orders: number[] = [];
  /** The number of requests that an instance executed and did not answer, so that they were sent again. */
  cuts = 0;
  readonly #shop: Shop;
  readonly #running = new Set<Promise<void>>();
  #products: readonly number[] = [];
  #userId = 0;
  #keys = 0;
  #isOver = false;
  #failure: Error | null = null;
  #working: Promise<void> = Promise.resolve();

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  get told(): string {
    return `${this.orders.length} orders are acknowledged. ${this.cuts} requests were sent again after a lost answer.`;
  }

  async prepare(): Promise<void> {
    const user = await this.#settle<{ user: { id: number } }>('/users', {
      name: 'Ann',
      email: 'ann@example.com',
    });
    this.#userId = user?.user.id ?? 0;
    const create = () => this.#settle<Product>('/products', { name: 'Chai', price: 18 });
    this.#products = [(await create())?.id ?? 0, (await create())?.id ?? 0];
  }

  begin(perSecond: number): void {
    this.#working = this.#work(1_000 / perSecond);
  }

  /** Resolves when all orders are acknowledged. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
    await Promise.all(this.#running);
  }

  requireNoFault(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async #work(pauseMs: number): Promise<void> {
    while (!this.#isOver && this.#failure === null) {
      const running = this.#order()
        .catch((error: unknown) => void (this.#failure ??= error as Error))
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
      await sleep(pauseMs);
    }
  }

  async #order(): Promise<void> {
    const items = this.#products.map((id) => ({ product_id: id, quantity: 1 }));
    const order = await this.#settle<Order>('/orders', { user_id: this.#userId, items });
    if (order !== null) this.orders.push(order.id);
  }

  async #settle<T>(path: string, body: object): Promise<T | null> {
    const key = `key-${++this.#keys}`;
    const { result, isReplayed } = await this.#shop.settle<T>({ key, method: 'POST', path, body });
    // The row was stored, and the first answer was lost.
    if (isReplayed) this.cuts += 1;
    return result;
  }
}
