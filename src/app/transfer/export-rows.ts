import type { Database } from '../../engine/database/database.js';
import { mappingOf } from '../../engine/database/mapping.js';
import { sql, Text } from '../../engine/database/sql.js';
import { OrderItem } from '../../store/orders/order-item.entity.js';
import { Order } from '../../store/orders/order.entity.js';
import { Product } from '../../store/products/product.entity.js';
import { User } from '../../store/users/user.entity.js';
import type { Kind } from '../../store/transfer/members.js';
import { decimalOf } from '../../store/transfer/money.js';

/** A decimal. It is written as a number in both formats, never as a text. */
export class Amount {
  constructor(readonly text: string) {}
}

export type Cell = string | number | boolean | Amount | null;
export type OutRow = Readonly<Record<string, Cell>>;

export interface OutOrder {
  readonly row: OutRow;
  /** Each item has the id of its order. */
  readonly items: readonly OutRow[];
}

const BATCH = 1_000;

/**
 * All rows of a kind in the order of their ids, batch by batch. Each batch shows the state at the time when it was
 * read. So a change during the export may be in the export or not.
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
    // A subquery finds the stock of each row. With a join, PostgreSQL would also read the stocks of all products of
    // earlier batches.
    const quantity = new Text(
      '(SELECT quantity FROM product_stocks WHERE product_id = products.id) AS quantity',
    );
    const rows = await this.database.reads.all<{ quantity: number | null }>(
      sql`SELECT ${columns}, ${quantity} FROM products WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`,
    );
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
    const items = await this.items(orders);
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

  /**
   * Reads the lines of a batch of orders. The batch has all orders between its first id and its last id, so one range
   * of ids finds all lines. A line of a deleted product has no `product_id`, because the exported products do not
   * contain this id.
   */
  private async items(orders: readonly Order[]): Promise<ReadonlyMap<number, OutRow[]>> {
    const { columns, fromRow } = mappingOf(this.database.dataSource, OrderItem);
    // A subquery looks for the product of each line. With EXISTS, PostgreSQL may read every product.
    const there = new Text('(SELECT id FROM products WHERE products.id = product_id) AS there');
    const rows = await this.database.reads.all<{ there: number | null }>(sql`
      SELECT ${columns}, ${there} FROM order_items
      WHERE order_id >= ${orders[0]?.id ?? 0} AND order_id <= ${orders.at(-1)?.id ?? 0}
      ORDER BY order_id, position`);
    const byOrder = new Map<number, OutRow[]>();
    for (const row of rows) {
      const item = fromRow({ ...row });
      const list = byOrder.get(item.orderId) ?? [];
      list.push({
        order_id: item.orderId,
        product_id: row.there === null ? null : item.productId,
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
