import type { Currency } from '../../engine/values/currency.js';
import { BulkInsert, reserveIds } from '../../engine/database/bulk.js';
import type { Database } from '../../engine/database/database.js';
import { type Act, ownOrigin, type Transaction } from '../../engine/database/transaction.js';
import { one, run, sql, type Sql, type Steps } from '../../engine/database/sql.js';
import type { EventLog } from '../../engine/events/event-log.js';
import type { EventType } from '../../engine/events/topics.js';
import { OrderItem } from '../../store/orders/order-item.entity.js';
import { Order } from '../../store/orders/order.entity.js';
import '../../store/orders/order.events.js';
import { Product, ProductStock } from '../../store/products/product.entity.js';
import { User } from '../../store/users/user.entity.js';
import '../../store/users/user.events.js';
import { SeedRows, type Ids } from './rows.js';

export interface Amounts {
  readonly products: number;
  readonly users: number;
  readonly orders: number;
}

type Table = keyof Amounts;

// A batch takes about 20 ms. A service that runs on the same file can write between two batches.
const BATCH = 2_000;
const origin = ownOrigin('seed');

/**
 * Fills a store with rows. Their data depends only on the seed, the amounts, their ids and the currency. Their ids are
 * the next ids of the store.
 */
export class Seeding {
  readonly #database: Database;
  readonly #rows: SeedRows;
  readonly #log: EventLog | null;
  readonly #products: BulkInsert<Product>;
  readonly #stocks: BulkInsert<ProductStock>;
  readonly #users: BulkInsert<User>;
  readonly #orders: BulkInsert<Order>;
  readonly #items: BulkInsert<OrderItem>;

  /** @param log gets an event for each row; null for no events */
  constructor(database: Database, currency: Currency, seed: number, log: EventLog | null) {
    const { dataSource } = database;
    this.#database = database;
    this.#rows = new SeedRows(seed, currency);
    this.#log = log;
    this.#products = new BulkInsert(dataSource, Product);
    this.#stocks = new BulkInsert(dataSource, ProductStock);
    this.#users = new BulkInsert(dataSource, User);
    this.#orders = new BulkInsert(dataSource, Order);
    this.#items = new BulkInsert(dataSource, OrderItem);
  }

  /** @param progress is called with the number of stored rows of a table */
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

  /**
   * Inserts rows batch by batch, each batch in an act of its own. Returns the ids of the rows. The ids may have gaps,
   * because another process may insert rows at the same time.
   */
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
    const products = seeded.map(({ product }) => product);
    const inserts = [
      this.#products.of(products),
      this.#stocks.of(seeded.flatMap(({ stock }) => stock ?? [])),
    ];
    return this.#act(inserts, 'product.created', products);
  }

  #addUsers({ first, ids }: Numbered): Act<void> {
    const users = ids.map((id, place) => this.#rows.user(first + place, id));
    return this.#act([this.#users.of(users)], 'user.created', users);
  }

  #addOrders({ first, ids }: Numbered, count: number, users: Ids, products: Ids): Act<void> {
    const seeded = ids.map((id, place) => this.#rows.order(first + place, count, id, users, products));
    const items = seeded.flatMap((each) => each.items);
    const inserts = [this.#orders.of(seeded.map(({ order }) => order)), this.#items.of(items)];
    const orders = seeded.map((each) => Object.assign(each.order, { items: each.items }));
    return this.#act(inserts, 'order.created', orders);
  }

  #act<T extends EventType>(
    inserts: readonly Sql[],
    type: T,
    entities: Parameters<typeof EventLog.prototype.writeAll<T>>[2],
  ): Act<void> {
    const log = this.#log;
    return function* (tx): Steps<void> {
      for (const insert of inserts) yield* run(insert);
      if (log) yield* log.writeAll(tx, type, entities);
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
