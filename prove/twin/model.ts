import type { Kind, Shown } from './shapes.ts';

/** The values that stay the same until the next write of the row. A value is undefined until it is read. */
interface Kept {
  readonly id: number;
  createdAt?: unknown;
  updatedAt?: unknown;
  version?: unknown;
}

export interface ProductRow extends Kept {
  name: string;
  /** Minor units. */
  price: number;
  description: string | null;
  isSellable: boolean;
  stock: number | null;
}

export interface UserRow extends Kept {
  name: string;
  email: string;
}

export interface OrderLine {
  readonly productId: number;
  readonly name: string;
  readonly unitPrice: number;
  readonly quantity: number;
  readonly total: number;
}

export interface OrderRow extends Kept {
  userId: number | null;
  status: string;
  readonly items: readonly OrderLine[];
  /** The pieces that were taken out of counted stock. Cancelling puts them back if the stock is still counted. */
  readonly taken: readonly (readonly [ProductRow, number])[];
}

/** The data that the store must hold after all writes. */
export class Model {
  readonly products = new Map<number, ProductRow>();
  readonly users = new Map<number, UserRow>();
  readonly orders = new Map<number, OrderRow>();

  rows(kind: Kind): ReadonlyMap<number, Kept> {
    return { product: this.products, user: this.users, order: this.orders }[kind];
  }

  /** The values that all readings must show; null when there is no such row. */
  shown(kind: Kind, id: number): Shown | null {
    const row = this.rows(kind).get(id);
    if (!row) return null;
    if (kind === 'product') {
      const { isSellable, ...product } = row as ProductRow;
      return { ...product, inStock: isSellable && product.stock !== 0 };
    }
    if (kind === 'user') return { ...(row as UserRow) };
    const { taken: _, ...order } = row as OrderRow;
    return { ...order, total: order.items.reduce((sum, { total }) => sum + total, 0) };
  }

  /** Keeps the values of a row that only the service can give: its times and its version. */
  learn(kind: Kind, id: number, { createdAt, updatedAt, version }: Shown): void {
    Object.assign(this.rows(kind).get(id) ?? {}, { createdAt, updatedAt, version });
  }

  /** Call this after a write of the row: its version and the time of the change have to be read again. */
  forget(kind: Kind, id: number): void {
    Object.assign(this.rows(kind).get(id) ?? {}, { updatedAt: undefined, version: undefined });
  }

  hasEmail(email: string, but?: number): boolean {
    return [...this.users.values()].some(
      (user) => user.id !== but && user.email.toLowerCase() === email.toLowerCase(),
    );
  }

  ordersOf(userId: number): readonly OrderRow[] {
    return [...this.orders.values()].filter((order) => order.userId === userId);
  }
}
