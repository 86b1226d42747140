import type { Database } from '../database/database.js';
import { mappingOf } from '../database/mapping.js';
import { anyOf, sql, Text } from '../database/sql.js';
import { OrderItem } from '../orders/order-item.entity.js';
import { Order } from '../orders/order.entity.js';
import { Product } from '../products/product.entity.js';
import { User } from '../users/user.entity.js';
import type { Kind } from './members.js';
import { decimalOf } from './money.js';

/** A decimal, so that it is written as a number in both formats and never as a text. */
export class Amount {
  constructor(readonly text: string) {}
}

export type Cell = string | number | boolean | Amount | null;
export type OutRow = Readonly<Record<string, Cell>>;

export interface OutOrder {
  readonly row: OutRow;
  /** Each with the id of its order. */
  readonly items: readonly OutRow[];
}

const BATCH = 1_000;

/**
 * All rows of a kind in the order of their ids, batch by batch. Each batch is as it was when it was read: what is
 * inserted, changed or deleted meanwhile is in the export or is not.
 */
export class ExportRows {
  constructor(
    private readonly database: Database,
    private readonly minorPerMajor: number,
  ) {}

  async *of(kind: Kind): AsyncGenerator<readonly OutOrder[]> {
    for (let after = 0; ;) {
      const batch = await {
        products: () => this.products(after),
        users: () => this.users(after),
        orders: () => this.orders(after),
      }[kind]();
      const last = batch.at(-1);
      if (last === undefined) return;
      yield batch;
      after = Number(last.row['id']);
    }
  }

  private async products(after: number): Promise<OutOrder[]> {
    const { columns, fromRow } = mappingOf(this.database.dataSource, Product);
    const rows = await this.database.reads.all<{ id: number; quantity: number | null }>(sql`
      SELECT ${columns}, quantity FROM products LEFT JOIN
        (SELECT product_id, quantity FROM product_stocks) AS stocks ON product_id = id
      WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`);
    return rows.map((row) => {
      const product = fromRow({ ...row });
      return {
        row: {
          id: product.id,
          name: product.name,
          description: product.description,
          price: this.amount(product.priceMinor),
          in_stock: product.isSellable,
          stock: row.quantity,
          ...written(product),
        },
        items: [],
      };
    });
  }

  private async users(after: number): Promise<OutOrder[]> {
    const { columns, fromRow } = mappingOf(this.database.dataSource, User);
    const rows = await this.database.reads.all(
      sql`SELECT ${columns} FROM users WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`,
    );
    return rows.map(fromRow).map((user) => ({
      row: { id: user.id, name: user.name, email: user.email, ...written(user) },
      items: [],
    }));
  }

  private async orders(after: number): Promise<OutOrder[]> {
    const { columns, fromRow } = mappingOf(this.database.dataSource, Order);
    const rows = await this.database.reads.all(
      sql`SELECT ${columns} FROM orders WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`,
    );
    const orders = rows.map(fromRow);
    const items = await this.items(orders.map(({ id }) => id));
    return orders.map((order) => ({
      row: {
        id: order.id,
        user_id: order.userId,
        status: order.status,
        total: this.amount(order.totalMinor),
        ...written(order),
      },
      items: items.get(order.id) ?? [],
    }));
  }

  /** A product that was deleted is not named: its number would mean nothing to whoever reads the file. */
  private async items(orderIds: readonly number[]): Promise<ReadonlyMap<number, OutRow[]>> {
    const { columns, fromRow } = mappingOf(this.database.dataSource, OrderItem);
    const isThere = new Text('EXISTS (SELECT 1 FROM products WHERE id = product_id) AS is_there');
    const rows = await this.database.reads.all<{ is_there: boolean | number }>(sql`
      SELECT ${columns}, ${isThere} FROM order_items
      WHERE order_id ${anyOf(orderIds)} ORDER BY order_id, position`);
    const byOrder = new Map<number, OutRow[]>();
    for (const row of rows) {
      const item = fromRow({ ...row });
      const list = byOrder.get(item.orderId) ?? [];
      list.push({
        order_id: item.orderId,
        product_id: row.is_there ? item.productId : null,
        name: item.name,
        quantity: item.quantity,
        unit_price: this.amount(item.unitPriceMinor),
        total: this.amount(item.totalMinor),
      });
      byOrder.set(item.orderId, list);
    }
    return byOrder;
  }

  private amount(minor: number): Amount {
    return new Amount(decimalOf(minor, this.minorPerMajor));
  }
}

function written({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }): OutRow {
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
