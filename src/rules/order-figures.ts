/*
 * The charts and the tables of the order board, as texts and numbers. The service writes the first HTML
 * (src/app/pages/board.ts), and the script of the page shows newer figures in the same elements
 * (pages/board/picture.ts).
 */

/** An order, with the members from which `figuresOf` computes the figures of one user. */
export interface Order {
  readonly status: string;
  /** Milliseconds of Unix time. */
  readonly placedAt: number;
  readonly amount: number;
}

/** The members of the answer of `getOrdersSummary` that the board shows. */
export interface Figures {
  readonly statuses: readonly { readonly status: string; readonly orders: number; readonly total: Amount }[];
  readonly minutes: readonly { readonly start: string; readonly orders: number }[];
  readonly days: readonly { readonly date: string; readonly orders: number; readonly revenue: Amount }[];
}

interface Amount {
  readonly amount: number;
}

/** The reader's form of money and times. */
export interface Notation {
  readonly money: (amount: number) => string;
  readonly time: (at: Date) => string;
  /** The time zone of `time` in a title, such as ` (UTC)`. */
  readonly zone: string;
}

/** A chart of bars. */
export interface Chart {
  /** The sum beside the title. */
  readonly sum: string;
  /** The whole chart in words. */
  readonly summary: string;
  /** The value of the highest bar. */
  readonly most: string;
  /** The times of the first bar and of the last bar. */
  readonly ends: readonly [string, string];
  /** The last bar is the present minute or day. */
  readonly bars: readonly Bar[];
}

export interface Bar {
  /** The value with its time, in words. */
  readonly text: string;
  /** The place of the upper edge in a picture that is `CHART_HEIGHT` high. */
  readonly top: string;
  /** The height in the same picture. */
  readonly height: string;
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  /** The first text of each row is its name. */
  readonly rows: readonly (readonly [string, ...string[]])[];
}

export const CHART_HEIGHT = 100;
export const BAR_WIDTH = 8;
const GAP = 2;

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** The numbers of minutes and of days that have figures of their own. */
export const [MINUTES, DAYS] = [60, 30];
const WITHOUT_REVENUE = new Set(['cancelled', 'refunded']);

/** Whether the money of an order in this status counts as revenue. */
export function isRevenue(status: string): boolean {
  return !WITHOUT_REVENUE.has(status);
}

const count = new Intl.NumberFormat('en');
// The days of the figures are days in UTC.
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The left edge of a bar. */
export function leftOf(index: number): number {
  return index * (BAR_WIDTH + GAP);
}

/** The `viewBox` of the picture of a chart. */
export function viewOf(bars: number): string {
  return `0 0 ${Math.max(leftOf(bars) - GAP, 0)} ${CHART_HEIGHT}`;
}

export function minutesChart(minutes: Figures['minutes'], { time }: Notation): Chart {
  const times = minutes.map(({ start }) => time(new Date(start)));
  const sum = count.format(minutes.reduce((all, { orders }) => all + orders, 0));
  const values = minutes.map(({ orders }) => orders);
  const most = count.format(Math.max(...values));
  return {
    sum: `${sum} in the last hour`,
    summary: `Orders per minute in the last hour: ${sum} orders, at most ${most} in a minute`,
    most,
    ends: [times[0] ?? '', times.at(-1) ?? ''],
    bars: barsOf(values, (index) => `${times[index]}: ${count.format(values[index] ?? 0)}`),
  };
}

export function daysChart(days: Figures['days'], { money }: Notation): Chart {
  const dates = days.map(({ date }) => day.format(new Date(date)));
  const values = days.map(({ revenue }) => revenue.amount);
  const [today, most] = [money(values.at(-1) ?? 0), money(Math.max(...values))];
  return {
    sum: `${today} today`,
    summary: `Revenue per day in the last ${days.length} days (UTC): ${today} today, at most ${most}`,
    most,
    ends: [dates[0] ?? '', dates.at(-1) ?? ''],
    bars: barsOf(
      values,
      (index) =>
        `${dates[index]}: ${money(values[index] ?? 0)}, ${count.format(days[index]?.orders ?? 0)} orders`,
    ),
  };
}

function barsOf(values: readonly number[], textOf: (index: number) => string): readonly Bar[] {
  const highest = Math.max(...values, 1);
  return values.map((value, index) => {
    // A value above 0 is always visible.
    const height = value === 0 ? 0 : Math.max((value / highest) * CHART_HEIGHT, 2);
    return { text: textOf(index), top: (CHART_HEIGHT - height).toFixed(1), height: height.toFixed(1) };
  });
}

/** All figures as tables. In the tables of minutes and of days, the newest row is the first. */
export function tablesOf(
  { statuses, minutes, days }: Figures,
  { money, time, zone }: Notation,
): readonly Table[] {
  return [
    {
      title: 'Orders by status',
      head: ['Status', 'Orders', 'Money'],
      rows: statuses.map(({ status, orders, total }) => [status, count.format(orders), money(total.amount)]),
    },
    {
      title: `Orders per minute${zone}`,
      head: ['Minute', 'Orders'],
      rows: minutes
        .map(({ start, orders }): [string, string] => [time(new Date(start)), count.format(orders)])
        .toReversed(),
    },
    {
      title: 'Orders and revenue per day (UTC)',
      head: ['Day', 'Orders', 'Revenue'],
      rows: days
        .map(({ date, orders, revenue }): [string, ...string[]] => [
          date,
          count.format(orders),
          money(revenue.amount),
        ])
        .toReversed(),
    },
  ];
}

/** Computes the figures from the orders of one user, who may not read the figures of the store. */
export function figuresOf(orders: readonly Order[], statuses: readonly string[], now: number): Figures {
  const spans = (ms: number, places: number): readonly (readonly [number, readonly Order[]])[] => {
    const last = Math.floor(now / ms);
    const found = Map.groupBy(orders, ({ placedAt }) => Math.floor(placedAt / ms));
    return Array.from({ length: places }, (_, index) => last - places + 1 + index).map((place) => [
      place * ms,
      found.get(place) ?? [],
    ]);
  };
  return {
    statuses: statuses.map((status) => {
      const those = orders.filter((order) => order.status === status);
      return { status, orders: those.length, total: { amount: sumOf(those) } };
    }),
    minutes: spans(MINUTE_MS, MINUTES).map(([start, those]) => ({
      start: new Date(start).toISOString(),
      orders: those.length,
    })),
    days: spans(DAY_MS, DAYS).map(([start, those]) => ({
      date: new Date(start).toISOString().slice(0, 10),
      orders: those.length,
      revenue: { amount: sumOf(those.filter(({ status }) => isRevenue(status))) },
    })),
  };
}

function sumOf(orders: readonly Order[]): number {
  return orders.reduce((sum, { amount }) => sum + amount, 0);
}
