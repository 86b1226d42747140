import BetterSqlite3 from 'better-sqlite3';

// The driver returns rows as arrays. Objects would have to be copied, which takes 2 µs for a page. The code
// uses JSON.stringify, because a trial with joined strings was not faster.
type Row = [id: number, name: string, price: number, inStock: 0 | 1];
type UserRow = [id: number, name: string, email: string];
type OrderRow = [id: number, total: number, status: string, createdAt: string];

const MOST_ORDERS = 100;

/**
 * The tables of LIMIT. They have only the columns that the answers show, with prices and times in the form of
 * the answers, and no triggers. The tables of the service have the same rows, but more columns, and triggers.
 * The work for these columns and triggers is a cost of the service.
 */
export const LIMIT_TABLES = `
  CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL, in_stock INTEGER NOT NULL);
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL);
  CREATE TABLE orders
    (id INTEGER PRIMARY KEY, user_id INTEGER, total REAL NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL);`;

/**
 * The table of the order items. LIMIT writes this table, because the service stores items too. LIMIT never reads it.
 * LIMIT creates the table when it opens a database that does not have it, because `seedLimit` does not create it.
 */
const ORDER_ITEMS = `
  CREATE TABLE IF NOT EXISTS order_items
    (order_id INTEGER, product_id INTEGER, name TEXT NOT NULL, unit_price REAL NOT NULL, quantity INTEGER NOT NULL)`;

/** A new order in LIMIT. LIMIT sends it to the client as the answer, and to subscribers as the event. */
export interface LimitOrder {
  readonly id: number;
  readonly user_id: number;
  readonly status: string;
  readonly total: number;
  readonly created_at: string;
  readonly items: readonly object[];
}

/** The only index that LIMIT needs. All other reads find their rows by the primary key. */
export const LIMIT_INDEX = 'CREATE INDEX orders_by_user ON orders (user_id, id)';

/** The prepared statements of LIMIT, and its JSON. Reads have their own connection, as in the service. */
export class LimitStore {
  readonly #one;
  readonly #page;
  readonly #total;
  readonly #insert;
  readonly #user;
  readonly #ordersOf;
  readonly #newest;
  readonly #order;
  readonly #handles: readonly BetterSqlite3.Database[];

  constructor(file: string) {
    const writer = new BetterSqlite3(file, { fileMustExist: true });
    writer.pragma('journal_mode = WAL');
    writer.pragma('synchronous = FULL');
    writer.exec(ORDER_ITEMS);
    const reader = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    this.#handles = [reader, writer];
    const columns = 'id, name, price, in_stock';
    this.#one = reader.prepare<[number], Row>(`SELECT ${columns} FROM products WHERE id = ?`).raw();
    this.#page = reader
      .prepare<[number, number], Row>(`SELECT ${columns} FROM products ORDER BY id LIMIT ? OFFSET ?`)
      .raw();
    this.#total = reader.prepare<[], number>('SELECT COUNT(*) FROM products').pluck();
    this.#user = reader.prepare<[number], UserRow>('SELECT id, name, email FROM users WHERE id = ?').raw();
    const order = 'id, total, status, created_at';
    this.#ordersOf = reader
      .prepare<[number, number], OrderRow>(
        `SELECT ${order} FROM orders WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
      )
      .raw();
    this.#newest = reader
      .prepare<[number], OrderRow>(`SELECT ${order} FROM orders ORDER BY id DESC LIMIT ?`)
      .raw();
    this.#insert = writer.prepare<[string, number, 0 | 1]>(
      'INSERT INTO products (name, price, in_stock) VALUES (?, ?, ?)',
    );
    const insertOrder = writer.prepare<[number, number, string, string]>(
      'INSERT INTO orders (user_id, total, status, created_at) VALUES (?, ?, ?, ?)',
    );
    const insertItem = writer.prepare<[number, number, string, number, number]>(
      'INSERT INTO order_items VALUES (?, ?, ?, ?, ?)',
    );
    this.#order = writer.transaction(
      (userId: number, productId: number, quantity: number): LimitOrder | null => {
        const row = this.#one.get(productId);
        if (row === undefined) return null;
        const [, name, price] = row;
        const total = Math.round(price * 100 * quantity) / 100;
        const created_at = new Date().toISOString();
        const { lastInsertRowid } = insertOrder.run(userId, total, 'pending', created_at);
        const id = Number(lastInsertRowid);
        insertItem.run(id, productId, name, price, quantity);
        const items = [{ product_id: productId, name, unit_price: price, quantity, total }];
        return { id, user_id: userId, status: 'pending', total, created_at, items };
      },
    );
  }

  one(id: number): string | null {
    const row = this.#one.get(id);
    return row === undefined ? null : JSON.stringify(shown(row));
  }

  page(page: number, limit: number): string {
    return JSON.stringify(this.#page.all(limit, (page - 1) * limit).map(shown));
  }

  total(): number {
    return this.#total.get() as number;
  }

  /** The row is committed and flushed to the disk before the method returns. */
  create(name: string, price: number, inStock: boolean): string {
    const { lastInsertRowid } = this.#insert.run(name, price, inStock ? 1 : 0);
    return JSON.stringify({ id: Number(lastInsertRowid), name, price, in_stock: inStock });
  }

  /**
   * Places an order for one product; null when there is no such product. The order is committed and flushed before the
   * method returns.
   */
  order(userId: number, productId: number, quantity: number): LimitOrder | null {
    return this.#order(userId, productId, quantity);
  }

  /** The answer to `{ products(limit: …) { id name price inStock } }`. */
  graphqlProducts(limit: number): string {
    return JSON.stringify({ data: { products: this.#page.all(limit, 0).map(shownInGraphql) } });
  }

  /** The answer to `{ user(id: …) { id name email orders { id total status createdAt } } }`. */
  graphqlUser(id: number): string {
    const row = this.#user.get(id);
    if (row === undefined) return JSON.stringify({ data: { user: null } });
    const [, name, email] = row;
    const orders = this.#ordersOf.all(id, MOST_ORDERS).map(orderInGraphql);
    return JSON.stringify({ data: { user: { id: String(id), name, email, orders } } });
  }

  /** The answer to `{ orders { id total status createdAt } }`. */
  graphqlOrders(): string {
    return JSON.stringify({ data: { orders: this.#newest.all(MOST_ORDERS).map(orderInGraphql) } });
  }

  close(): void {
    for (const handle of this.#handles) handle.close();
  }
}

function shown([id, name, price, inStock]: Row): object {
  return { id, name, price, in_stock: inStock === 1 };
}

function shownInGraphql([id, name, price, inStock]: Row): object {
  return { id: String(id), name, price, inStock: inStock === 1 };
}

function orderInGraphql([id, total, status, createdAt]: OrderRow): object {
  return { id: String(id), total, status, createdAt };
}
