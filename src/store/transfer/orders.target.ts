import type { DataSource } from 'typeorm';
import { BulkInsert, reserveIds } from '../../engine/database/bulk.js';
import { timeOfImportedChange } from '../../engine/database/change-time.js';
import { forUpdate, one, run, sql, type Engine, type Row, type Steps } from '../../engine/database/sql.js';
import { OrderItem } from '../orders/order-item.entity.js';
import { Order } from '../orders/order.entity.js';
import type { OrderStatus } from '../orders/order-status.js';
import type { Fault } from './raw-row.js';
import type { ExternalIds, Known } from './external-ids.js';
import type { ItemData, OrderData } from './prepare.js';
import type { Changing, Target } from './target.js';

export interface OrderRow {
  readonly data: OrderData;
  /** Undefined if the file does not have the user; an update then keeps the stored one. */
  readonly userId: number | null | undefined;
  /**
   * The lines, which do not have the id of the order yet. A product id of null means that the product was deleted. Such
   * a line gets an id that no product has.
   */
  readonly items: readonly (Omit<OrderItem, 'orderId' | 'productId'> & {
    readonly productId: number | null;
  })[];
}

interface Stored extends Row {
  readonly user_id: number | null;
  readonly status: string;
  readonly updated_at: Date | number;
}

/** Stores orders as they are in the file. Nothing is taken out of stock, and every change of status is allowed. */
export class OrdersTarget implements Target<OrderRow> {
  readonly #orders: BulkInsert<Order>;
  readonly #items: BulkInsert<OrderItem>;

  constructor(
    dataSource: DataSource,
    private readonly engine: Engine,
    private readonly externalIds: ExternalIds,
    private readonly source: string,
  ) {
    this.#orders = new BulkInsert(dataSource, Order);
    this.#items = new BulkInsert(dataSource, OrderItem);
  }

  *resolve(rows: readonly Changing[]): Steps<readonly (OrderRow | readonly Fault[])[]> {
    const orders = rows.map(({ data }) => data as OrderData);
    const users = yield* this.externalIds.find('users', distinct(orders.map(({ user }) => user ?? null)));
    const named = orders.flatMap(({ items }) => items.map(({ product }) => product));
    const products = yield* this.externalIds.find('products', distinct(named));
    return orders.map((order) => this.#resolved(order, users, products));
  }

  *insert(rows: readonly { id: number; row: OrderRow }[]): Steps<void> {
    const now = Date.now();
    const orders = rows.map(({ id, row: { data, userId, items } }) => ({
      id,
      userId: userId ?? null,
      status: (data.status ?? 'pending') as OrderStatus,
      totalMinor: sum(items),
      version: 1,
      createdAt: new Date(data.createdAt ?? now),
      updatedAt: new Date(data.updatedAt ?? data.createdAt ?? now),
    }));
    yield* run(this.#orders.of(orders));
    yield* this.#insertItems(rows);
  }

  /** The lines of the file replace the stored lines, and the total is computed again. */
  *update(id: number, row: OrderRow): Steps<boolean> {
    const { data, userId, items } = row;
    const before = yield* one<Stored>(
      sql`SELECT user_id, status, updated_at FROM orders WHERE id = ${id} ${forUpdate}`,
    );
    yield* run(sql`
      UPDATE orders SET user_id = ${userId === undefined ? (before?.user_id ?? null) : userId},
        total_minor = ${sum(items)}, version = version + 1,
        updated_at = ${timeOfImportedChange(new Date(before?.updated_at ?? 0), data.updatedAt)} WHERE id = ${id}`);
    if (data.status) yield* run(sql`UPDATE orders SET status = ${data.status} WHERE id = ${id}`);
    if (data.createdAt !== null && data.createdAt !== undefined) {
      yield* run(sql`UPDATE orders SET created_at = ${new Date(data.createdAt)} WHERE id = ${id}`);
    }
    yield* run(sql`DELETE FROM order_items WHERE order_id = ${id}`);
    yield* this.#insertItems([{ id, row }]);
    return before !== undefined && Boolean(data.status) && before.status !== data.status;
  }

  *#insertItems(rows: readonly { id: number; row: OrderRow }[]): Steps<void> {
    const items = rows.flatMap(({ id, row }) => row.items.map((item) => ({ ...item, orderId: id })));
    const deleted = items.filter(({ productId }) => productId === null);
    const unused = yield* reserveIds(this.engine, 'products', deleted.length);
    const ids = new Map(deleted.map((item, index) => [item, unused[index] as number]));
    yield* run(
      this.#items.of(
        items.map((item) => ({ ...item, productId: item.productId ?? (ids.get(item) as number) })),
      ),
    );
  }

  #resolved(
    data: OrderData,
    users: ReadonlyMap<string, Known>,
    products: ReadonlyMap<string, Known>,
  ): OrderRow | readonly Fault[] {
    const faults: Fault[] = [];
    const named = data.user ?? null;
    const user = named === null ? null : users.get(named);
    if (named !== null && user === undefined) {
      faults.push(this.#missing('user_id', 'user', named));
    } else if (named !== null && user?.name === null) {
      faults.push({ column: 'user_id', value: named, reason: 'is a user who was deleted in the store' });
    }
    const items = data.items.map((item, index) => {
      const product = item.product === null ? null : products.get(item.product);
      if (product === undefined) faults.push(this.#missing('product_id', 'product', item.product ?? ''));
      const name = item.name ?? product?.name ?? null;
      if (product !== undefined && name === null) {
        const reason = 'is a product that was deleted in the store, and the line has no name';
        faults.push({ column: 'product_id', value: item.product ?? '', reason });
      }
      return itemOf(item, index + 1, product?.entityId ?? null, name ?? '');
    });
    const userId = data.user === undefined ? undefined : (user?.entityId ?? null);
    return faults.length > 0 ? faults : { data, userId, items };
  }

  #missing(column: string, kind: string, value: string): Fault {
    const reason = `is not a ${kind} of the source ${this.source}: import the ${kind}s first`;
    const others = 'that refer to the missing rows above';
    return { column, value, reason, about: { key: `${kind} ${value}`, others } };
  }
}

function itemOf(item: ItemData, position: number, productId: number | null, name: string) {
  const { unitPriceMinor, quantity, totalMinor } = item;
  return { position, productId, name, unitPriceMinor, quantity, totalMinor, fromStock: false };
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

function sum(items: readonly { readonly totalMinor: number }[]): number {
  return items.reduce((total, { totalMinor }) => total + totalMinor, 0);
}
