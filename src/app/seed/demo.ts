import type { Currency } from '../../engine/values/currency.js';
import { BulkInsert, reserveIds } from '../../engine/database/bulk.js';
import type { Database } from '../../engine/database/database.js';
import { run, type Steps } from '../../engine/database/sql.js';
import { OrderItem } from '../../store/orders/order-item.entity.js';
import { Order } from '../../store/orders/order.entity.js';
import type { OrderStatus } from '../../store/orders/order-status.js';
import { Product, ProductStock } from '../../store/products/product.entity.js';
import { searchText, searchTextOf } from '../../engine/values/search-text.js';
import { emailKey } from '../../store/users/email-key.js';
import { User } from '../../store/users/user.entity.js';
import { DEMO_PRODUCTS, DEMO_USERS } from './demo-data.js';
import { Random } from './random.js';
import { hasData } from './seed.js';

const ORDERS = 40;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The statuses of the orders, from the oldest order to the newest. Every status occurs. */
const STATUSES: readonly OrderStatus[] = [
  ...fill('delivered', 18),
  'refunded',
  'cancelled',
  ...fill('delivered', 4),
  ...fill('shipped', 5),
  'cancelled',
  'refunded',
  ...fill('paid', 4),
  ...fill('pending', 5),
];

/** Fills the demo store in one act, unless the store has data already. */
export async function fillDemo(database: Database, currency: Currency, now: Date): Promise<void> {
  const { dataSource } = database;
  const inserts = {
    products: new BulkInsert(dataSource, Product),
    stocks: new BulkInsert(dataSource, ProductStock),
    users: new BulkInsert(dataSource, User),
    orders: new BulkInsert(dataSource, Order),
    items: new BulkInsert(dataSource, OrderItem),
  };
  await database.unitOfWork.run(function* ({ engine }): Steps<void> {
    if (yield* hasData()) return;
    const products = productsOf(yield* reserveIds(engine, 'products', DEMO_PRODUCTS.length), currency, now);
    const users = usersOf(yield* reserveIds(engine, 'users', DEMO_USERS.length), now);
    const orders = ordersOf(yield* reserveIds(engine, 'orders', ORDERS), products, users, now);
    yield* run(inserts.products.of(products));
    yield* run(inserts.stocks.of(stocksOf(products)));
    yield* run(inserts.users.of(users));
    yield* run(inserts.orders.of(orders));
    yield* run(inserts.items.of(orders.flatMap(({ items }) => items)));
  });
}

function productsOf(ids: readonly number[], currency: Currency, now: Date): Product[] {
  return DEMO_PRODUCTS.map(({ name, description, price, stock }, index) => ({
    id: ids[index] as number,
    name,
    nameSearch: searchText(name),
    description,
    priceMinor: Math.round(price * currency.toMinor(1, {})),
    isSellable: true,
    inStock: stock !== 0,
    version: 1,
    ...written(now.getTime() - (90 - index) * DAY_MS),
  }));
}

function stocksOf(products: readonly Product[]): ProductStock[] {
  return products.flatMap(({ id }, index) => {
    const quantity = DEMO_PRODUCTS[index]?.stock ?? null;
    return quantity === null ? [] : { productId: id, quantity, version: 1 };
  });
}

function usersOf(ids: readonly number[], now: Date): User[] {
  return DEMO_USERS.map((name, index) => {
    const email = `${searchText(name).toLowerCase().replace(' ', '.')}@example.com`;
    return {
      id: ids[index] as number,
      name,
      email,
      emailKey: emailKey(email),
      searchText: searchTextOf(name, email),
      version: 1,
      ...written(now.getTime() - (60 - 2 * index) * DAY_MS),
    };
  });
}

function ordersOf(
  ids: readonly number[],
  products: readonly Product[],
  users: readonly User[],
  now: Date,
): (Order & { readonly items: readonly OrderItem[] })[] {
  return STATUSES.map((status, index) => {
    const random = new Random(2026, index);
    const orderId = ids[index] as number;
    const chosen = new Set(Array.from({ length: 1 + random.below(4) }, () => random.of(products)));
    const items = [...chosen].map(({ id: productId, name, priceMinor }, line) => {
      const quantity = 1 + random.below(3);
      return {
        orderId,
        position: line + 1,
        productId,
        name,
        unitPriceMinor: priceMinor,
        quantity,
        totalMinor: priceMinor * quantity,
        fromStock: false,
      };
    });
    const hoursAgo = (ORDERS - 1 - index) * 21 + random.below(20) + 1;
    return {
      id: orderId,
      userId: random.of(users).id,
      status,
      totalMinor: items.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
      version: 1,
      ...written(now.getTime() - hoursAgo * HOUR_MS),
      items,
    };
  });
}

function written(at: number): { createdAt: Date; updatedAt: Date } {
  return { createdAt: new Date(at), updatedAt: new Date(at) };
}

function fill(status: OrderStatus, count: number): OrderStatus[] {
  return Array.from({ length: count }, () => status);
}
