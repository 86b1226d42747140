import type { Database } from '../../engine/database/database.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { all, anyOf, sql, type Steps } from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { EventLog } from '../../engine/events/event-log.js';
import { OrderItem } from '../orders/order-item.entity.js';
import { Order } from '../orders/order.entity.js';
import '../orders/order.events.js';
import { Product } from '../products/product.entity.js';
import { User } from '../users/user.entity.js';
import '../users/user.events.js';
import type { Kind } from './members.js';

/** The ids of the written rows. */
interface Written {
  readonly created: readonly number[];
  readonly updated: readonly number[];
  /** The ids of the updated rows whose status has changed. */
  readonly moved: readonly number[];
}

/** Writes events about the rows of an import to the log. */
export class ImportEvents {
  readonly #log: EventLog;
  readonly #kind: Kind;
  readonly #product: Mapping<Product>;
  readonly #user: Mapping<User>;
  readonly #order: Mapping<Order>;
  readonly #item: Mapping<OrderItem>;

  constructor(database: Database, kind: Kind) {
    const { dataSource } = database;
    this.#log = new EventLog(database);
    this.#kind = kind;
    this.#product = mappingOf(dataSource, Product);
    this.#user = mappingOf(dataSource, User);
    this.#order = mappingOf(dataSource, Order);
    this.#item = mappingOf(dataSource, OrderItem);
  }

  /** Call this method within the act that wrote the rows. The method reads the rows again. */
  *tell(tx: Transaction, { created, updated, moved }: Written): Steps<void> {
    switch (this.#kind) {
      case 'products':
        yield* this.#log.writeAll(tx, 'product.created', yield* this.#products(created));
        return yield* this.#log.writeAll(tx, 'product.updated', yield* this.#products(updated));
      case 'users':
        yield* this.#log.writeAll(tx, 'user.created', yield* this.#users(created));
        return yield* this.#log.writeAll(tx, 'user.updated', yield* this.#users(updated));
      default:
        yield* this.#log.writeAll(tx, 'order.created', yield* this.#orders(created));
        yield* this.#log.writeAll(tx, 'order.status_changed', yield* this.#orders(moved));
        return yield* this.#log.writeAll(tx, 'order.updated', yield* this.#orders(updated));
    }
  }

  *#products(ids: readonly number[]): Steps<readonly Product[]> {
    const rows = yield* all(
      sql`SELECT ${this.#product.columns} FROM products WHERE id ${anyOf(ids)} ORDER BY id`,
    );
    return rows.map(this.#product.fromRow);
  }

  *#users(ids: readonly number[]): Steps<readonly User[]> {
    const rows = yield* all(sql`SELECT ${this.#user.columns} FROM users WHERE id ${anyOf(ids)} ORDER BY id`);
    return rows.map(this.#user.fromRow);
  }

  *#orders(ids: readonly number[]): Steps<readonly Order[]> {
    const rows = yield* all(
      sql`SELECT ${this.#order.columns} FROM orders WHERE id ${anyOf(ids)} ORDER BY id`,
    );
    const items = yield* all(sql`
      SELECT ${this.#item.columns} FROM order_items WHERE order_id ${anyOf(ids)} ORDER BY order_id, position`);
    const byOrder = Map.groupBy(items.map(this.#item.fromRow), ({ orderId }) => orderId);
    return rows
      .map(this.#order.fromRow)
      .map((order) => Object.assign(order, { items: byOrder.get(order.id) ?? [] }));
  }
}
