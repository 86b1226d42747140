import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Database } from '../../engine/database/database.js';
import { Purge } from '../../engine/database/purge.js';
import { all, oneAtATime, sql, Text } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import { HEAD } from '../../engine/events/event-log.js';
import { Currency } from '../../engine/values/currency.js';
import type { OrdersSummary } from '../../generated/graphql.js';
import { NEXT_STATUSES, type OrderStatus } from './order-status.js';
import { DAYS, isRevenue, MINUTES } from '../../rules/order-figures.js';

interface SumRow {
  readonly span: 'all' | 'day' | 'minute' | 'head';
  readonly at: number;
  readonly status: OrderStatus | '';
  readonly n: number;
  readonly total: number;
}

const STATUSES = Object.keys(NEXT_STATUSES) as OrderStatus[];
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
// Sums are kept for longer than they are shown, because the clocks of instances may differ.
const [KEPT_MINUTES, KEPT_DAYS] = [2 * MINUTES, DAYS + 10];
/**
 * The sum of the totals, but at most 2^53 - 1, which is the highest amount of the contract. SQLite and PostgreSQL can
 * have higher sums.
 */
const MOST = new Text(
  'min(sum(total_minor), 9007199254740991)',
  'least(sum(total_minor), 9007199254740991)::bigint',
);
const COUNT = new Text('sum(n)', 'sum(n)::bigint');
const NAME = 'order_sums';

/**
 * The sums of all orders. Triggers update them in the transaction of each change (ADR 52), so there is nothing to call
 * when an order changes.
 */
@Injectable()
export class OrderSumsRepository implements BeforeApplicationShutdown {
  readonly purge: Purge;
  private readonly database: Database;

  constructor(
    { database }: TableParts,
    private readonly currency: Currency,
  ) {
    this.database = database;
    database.keepFolded(NAME, ['order_sum_deltas', 'order_sums']);
    this.purge = new Purge('old sums of orders', (most) => this.removeOld(new Date(), most));
  }

  /** Reads at most 246 sums in one statement, even if there are millions of orders. */
  async figures(): Promise<OrdersSummary> {
    const at = new Date();
    const [minute, day] = [Math.floor(at.getTime() / MINUTE_MS), Math.floor(at.getTime() / DAY_MS)];
    const rows = await this.database.reads.all<SumRow>(sql`
      SELECT span, at, status, ${COUNT} AS n, ${MOST} AS total FROM order_figures
      WHERE span = 'all' OR (span = 'day' AND at > ${day - DAYS} AND at <= ${day})
        OR (span = 'minute' AND at > ${minute - MINUTES} AND at <= ${minute})
      GROUP BY span, at, status
      UNION ALL SELECT 'head', ${HEAD}, '', 0, 0`);
    const found = Map.groupBy(rows, ({ span, at: number }) => `${span} ${number}`);
    const byStatus = new Map(found.get('all 0')?.map((row) => [row.status, row]));
    return {
      at,
      cursor: String(rows.find(({ span }) => span === 'head')?.at ?? 0),
      statuses: STATUSES.map((status) => {
        const { n = 0, total = 0 } = byStatus.get(status) ?? {};
        return { status, orders: n, total: this.currency.toMoney(total) };
      }),
      minutes: lastNumbers(minute, MINUTES).map((number) => ({
        start: new Date(number * MINUTE_MS),
        orders: found.get(`minute ${number}`)?.[0]?.n ?? 0,
      })),
      days: lastNumbers(day, DAYS).map((number) => {
        const sums = found.get(`day ${number}`) ?? [];
        const kept = sums.filter(({ status }) => isRevenue(status));
        return {
          date: new Date(number * DAY_MS).toISOString().slice(0, 10),
          orders: sums.reduce((sum, { n }) => sum + n, 0),
          revenue: this.currency.toMoney(Math.min(sumOf(kept), Number.MAX_SAFE_INTEGER)),
        };
      }),
    };
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.purge.stop();
  }

  /** Removes at most `most` sums of minutes and days that are no longer shown. Returns the number of removed sums. */
  removeOld(now: Date, most: number): Promise<number> {
    const minute = Math.floor(now.getTime() / MINUTE_MS) - KEPT_MINUTES;
    const day = Math.floor(now.getTime() / DAY_MS) - KEPT_DAYS;
    return this.database.unitOfWork.run(function* () {
      // `order_sums_fold` takes the same lock, so this act and the fold cannot end in a deadlock.
      yield* oneAtATime(`${NAME}_fold`);
      const removed = yield* all(sql`
        DELETE FROM order_sums WHERE (span, at, status) IN (
          SELECT span, at, status FROM order_sums
          WHERE (span = 'minute' AND at < ${minute}) OR (span = 'day' AND at < ${day}) LIMIT ${most})
        RETURNING at`);
      return removed.length;
    });
  }
}

/** The numbers of the last minutes or days, up to `last`, in ascending order. */
function lastNumbers(last: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
}

function sumOf(rows: readonly SumRow[]): number {
  return rows.reduce((sum, { total }) => sum + total, 0);
}
