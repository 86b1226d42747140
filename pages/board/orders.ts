import type { BoardOrder } from './document.js';

/** An order on the board. It has few members, because the board keeps many orders. */
export interface Row {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly userId: string | null;
  /**
   * The name of the user. Undefined until the board has read it; null if the user was anonymised, or if the visitor may
   * not see the user.
   */
  readonly customer: string | null | undefined;
  readonly placedAt: number;
  /** In minor units. */
  readonly amount: number;
  /** The lines of the order in a few words. */
  readonly lines: string;
  /** The names of the products in lower case, for the search. */
  readonly words: string;
}

/**
 * A list keeps this many orders when it removes old orders. It removes them as soon as it has twice as many. So its
 * memory does not grow with the number of events.
 */
const MOST_KEPT = 200;
const MOST_LINES = 3;
const MOST_WORDS = 600;

export function rowOf({ user, ...order }: BoardOrder, hasNames: boolean): Row {
  const shown = order.items.slice(0, MOST_LINES).map(({ name, quantity }) => `${quantity} × ${name}`);
  const more = order.items.length - shown.length;
  return {
    id: Number(order.id),
    version: order.version,
    status: order.status,
    userId: order.userId,
    customer: hasNames ? (user?.name ?? null) : undefined,
    placedAt: Date.parse(order.createdAt),
    amount: order.totalMoney.amount,
    lines: shown.join(', ') + (more > 0 ? ` and ${more} more` : ''),
    words: order.items
      .map(({ name }) => name)
      .join(' ')
      .slice(0, MOST_WORDS)
      .toLowerCase(),
  };
}

/**
 * The newest orders, without a gap between them. The events of two subscriptions come in no fixed sequence. So the
 * version of an order decides which state is later.
 */
export class Orders {
  private readonly rows = new Map<number, Row>();
  /** Orders with a lower id are not kept. The board may not have all of them, so there could be a gap. */
  private floor = 0;
  /** Whether the orders from before the first event were read. */
  hasBegun = false;

  /** @returns the newest first */
  newest(): readonly Row[] {
    return [...this.rows.values()].toSorted((one, other) => other.id - one.id).slice(0, MOST_KEPT);
  }

  get(id: number): Row | undefined {
    return this.rows.get(id);
  }

  /**
   * Adds the orders of a read.
   *
   * @param rows the newest first
   * @param isAll whether there are no older orders
   */
  begin(rows: readonly Row[], isAll: boolean): void {
    if (!this.hasBegun && !isAll) this.floor = Math.max(this.floor, rows.at(-1)?.id ?? 0);
    this.hasBegun = true;
    for (const row of rows) this.put(row);
  }

  put(row: Row): void {
    if (row.id < this.floor) return;
    const known = this.rows.get(row.id);
    if (known && known.version > row.version) return;
    this.rows.set(row.id, row.customer === undefined && known ? { ...row, customer: known.customer } : row);
    // Old rows are removed many at a time, because each removal sorts all rows.
    if (this.rows.size >= 2 * MOST_KEPT) this.trim();
  }

  private trim(): void {
    const kept = this.newest();
    this.floor = kept.at(-1)?.id ?? 0;
    for (const id of this.rows.keys()) if (id < this.floor) this.rows.delete(id);
  }
}
