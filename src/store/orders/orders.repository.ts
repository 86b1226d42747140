import { Injectable } from '@nestjs/common';
import type { RowAccess } from '../../engine/access/row-access.js';
import { BulkInsert } from '../../engine/database/bulk.js';
import type { CountedTable } from '../../engine/database/counted-table.js';
import type { Database } from '../../engine/database/database.js';
import { EntityTable } from '../../engine/database/entity-table.js';
import type { Span } from '../../engine/database/filtered-page.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { sliceOf, type Piece } from '../../engine/database/slices.js';
import { all, anyOf, later, sql, Text, UNPLANNED, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Transaction } from '../../engine/database/transaction.js';
import type { Page, Slice } from '../../generated/contract.js';
import { OrderItem } from './order-item.entity.js';
import { OrderListing, type OrderFilter, type OrdersSought, type OrdersWanted } from './order-listing.js';
import { Order } from './order.entity.js';
import type { OrderStatus } from './order-status.js';

export interface NewOrder {
  readonly userId: number;
  readonly items: readonly Omit<OrderItem, 'orderId' | 'position'>[];
}

// The newest orders of each of several users. The SQL differs by engine, because each engine uses the index only with
// its own form.
const NEWEST_OF_EACH = new Text(
  'JOIN orders o ON o.id IN (SELECT id FROM orders WHERE user_id = u.id ORDER BY id DESC LIMIT',
  'CROSS JOIN LATERAL (SELECT * FROM orders WHERE user_id = u.id ORDER BY id DESC LIMIT',
);
const END_OF_EACH = new Text(')', ') o');

/** Reads and writes orders and their items. Acts on several resources are in `OrdersService`. */
@Injectable()
export class OrdersRepository {
  private readonly orders: EntityTable<Order>;
  private readonly item: Mapping<OrderItem>;
  private readonly itemInsert: BulkInsert<OrderItem>;
  private readonly table: CountedTable<Order>;
  private readonly database: Database;

  constructor(
    parts: TableParts,
    private readonly listing: OrderListing,
  ) {
    this.database = parts.database;
    const { dataSource, countedTables } = this.database;
    this.orders = new EntityTable(parts, Order);
    this.item = mappingOf(dataSource, OrderItem);
    this.itemInsert = new BulkInsert(dataSource, OrderItem);
    this.table = countedTables.of(Order);
  }

  /** Finds an order by its id; null if there is no such order, or if `reach` does not cover the user of the order. */
  async find(id: number, reach: RowAccess): Promise<Order | null> {
    const order = await this.table.find(id);
    return order && reach.covers(order.userId) ? order : null;
  }

  /**
   * The list of all orders in the order of ids is read here: every page costs the same, and the total is exact.
   * `OrderListing` reads all other lists.
   */
  async list(asked: OrdersWanted, reach: RowAccess): Promise<Page<Order>> {
    const { userId } = asked;
    if (userId !== undefined && !reach.covers(userId)) return { items: [], total: 0 };
    const wanted = { ...asked, userId: reach.onlyOf ?? userId };
    return OrderListing.isWithoutCriteria(wanted)
      ? this.table.page((wanted.page - 1) * wanted.limit, wanted.limit)
      : this.listing.page(wanted);
  }

  /** All orders that match the filter and that the caller may use, with their items, in the order of ids. */
  async *all(filter: OrderFilter, reach: RowAccess): AsyncGenerator<readonly Order[]> {
    if (filter.userId !== undefined && !reach.covers(filter.userId)) return;
    const userId = reach.onlyOf ?? filter.userId;
    for await (const batch of this.listing.all({ ...filter, userId })) yield this.withItems(batch);
  }

  /** The orders of one user, in the order of ids; see `OrderListing`. */
  listOf(
    userId: number,
    span: Span,
    { pagePlace, asker }: Pick<OrdersWanted, 'pagePlace' | 'asker'>,
  ): Promise<Page<Order>> {
    const everything = {
      sort: undefined,
      status: undefined,
      createdAfter: undefined,
      createdBefore: undefined,
    };
    return this.listing.page({ ...everything, ...span, userId, pagePlace, asker });
  }

