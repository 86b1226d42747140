import type { Currency } from '../currency.js';
import { BulkInsert, reserveIds } from '../database/bulk.js';
import type { Database } from '../database/database.js';
import { ownOrigin } from '../database/origin.js';
import { one, run, sql, type Act, type Steps, type Transaction } from '../database/sql.js';
import { OrderItem } from '../orders/order-item.entity.js';
import { Order } from '../orders/order.entity.js';
import { Product, ProductStock } from '../products/product.entity.js';
import { User } from '../users/user.entity.js';
import { SeedRows, type Ids } from './rows.js';

export interface Amounts {
  readonly products: number;
  readonly users: number;
  readonly orders: number;
}

type Table = keyof Amounts;

// Some twenty milliseconds each, so that a service that runs on the same file can write in between.
const BATCH = 2_000;
const origin = ownOrigin('seed');

/** Fills a store with rows that follow from the seed alone, ids apart: those are the next ones of the store. */
export class Seeding {
  readonly #database: Database;
  readonly #rows: SeedRows;
  readonly #products: BulkInsert<Product>;
  readonly #stocks: BulkInsert<ProductStock>;
  readonly #users: BulkInsert<User>;
  readonly #orders: BulkInsert<Order>;
  readonly #items: BulkInsert<OrderItem>;

  constructor(database: Database, currency: Currency, seed: number) {
    const { dataSource } = database;
    this.#database = database;
    this.#rows = new SeedRows(seed, currency);
    this.#products = new BulkInsert(dataSource, Product);
    this.#stocks = new BulkInsert(dataSource, ProductStock);
    this.#users = new BulkInsert(dataSource, User);
    this.#orders = new BulkInsert(dataSource, Order);
    this.#items = new BulkInsert(dataSource, OrderItem);
  }

  /** @param progress is told how many rows of a table are stored */
  async run(amounts: Amounts, progress: (table: Table, done: number) => void): Promise<void> {
    const { products: productCount, users: userCount, orders: orderCount } = amounts;
    const products = await this.#fill('products', productCount, progress, (indexes) =>
      this.#addProducts(indexes),
    );
    const users = await this.#fill('users', userCount, progress, (indexes) => this.#addUsers(indexes));
    await this.#fill('orders', orderCount, progress, (indexes) =>
      this.#addOrders(indexes, orderCount, users, products),
    );
  }

  /** Batch by batch, each an act of its own. Gives the ids; they may have gaps where somebody else inserted. */
  async #fill(
    table: Table,
    count: number,
    progress: (table: Table, done: number) => void,
    add: (indexes: Numbered) => Act<void>,
  ): Promise<Ids> {
    const firstIds: (readonly number[] | number)[] = [];
    for (let first = 0; first < count; first += BATCH) {
      const size = Math.min(BATCH, count - first);
      const act = function* (tx: Transaction): Steps<readonly number[]> {
        const reserved = yield* reserveIds(tx.engine, table, size);
        yield* add({ first, ids: reserved })(tx);
        return reserved;
      };
      const ids = await this.#database.unitOfWork.run(act, { origin });
      firstIds.push(isDense(ids) ? (ids[0] ?? 0) : ids);
      progress(table, first + size);
    }
    const at = (index: number): number => {
      const batch = firstIds[Math.floor(index / BATCH)] ?? 0;
      const place = index % BATCH;
      return typeof batch === 'number' ? batch + place : (batch[place] ?? 0);
    };
    return { at, count };
  }

  #addProducts({ first, ids }: Numbered): Act<void> {
    const seeded = ids.map((id, place) => this.#rows.product(first + place, id));
    const products = this.#products.of(seeded.map(({ product }) => product));
    const stocks = this.#stocks.of(seeded.flatMap(({ stock }) => stock ?? []));
    return function* (): Steps<void> {
      yield* run(products);
      yield* run(stocks);
    };
  }

  #addUsers({ first, ids }: Numbered): Act<void> {
    const users = this.#users.of(ids.map((id, place) => this.#rows.user(first + place, id)));
    return function* (): Steps<void> {
      yield* run(users);
    };
  }

  #addOrders({ first, ids }: Numbered, count: number, users: Ids, products: Ids): Act<void> {
    const seeded = ids.map((id, place) => this.#rows.order(first + place, count, id, users, products));
    const orders = this.#orders.of(seeded.map(({ order }) => order));
    const items = this.#items.of(seeded.flatMap((each) => each.items));
    return function* (): Steps<void> {
      yield* run(orders);
      yield* run(items);
    };
  }
}

interface Numbered {
  /** The index of the first row of the batch. */
  readonly first: number;
  readonly ids: readonly number[];
}

function isDense(ids: readonly number[]): boolean {
  return (ids.at(-1) ?? 0) - (ids[0] ?? 0) === ids.length - 1;
}

/** Whether there is any product, user or order. */
export function* hasData(): Steps<boolean> {
  const row = yield* one<{ n: number }>(sql`
    SELECT count(*) AS n FROM (
      SELECT 1 FROM products UNION ALL SELECT 1 FROM users UNION ALL SELECT 1 FROM orders LIMIT 1) AS anything`);
  return row?.n !== 0;
}
