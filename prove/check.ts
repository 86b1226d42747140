import { isDeepStrictEqual } from 'node:util';
import type { Creators } from './creators.ts';
import type { LoggedEvent, ProofDatabase } from './databases.ts';
import { requireThat } from './options.ts';
import type { Order, Product, Shop } from './shop.ts';

/**
 * Compares the stored rows with the acknowledged rows. No client may write meanwhile.
 *
 * @returns the log of events
 * @throws Broken at the first difference
 */
export async function check(
  creators: Creators,
  shop: Shop,
  database: ProofDatabase,
): Promise<readonly LoggedEvent[]> {
  requireOrders(creators, await shop.list<Order>('/orders'));
  requireSame('product', await shop.list<Product>('/products'), creators.products.keys());
  await requireStock(creators, shop);
  const [wrong] = await database.wrongTotals();
  requireThat(wrong === undefined, () => `A total is not the sum of the lines: ${JSON.stringify(wrong)}.`);
  const events = await database.events();
  for (const [index, { position }] of events.entries()) {
    requireThat(
      position === index + 1,
      () => `The next position in the log is ${position} instead of ${index + 1}.`,
    );
  }
  const of = (type: string) => events.filter((event) => event.type === type);
  requireSame('event of a new order', ids(of('order.created')), creators.orders.keys());
  requireSame('event of a cancelled order', ids(of('order.status_changed')), creators.cancelled.keys());
  requireSame('event of a new product', ids(of('product.created')), creators.products.keys());
  return events;
}

function requireOrders({ orders, cancelled }: Creators, stored: readonly Order[]): void {
  requireSame('order', stored, orders.keys());
  for (const order of stored) {
    const told = cancelled.get(order.id)?.result ?? orders.get(order.id)?.result;
    requireThat(
      isDeepStrictEqual(order, told),
      () =>
        `The answer showed the order ${JSON.stringify(told)}, but the store has ${JSON.stringify(order)}.`,
    );
    const lines = order.items.map(({ unit_price, quantity, total }) => {
      requireThat(
        cents(unit_price) * quantity === cents(total),
        () => `A line of order ${order.id} is wrong.`,
      );
      return cents(total);
    });
    const sum = lines.reduce((total, line) => total + line, 0);
    requireThat(
      sum === cents(order.total),
      () => `Order ${order.id} has the total ${order.total}, which is not the sum of its lines.`,
    );
  }
}

async function requireStock({ orders, cancelled, stocks }: Creators, shop: Shop): Promise<void> {
  const sold = new Map<number, number>();
  for (const [id, { result }] of orders) {
    if (cancelled.has(id)) continue;
    for (const { product_id, quantity } of result?.items ?? []) {
      sold.set(product_id, (sold.get(product_id) ?? 0) + quantity);
    }
  }
  for (const [id, initial] of stocks) {
    const { quantity } = await shop.get<{ quantity: number }>(`/products/${id}/stock`);
    const due = initial - (sold.get(id) ?? 0);
    requireThat(quantity === due, () => `Product ${id} has ${quantity} pieces instead of ${due}.`);
  }
}

function ids(events: readonly LoggedEvent[]): readonly { readonly id: number }[] {
  return events.map(({ entity_id }) => ({ id: entity_id }));
}

/** Each acknowledged row must be stored exactly once, and no other row may be stored. The rows may be in any order. */
function requireSame(
  what: string,
  stored: readonly { readonly id: number }[],
  acknowledged: Iterable<number>,
): void {
  const missing = new Set(acknowledged);
  const found = new Set<number>();
  for (const { id } of stored) {
    requireThat(!found.has(id), () => `The ${what} ${id} is stored twice.`);
    requireThat(missing.delete(id), () => `The ${what} ${id} is stored, but was not acknowledged.`);
    found.add(id);
  }
  const [lost] = missing;
  requireThat(lost === undefined, () => `The ${what} ${lost} is missing, though it was acknowledged.`);
}

function cents(major: number): number {
  return Math.round(major * 100);
}