  /**
   * The slice of a list (see `list`) after or before a cursor. A slice costs the same at every depth, also with a
   * filter or another sort order.
   */
  async slice(asked: OrdersSought, piece: Piece, reach: RowAccess): Promise<Slice<Order>> {
    const { userId } = asked;
    if (userId !== undefined && !reach.covers(userId)) return sliceOf<Order>([], piece, 0, () => []);
    const sought = { ...asked, userId: reach.onlyOf ?? userId };
    return OrderListing.isWithoutCriteria(sought)
      ? this.table.slice(piece)
      : this.listing.slice(sought, piece, () => this.table.total());
  }

  /** The newest orders that the caller may use, the newest first. */
  async newest(limit: number, { onlyOf }: RowAccess): Promise<readonly Order[]> {
    if (onlyOf !== null) return (await this.findNewestOf([onlyOf], limit)).get(onlyOf) ?? [];
    return this.table.newest(limit);
  }

  /** The newest orders of each of these users, the newest first; users without orders are missing. */
  async findNewestOf(
    userIds: readonly number[],
    limit: number,
  ): Promise<ReadonlyMap<number, readonly Order[]>> {
    const [only] = userIds;
    // Most calls are for one user. For one user, a statement without a join takes a third of the time.
    const statement =
      userIds.length === 1
        ? sql`
          SELECT ${this.orders.mapping.columns} FROM orders
          WHERE user_id = ${UNPLANNED} ${only as number} ORDER BY id DESC LIMIT ${UNPLANNED} ${limit}`
        : sql`
          SELECT ${this.orders.mapping.columns} FROM (
            SELECT o.* FROM users u ${NEWEST_OF_EACH} ${limit}${END_OF_EACH} WHERE u.id ${anyOf(userIds)}) newest
          ORDER BY id DESC`;
    const orders = await this.database.reads.entities(this.orders.mapping, statement);
    return Map.groupBy(orders, (order) => order.userId as number);
  }

  /** The items of each of these orders, sorted by their position. */
  async findItems(orderIds: readonly number[]): Promise<ReadonlyMap<number, readonly OrderItem[]>> {
    const items = await this.database.reads.entities(
      this.item,
      sql`
      SELECT ${this.item.columns} FROM order_items WHERE order_id ${anyOf(orderIds)} ORDER BY order_id, position`,
    );
    return Map.groupBy(items, (item) => item.orderId);
  }

  /** The same orders with their items. */
  async withItems(orders: readonly Order[]): Promise<readonly Order[]> {
    const items = await this.findItems(orders.map(({ id }) => id));
    return orders.map((order) => withItems(order, items.get(order.id) ?? []));
  }

  /** Within an act: an id for `insert`. */
  reserveId(tx: Transaction): Steps<number | null> {
    return this.orders.reserveId(tx);
  }

  /**
   * Within an act that has locked the user: stores an order. Its total is the sum of the totals of the items. The act
   * does not wait for the statements.
   */
  *insert(tx: Transaction, id: number | null, { userId, items }: NewOrder): Steps<Order> {
    const totalMinor = items.reduce((sum, item) => sum + item.totalMinor, 0);
    const order = yield* this.orders.insertLater(tx, id, { userId, status: 'pending', totalMinor });
    const stored = items.map((item, index) =>
      Object.assign(new OrderItem(), item, { orderId: order.id, position: index + 1 }),
    );
    yield* later(this.itemInsert.of(stored));
    return withItems(order, stored);
  }

  /** Within an act: locks the order for the act and returns it; null when there is no such order. */
  *lock(id: number): Steps<Order | null> {
    const order = yield* this.orders.lock(id);
    if (!order) return null;
    const items = yield* all(
      sql`SELECT ${this.item.columns} FROM order_items WHERE order_id = ${id} ORDER BY position`,
    );
    return withItems(order, items.map(this.item.fromRow));
  }

  /** Within an act that has locked the order: changes its status. */
  *move(tx: Transaction, order: Order, status: OrderStatus): Steps<Order> {
    return withItems(yield* this.orders.write(tx, order, { status }), order.items ?? []);
  }
}

function withItems(order: Order, items: readonly OrderItem[]): Order {
  // The table may have given the same object to other callers, so it is copied.
  return Object.assign(new Order(), order, { items });
}
