import type { FastifyRequest } from 'fastify';
import { headerFor } from '../../engine/browse/page.js';
import type { Config } from '../../engine/config/config.js';
import { html, type Html } from '../../engine/pages/html.js';
import { tableOf } from '../../engine/pages/table.js';
import {
  BAR_WIDTH,
  daysChart,
  figuresOf,
  leftOf,
  minutesChart,
  tablesOf,
  viewOf,
  type Chart,
  type Figures,
  type Notation,
} from '../../rules/order-figures.js';
import { NEXT_STATUSES } from '../../store/orders/order-status.js';
import { filled } from './overview.js';
import { ask } from './own-requests.js';

const MOST_ORDERS = 50;
const MOST_LINES = 3;
/** The empty rows of a page without data. They keep the place of the orders, so nothing moves when the orders come. */
const WAITING_ROWS = 12;
const NONE = '–';
const NOTHING = html``;

const count = new Intl.NumberFormat('en');
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

interface Amount {
  readonly amount: number;
}

/** An order in the answer of `listOrdersV2`, with the members that the board shows. */
interface Order {
  readonly id: number;
  readonly user_id: number | null;
  readonly status: string;
  readonly total: Amount;
  readonly items: readonly { readonly name: string; readonly quantity: number }[];
  readonly created_at: string;
}

/** The data that the page has before its script runs. */
export interface First {
  /** The newest first. */
  readonly orders: readonly Order[];
  readonly figures: Figures;
  /** Whether the caller may read only its own orders. If so, the figures are computed from `orders` only. */
  readonly isOwn: boolean;
}

/**
 * Reads what the caller may see on the board. A request for a page has a credential if a script of ours or a program
 * has made the request, or if the browser adds the password of its dialog (ADR 61).
 *
 * @returns null if the orders or the figures could not be read, for example if the credential may not read orders
 */
export async function readFirst(request: FastifyRequest): Promise<First | null> {
  const read = (url: string) => ask(request, { method: 'GET', url, headers: { accept: 'application/json' } });
  const [orders, figures] = await Promise.all([
    read(`/api/v2/orders?sort=-id&limit=${MOST_ORDERS}`),
    read('/api/v2/orders/summary'),
  ]);
  if (orders.status !== 200) return null;
  const { data } = orders.body as unknown as { readonly data: readonly Order[] };
  if (figures.status === 200) {
    return { orders: data, figures: figures.body as unknown as Figures, isOwn: false };
  }
  // The status 403 means that the caller sees only its own orders, so the figures can be computed from them. After any
  // other failure, the orders may be those of all users.
  return figures.status === 403 ? { orders: data, figures: ownFigures(data), isOwn: true } : null;
}

function ownFigures(orders: readonly Order[]): Figures {
  const own = orders.map(({ status, created_at, total }) => ({
    status,
    placedAt: Date.parse(created_at),
    amount: total.amount,
  }));
  return figuresOf(own, Object.keys(NEXT_STATUSES), Date.now());
}

/**
 * Fills the order board. The page contains the facts that its script needs: the currency, and the next statuses of each
 * status.
 *
 * @param first null for a page without data
 */
export function boardOf(template: string, { currency }: Config, url: string, first: First | null): string {
  const { decimals } = currency;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.code,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const money = (amount: number): string => format.format(currency.toMajor(amount));
  const figures = first?.figures;
  const tiles = Object.entries(NEXT_STATUSES).map(([status, next]) => {
    const sum = figures?.statuses.find((each) => each.status === status);
    return html`<li>
      <button type="button" data-status="${status}" data-next="${next.join(' ')}" aria-pressed="false">
        <span class="status" data-status="${status}">${status}</span>
        <strong class="orders">${sum ? count.format(sum.orders) : NONE}</strong>
        <span class="money">${sum ? money(sum.total.amount) : NONE}</span>
      </button>
    </li>`;
  });
  const notation: Notation = { money, time: (at) => clock.format(at), zone: ' (UTC)' };
  return filled(template, {
    ...headerFor(url),
    currency: currency.code,
    decimals: String(decimals),
    first: first ? html`data-first="${first.isOwn ? 'own' : 'all'}"` : html`data-state="loading"`,
    busy: first ? NOTHING : html`aria-busy="true"`,
    state: first ? '' : 'Loading…',
    title: titleOf(first),
    statuses: html`${tiles}`,
    minutes: chartOf('Orders per minute', figures && minutesChart(figures.minutes, notation)),
    days: chartOf('Revenue per day', figures && daysChart(figures.days, notation)),
    tables: figures ? html`${tablesOf(figures, notation).map(tableOf)}` : NOTHING,
    orders: html`${first ? first.orders.map((order) => rowOf(order, money)) : Array<Html>(WAITING_ROWS).fill(WAITING)}`,
    none: first?.orders.length === 0 ? 'There are no orders yet.' : '',
  });
}

function titleOf(first: First | null): string {
  if (!first || !first.isOwn) return 'Orders of the store';
  return first.orders.length < MOST_ORDERS ? 'Your orders' : `Your newest ${MOST_ORDERS} orders`;
}

const WAITING = html`<li class="order waiting" aria-hidden="true"></li>`;

/** @param chart undefined for a page without figures */
function chartOf(title: string, chart: Chart | null | undefined): Html {
  const bars = chart?.bars ?? [];
  return html`<figcaption>
      <strong>${title}</strong> <span class="sum">${chart?.sum ?? NONE}</span>
    </figcaption>
    <div class="plot">
      <svg
        role="img"
        aria-label="${chart?.summary ?? title}"
        preserveAspectRatio="none"
        viewBox="${viewOf(bars.length)}"
      >
        ${bars.map(
          ({ text, top, height }, index) =>
            html`<rect
              x="${String(leftOf(index))}"
              width="${String(BAR_WIDTH)}"
              y="${top}"
              height="${height}"
              ${index === bars.length - 1 ? html`class="now"` : NOTHING}
            >
              <title>${text}</title>
            </rect>`,
        )}
      </svg>
      <span class="most" aria-hidden="true">${chart?.most ?? ''}</span>
    </div>
    <p class="axis" aria-hidden="true">
      <span class="from">${chart?.ends[0] ?? ''}</span><span class="to">${chart?.ends[1] ?? ''}</span>
    </p>`;
}

/** An order, in the form of the template `row` of pages/board.html. The script makes its own rows later. */
function rowOf(
  { id, user_id, items, created_at, total, status }: Order,
  money: (amount: number) => string,
): Html {
  const lines = items.slice(0, MOST_LINES).map(({ name, quantity }) => `${quantity} × ${name}`);
  const more = items.length - lines.length;
  const placed = new Date(created_at);
  return html`<li class="order" data-first>
    <a class="number" href="/api/v2/orders/${String(id)}">Order ${String(id)}</a>
    <bdi class="customer">${user_id === null ? 'Removed user' : `User ${user_id}`}</bdi>
    <bdi class="lines">${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}</bdi>
    <time datetime="${placed.toISOString()}">${moment.format(placed)} UTC</time>
    <span class="money">${money(total.amount)}</span>
    <span class="status" data-status="${status}">${status}</span>
    <span class="moves"></span>
  </li>`;
}
