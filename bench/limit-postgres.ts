import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import type { LimitOrder } from './limit-store.ts';

/**
 * The statements with which the service places an order, in the same sequence. The database of LIMIT is a copy of the
 * database of the service, so the statements do the same work in both.
 */
const BEGIN = { name: 'begin', text: 'BEGIN ISOLATION LEVEL read committed' };
/** If the connection breaks during the COMMIT, only the id of the transaction shows whether it was committed. */
const BEGUN = {
  name: 'begun',
  text: `SELECT pg_current_xact_id()::text AS id, now()::text AS at, pg_postmaster_start_time()::text AS server`,
};
const USER = { name: 'user', text: 'SELECT id FROM users WHERE id = $1 FOR KEY SHARE' };
const PRODUCT = {
  name: 'product',
  text: `SELECT id, name, description, price_minor, is_sellable, in_stock, version, created_at, updated_at, quantity
    FROM (SELECT p.*, s.quantity FROM products p LEFT JOIN product_stocks s ON s.product_id = p.id) stocked
    WHERE id = ANY($1::bigint[])`,
};
const ID = { name: 'id', text: `SELECT nextval(pg_get_serial_sequence('orders', 'id')) AS id` };
const ORDER = {
  name: 'order',
  text: `INSERT INTO orders (id, user_id, status, total_minor, version, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
const ITEMS = {
  name: 'items',
  text: `INSERT INTO order_items
      (order_id, position, product_id, name, unit_price_minor, quantity, total_minor, from_stock)
    SELECT (value ->> 0)::bigint, (value ->> 1)::integer, (value ->> 2)::bigint, (value ->> 3),
      (value ->> 4)::bigint, (value ->> 5)::integer, (value ->> 6)::bigint, (value ->> 7)::boolean
    FROM json_array_elements($1::json) AS rows (value)`,
};
const EVENT = {
  name: 'event',
  text: `INSERT INTO event_outbox
      (type, kind, entity_id, entity_version, person_id, data, actor, request_id, occurred_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
const COMMIT = { name: 'commit', text: 'COMMIT' };

const ACTOR = JSON.stringify({ kind: 'client', userId: null, name: 'LIMIT' });

interface ProductRow {
  readonly name: string;
  readonly price_minor: string;
  readonly is_sellable: boolean;
  readonly quantity: string | null;
}

/**
 * Places the orders of LIMIT on PostgreSQL. Each order is one transaction, with the statements of the service. The
 * driver sends statements without waiting for the answers (`pipeline`), so an order takes only two round trips. One
 * round trip is not enough, because the order needs the price of the product.
 */
export class LimitPostgres {
  readonly #pool: Pool;

  constructor(connectionString: string) {
    this.#pool = new Pool({ connectionString, max: 10, pipeline: true });
  }

  /**
   * Places an order for one product. Resolves with the order after the commit. If there is no such user, or no such
   * product for sale, it stores nothing and resolves with null.
   */
  async order(userId: number, productId: number, quantity: number): Promise<LimitOrder | null> {
    const client = await this.#pool.connect();
    let isFailed = false;
    try {
      const [, , users, products, ids] = await Promise.all([
        client.query({ ...BEGIN }),
        client.query({ ...BEGUN }),
        client.query({ ...USER, values: [userId] }),
        client.query<ProductRow>({ ...PRODUCT, values: [`{${productId}}`] }),
        client.query<{ id: string }>({ ...ID }),
      ]);
      const [product] = products.rows;
      // LIMIT does not sell products with a counted stock. The products of the benchmark have none.
      if (users.rows.length === 0 || product?.is_sellable !== true || product.quantity !== null) {
        await client.query('ROLLBACK');
        return null;
      }
      const id = Number(ids.rows[0]?.id);
      const { name } = product;
      const unitPriceMinor = Number(product.price_minor);
      const totalMinor = unitPriceMinor * quantity;
      const now = new Date().toISOString();
      const stored = {
        id,
        userId,
        status: 'pending',
        totalMinor,
        version: 1,
        createdAt: now,
        updatedAt: now,
        items: [
          {
            orderId: id,
            position: 1,
            productId,
            name,
            unitPriceMinor,
            quantity,
            totalMinor,
            fromStock: false,
          },
        ],
      };
      await Promise.all([
        client.query({ ...ORDER, values: [id, userId, 'pending', totalMinor, 1, now, now] }),
        client.query({
          ...ITEMS,
          values: [JSON.stringify([[id, 1, productId, name, unitPriceMinor, quantity, totalMinor, false]])],
        }),
        client.query({
          ...EVENT,
          values: ['order.created', 'order', id, 1, null, JSON.stringify(stored), ACTOR, randomUUID(), now],
        }),
        client.query({ ...COMMIT }),
      ]);
      const total = totalMinor / 100;
      return {
        id,
        user_id: userId,
        status: 'pending',
        total,
        created_at: now,
        items: [{ product_id: productId, name, unit_price: unitPriceMinor / 100, quantity, total }],
      };
    } catch (error) {
      isFailed = true;
      throw error;
    } finally {
      // After an error, the transaction may still be open. The server ends it together with the connection.
      client.release(isFailed);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
