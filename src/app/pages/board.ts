import type { FastifyRequest } from 'fastify';
import { headerFor } from '../../engine/browse/page.js';
import type { Config } from '../../engine/config/config.js';
import { html, type Html } from '../../engine/pages/html.js';
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

/** The members of the answer of `getOrdersSummary` that the board shows. */
interface Figures {
  readonly statuses: readonly { readonly status: string; readonly orders: number; readonly total: Amount }[];
  readonly minutes: readonly { readonly start: string; readonly orders: number }[];
  readonly days: readonly { readonly date: string; readonly orders: number; readonly revenue: Amount }[];
}

interface Amount {
  readonly amount: number;
}

/** The members of an order in the answer of `listOrders` that the board shows. */
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
  /** Null if the caller may not read the figures of the store. */
  readonly figures: Figures | null;
}

/**
 * Reads what the caller may see on the board. A request for a page has a credential if a script of ours or a program
 * has made the request, or if the browser adds the password of its dialog (ADR 61).
 *
 * @returns null without a credential that may read orders
 */
export async function readFirst(request: FastifyRequest): Promise<First | null> {
  const read = (url: string) => ask(request, { method: 'GET', url, headers: { accept: 'application/json' } });
  const [orders, figures] = await Promise.all([
    read(`/api/v2/orders?sort=-id&limit=${MOST_ORDERS}`),
    read('/api/v2/orders/summary'),
  ]);
  if (orders.status !== 200) return null;
  return {
    orders: (orders.body as unknown as { readonly data: readonly Order[] }).data,
    figures: figures.status === 200 ? (figures.body as unknown as Figures) : null,
  };
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
  const sums = first && sumsOf(first);
  const tiles = Object.entries(NEXT_STATUSES).map(([status, next]) => {
    const sum = sums?.find((each) => each.status === status);
    return html`<li>
      <button type="button" data-status="${status}" data-next="${next.join(' ')}" aria-pressed="false">
        <span class="status" data-status="${status}">${status}</span>
        <strong class="orders">${sum ? count.format(sum.orders) : NONE}</strong>
        <span class="money">${sum ? money(sum.amount) : NONE}</span>
      </button>
    </li>`;
  });
  const figures = first?.figures;
  const hour = figures?.minutes.reduce((sum, { orders }) => sum + orders, 0);
  return filled(template, {
    ...headerFor(url),
    currency: currency.code,
    decimals: String(decimals),
    first: first ? html`data-first="${first.figures ? 'all' : 'own'}"` : html`data-state="loading"`,
    busy: first ? NOTHING : html`aria-busy="true"`,
    state: first ? '' : 'Loading…',
    title: titleOf(first),
    statuses: html`${tiles}`,
    hour: hour === undefined ? NONE : `${count.format(hour)} in the last hour`,
    today: figures ? `${money(figures.days.at(-1)?.revenue.amount ?? 0)} today` : NONE,
    tables: figures ? tablesOf(figures, money) : NOTHING,
    orders: html`${first ? first.orders.map((order) => rowOf(order, money)) : Array<Html>(WAITING_ROWS).fill(WAITING)}`,
    none: first?.orders.length === 0 ? 'There is no such order.' : '',
  });
}

function titleOf(first: First | null): string {
  if (!first || first.figures) return 'Orders of the store';
  return first.orders.length < MOST_ORDERS ? 'Your orders' : `Your newest ${MOST_ORDERS} orders`;
}

/** The sums of each status: of the store, or else of the shown orders. */
function sumsOf({ figures, orders }: First): readonly { status: string; orders: number; amount: number }[] {
  if (figures) {
    return figures.statuses.map((each) => ({
      status: each.status,
      orders: each.orders,
      amount: each.total.amount,
    }));
  }
  return Object.keys(NEXT_STATUSES).map((status) => {
    const those = orders.filter((order) => order.status === status);
    return { status, orders: those.length, amount: those.reduce((sum, { total }) => sum + total.amount, 0) };
  });
}

const WAITING = html`<li class="order waiting" aria-hidden="true"></li>`;

/** The same tables as those of `pages/board/picture.ts`. */
function tablesOf({ statuses, minutes, days }: Figures, money: (amount: number) => string): Html {
  return html`${[
    tableOf(
      'Orders by status',
      ['Status', 'Orders', 'Money'],
      statuses.map(({ status, orders, total }) => [status, count.format(orders), money(total.amount)]),
    ),
    tableOf(
      'Orders per minute (UTC)',
      ['Minute', 'Orders'],
      minutes.map(({ start, orders }) => [clock.format(new Date(start)), count.format(orders)]).toReversed(),
    ),
    tableOf(
      'Orders and revenue per day (UTC)',
      ['Day', 'Orders', 'Revenue'],
      days
        .map(({ date, orders, revenue }) => [date, count.format(orders), money(revenue.amount)])
        .toReversed(),
    ),
  ]}`;
}

function tableOf(title: string, head: readonly string[], rows: readonly (readonly string[])[]): Html {
  return html`<table>
    <caption>
      ${title}
    </caption>
    <thead>
      <tr>
        ${head.map((text) => html`<th scope="col">${text}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name = '', ...values]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${values.map((text) => html`<td>${text}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
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
