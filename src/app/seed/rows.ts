import type { Currency } from '../../engine/values/currency.js';
import type { OrderItem } from '../../store/orders/order-item.entity.js';
import type { Order } from '../../store/orders/order.entity.js';
import type { OrderStatus } from '../../store/orders/order-status.js';
import type { Product, ProductStock } from '../../store/products/product.entity.js';
import { searchText, searchTextOf } from '../../engine/values/search-text.js';
import { emailKey } from '../../store/users/email-key.js';
import type { User } from '../../store/users/user.entity.js';
import { FIRST_NAMES, LAST_NAMES, LOOKS, MATERIALS, THINGS } from './names.js';
import { Random } from './random.js';

export interface SeededProduct {
  readonly product: Product & { readonly nameSearch: string };
  /** Null when the stock is not counted. */
  readonly stock: ProductStock | null;
}

export interface SeededOrder {
  readonly order: Order;
  readonly items: readonly OrderItem[];
}

/** The ids that orders may name, and how many there are. */
export interface Ids {
  readonly at: (index: number) => number;
  readonly count: number;
}

const PRODUCTS = 1;
const USERS = 2;
const ORDERS = 3;
const DAY_MS = 86_400_000;
const OPENED = Date.UTC(2024, 0, 1);
const FIRST_ORDER = Date.UTC(2025, 0, 1);
const ORDERS_MS = 365 * DAY_MS;

/**
 * The statuses of orders by age. Each of the first three lists is for about a fortieth of all orders, the newest
 * first. The last list is for all older orders.
 */
const STATUSES: readonly (readonly OrderStatus[])[] = [
  ['pending', 'pending', 'paid', 'cancelled'],
  ['paid', 'shipped', 'shipped', 'cancelled'],
  ['shipped', 'delivered', 'delivered', 'refunded'],
  ['delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'cancelled', 'refunded'],
];

/**
 * Makes each row from the seed, the currency, the index, the ids and, for an order, the number of all orders. A row
 * depends on nothing else, so the same numbers give the same rows.
 */
export class SeedRows {
  constructor(
    private readonly seed: number,
    private readonly currency: Currency,
  ) {}

  product(index: number, id: number): SeededProduct {
    const random = new Random(this.seed, PRODUCTS, index);
    const [thing, from, to] = random.of(THINGS);
    const name = `${random.of(LOOKS)} ${random.of(MATERIALS)} ${thing} ${1 + random.below(99)}`;
    const priceMinor = this.currency.toMinor(from + random.below(to - from + 1) - 1, {}) + this.odd(random);
    const createdAt = new Date(OPENED + random.below(365) * DAY_MS + random.below(DAY_MS));
    const isSellable = random.below(20) > 0;
    const quantity = random.below(2) === 0 ? null : Math.max(0, random.below(220) - 20);
    return {
      product: {
        id,
        name,
        nameSearch: searchText(name),
        description: null,
        priceMinor,
        isSellable,
        inStock: isSellable && quantity !== 0,
        version: 1,
        createdAt,
        updatedAt: createdAt,
      },
      stock: quantity === null ? null : { productId: id, quantity, version: 1 },
    };
  }

  /** The id makes the address unique. No mail is delivered at the example domains (RFC 2606). */
  user(index: number, id: number): User & { readonly emailKey: string; readonly searchText: string } {
    const random = new Random(this.seed, USERS, index);
    const first = random.of(FIRST_NAMES);
    const last = random.of(LAST_NAMES);
    const email = `${searchText(`${first}.${last}`).toLowerCase()}.${id}@example.${random.of(['com', 'net', 'org'])}`;
    const createdAt = new Date(OPENED + random.below(365) * DAY_MS + random.below(DAY_MS));
    const name = `${first} ${last}`;
    return {
      id,
      name,
      email,
      emailKey: emailKey(email),
      searchText: searchTextOf(name, email),
      version: 1,
      createdAt,
      updatedAt: createdAt,
    };
  }

  /** @param count the number of all orders; they are spread over a year */
  order(index: number, count: number, id: number, users: Ids, products: Ids): SeededOrder {
    const random = new Random(this.seed, ORDERS, index);
    const createdAt = new Date(FIRST_ORDER + Math.floor((index * ORDERS_MS) / count) + random.below(60_000));
    const items = Array.from({ length: 1 + random.below(5) }, (_, line): OrderItem => {
      const productIndex = random.below(products.count);
      const productId = products.at(productIndex);
      const { name, priceMinor } = this.product(productIndex, productId).product;
      const quantity = 1 + random.below(4);
      return {
        orderId: id,
        position: line + 1,
        productId,
        name,
        unitPriceMinor: priceMinor,
        quantity,
        totalMinor: priceMinor * quantity,
        fromStock: false,
      };
    });
    const age = Math.min(STATUSES.length - 1, Math.floor(((count - 1 - index) * 40) / count));
    const order = {
      id,
      userId: users.at(random.below(users.count)),
      status: random.of<OrderStatus>(STATUSES[age] ?? ['delivered']),
      totalMinor: items.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
      version: 1,
      createdAt,
      updatedAt: createdAt,
    };
    return { order, items };
  }

  /** Prices end in .00, .50, .90 or .95, if the currency has minor units. */
  private odd(random: Random): number {
    const minorPerMajor = this.currency.toMinor(1, {});
    return Math.floor((random.of([100, 50, 90, 95]) * minorPerMajor) / 100);
  }
}
