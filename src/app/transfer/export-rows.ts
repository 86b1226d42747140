import type { Database } from '../../engine/database/database.js';
import { mappingOf } from '../../engine/database/mapping.js';
import { sql, Text } from '../../engine/database/sql.js';
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
 * The id of the product, or null if the product no longer exists; then name, quantity, unit price and total. The two
 * amounts are in minor units.
 */
type Line = readonly [number | null, string, number, number, number];

// A subquery looks for the product of each line. With EXISTS, PostgreSQL may read every product.
const LINE =
  '(SELECT id FROM products WHERE products.id = product_id), name, quantity, unit_price_minor, total_minor';
/**
 * The lines of an order, sorted by their position, as a list of `Line` in JSON. For an order without lines, PostgreSQL
 * returns NULL.
 */
const LINES = new Text(
  `(SELECT json_group_array(json_array(${LINE}) ORDER BY position)
    FROM order_items WHERE order_id = orders.id) AS lines`,
  `(SELECT json_agg(json_build_array(${LINE}) ORDER BY position)::text
    FROM order_items WHERE order_id = orders.id) AS lines`,
);

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

  /**
   * One statement reads the orders and their lines. So the lines fit the total, even if an import changes an order at
   * the same time.
   */
  private async orders(after: number): Promise<OutOrder[]> {
    const { columns, fromRow } = mappingOf(this.database.dataSource, Order);
    const rows = await this.database.reads.all<{ lines: string | null }>(
      sql`SELECT ${columns}, ${LINES} FROM orders WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`,
    );
    return rows.map((row) => {
      const order = fromRow({ ...row });
      const lines = JSON.parse(row.lines ?? '[]') as Line[];
      return {
        row: {
          id: order.id,
          user_id: order.userId,
          status: order.status,
          total: this.amount(order.totalMinor),
          ...written(order),
        },
        items: lines.map((line) => this.item(order.id, line)),
      };
    });
  }

  /** In a line of a deleted product, `product_id` is null, because the exported products do not contain this id. */
  private item(orderId: number, [productId, name, quantity, unitPriceMinor, totalMinor]: Line): OutRow {
    return {
      order_id: orderId,
      product_id: productId,
      name,
      quantity,
      unit_price: this.amount(unitPriceMinor),
      total: this.amount(totalMinor),
    };
  }

  private amount(minor: number): Amount {
    return new Amount(decimalOf(minor, this.minorPerMajor));
  }
}

function written({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }): OutRow {
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
