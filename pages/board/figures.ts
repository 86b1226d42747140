import type { Row } from './orders.js';

/** The answer of `GET /api/v2/orders/summary`. */
export interface Figures {
  readonly at: string;
  readonly cursor: string;
  readonly statuses: readonly {
    readonly status: string;
    readonly orders: number;
    readonly total: { readonly amount: number };
  }[];
  readonly minutes: readonly { readonly start: string; readonly orders: number }[];
  readonly days: readonly {
    readonly date: string;
    readonly orders: number;
    readonly revenue: { readonly amount: number };
  }[];
}

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const [MINUTES, DAYS] = [60, 30];
const WITHOUT_REVENUE = new Set(['cancelled', 'refunded']);

/** Computes the same figures from the orders of one user. This user may not read the figures of the store. */
export function figuresOf(rows: readonly Row[], statuses: readonly string[], now: number): Figures {
  const spans = (ms: number, count: number): readonly (readonly [number, readonly Row[]])[] => {
    const last = Math.floor(now / ms);
    const found = Map.groupBy(rows, ({ placedAt }) => Math.floor(placedAt / ms));
    return Array.from({ length: count }, (_, index) => last - count + 1 + index).map((place) => [
      place * ms,
      found.get(place) ?? [],
    ]);
  };
  return {
    at: new Date(now).toISOString(),
    cursor: '',
    statuses: statuses.map((status) => {
      const those = rows.filter((row) => row.status === status);
      return { status, orders: those.length, total: { amount: sum(those) } };
    }),
    minutes: spans(MINUTE_MS, MINUTES).map(([start, those]) => ({
      start: new Date(start).toISOString(),
      orders: those.length,
    })),
    days: spans(DAY_MS, DAYS).map(([start, those]) => ({
      date: new Date(start).toISOString().slice(0, 10),
      orders: those.length,
      revenue: { amount: sum(those.filter(({ status }) => !WITHOUT_REVENUE.has(status))) },
    })),
  };
}

function sum(rows: readonly Row[]): number {
  return rows.reduce((total, { amount }) => total + amount, 0);
}
