import type { Random } from '../testkit/random.ts';
import { requireThat } from './options.ts';
import type { Order, Product, Settled, Shop } from './shop.ts';

const CREATORS = 24;
/**
 * The stocks of the products: one runs out early, one runs out late, and the others never run out. Null is a stock that
 * is not counted.
 */
const STOCKS = [50, 1_000, 1_000_000, null, null, null];

/**
 * Clients that place orders, cancel orders and create products, all at the same time. They remember what was
 * acknowledged.
 */
export class Creators {
  readonly orders = new Map<number, Settled<Order>>();
  readonly cancelled = new Map<number, Settled<Order>>();
  readonly products = new Map<number, Settled<Product>>();
  readonly stocks = new Map<number, number>();
  /** The number of requests that were cut off at least once (`Settled.isCut`). */
  cuts = 0;
  refusals = 0;
  readonly #shop: Shop;
  readonly #random: Random;
  #userId = 0;
  #forSale: readonly number[] = [];
  #keys = 0;
  #answers = 0;
  #awaited = { answers: Infinity, reach: () => {} };
  #isOver = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(shop: Shop, random: Random) {
    this.#shop = shop;
    this.#random = random;
  }

  /** Creates the products, and the user who places all orders. */
  async prepare(): Promise<void> {
    const { result } = await this.#settle<{ user: { id: number } }>('POST', '/users', {
      name: 'Ann',
      email: 'ann@example.com',
    });
    this.#userId = result?.user.id ?? 0;
    for (const quantity of STOCKS) {
      const id = await this.#createProduct();
      if (quantity === null) continue;
      await this.#shop.put(`/products/${id}/stock`, { quantity });
      this.stocks.set(id, quantity);
    }
    this.#forSale = [...this.products.keys()];
  }

  /** Starts the work, or continues it. */
  begin(): void {
    this.#isOver = false;
    this.#working = Promise.all(Array.from({ length: CREATORS }, () => this.#work()));
    // `answers` and `end` report the error. Here it is only marked as handled, so that Node does not end the process.
    this.#working.catch(() => undefined);
  }

  /** Resolves at the moment when this number of further requests is answered. */
  async answers(count: number): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      this.#awaited = { answers: this.#answers + count, reach: resolve };
    });
    await Promise.race([reached, this.#working]);
  }

  /** Lets each client finish the request that it has begun. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  get settled(): readonly Settled[] {
    return [this.orders, this.cancelled, this.products].flatMap((settled) => [...settled.values()]);
  }

  async #work(): Promise<void> {
    const open: number[] = [];
    while (!this.#isOver) {
      const choice = this.#random();
      if (choice < 0.1) await this.#createProduct();
      else if (choice < 0.25 && open.length > 0) await this.#cancel(open.shift() as number);
      else open.push(...(await this.#order()));
    }
  }

  async #order(): Promise<readonly number[]> {
    const items = Array.from({ length: 1 + this.#below(3) }, () => ({
      product_id: this.#forSale[this.#below(this.#forSale.length)],
      quantity: 1 + this.#below(3),
    }));
    const settled = await this.#settle<Order>('POST', '/orders', { user_id: this.#userId, items });
    if (settled.result === null) {
      this.refusals += 1;
      return [];
    }
    remember(this.orders, settled.result.id, settled);
    return [settled.result.id];
  }

  async #cancel(id: number): Promise<void> {
    const settled = await this.#settle<Order>('PATCH', `/orders/${id}`, { status: 'cancelled' });
    remember(this.cancelled, id, settled);
  }

  async #createProduct(): Promise<number> {
    const settled = await this.#settle<Product>('POST', '/products', { name: 'Chai', price: 18.01 });
    const id = settled.result?.id ?? 0;
    remember(this.products, id, settled);
    return id;
  }

  async #settle<T>(method: 'POST' | 'PATCH', path: string, body: object): Promise<Settled<T>> {
    const key = `key-${++this.#keys}`;
    const settled = await this.#shop.settle<T>({ key, method, path, body });
    if (settled.isCut) this.cuts += 1;
    this.#answers += 1;
    if (this.#answers >= this.#awaited.answers) this.#awaited.reach();
    return settled;
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }
}

function remember<T>(known: Map<number, Settled<T>>, id: number, settled: Settled<T>): void {
  const other = known.get(id);
  requireThat(
    other === undefined,
    () =>
      `The requests with the keys ${other?.request.key} and ${settled.request.key} were both answered with row ${id}.`,
  );
  known.set(id, settled);
}
