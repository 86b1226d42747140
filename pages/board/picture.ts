import { Chart } from './chart.js';
import type { Figures } from './figures.js';

const one = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
// The days of the figures are days in UTC.
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const count = new Intl.NumberFormat('en');

/** The figures as tiles, charts and tables. */
export class Picture {
  private minutes: Chart | null = null;
  private days: Chart | null = null;

  constructor(private readonly money: (amount: number) => string) {}

  draw(figures: Figures): void {
    for (const { status, orders, total } of figures.statuses) {
      const tile = document.querySelector(`.tiles button[data-status="${status}"]`);
      if (!tile) continue;
      put(tile, '.orders', count.format(orders));
      put(tile, '.money', this.money(total.amount));
    }
    this.drawMinutes(figures.minutes);
    this.drawDays(figures.days);
    // A closed table is drawn when it is opened.
    if ((one('#tables') as HTMLDetailsElement).open) this.drawTables(figures);
  }

  drawTables({ statuses, minutes, days }: Figures): void {
    one('.tables').replaceChildren(
      tableOf(
        'Orders by status',
        ['Status', 'Orders', 'Money'],
        statuses.map(({ status, orders, total }) => [status, count.format(orders), this.money(total.amount)]),
      ),
      tableOf(
        'Orders per minute',
        ['Minute', 'Orders'],
        minutes
          .map(({ start, orders }) => [clock.format(new Date(start)), count.format(orders)])
          .toReversed(),
      ),
      tableOf(
        'Orders and revenue per day (UTC)',
        ['Day', 'Orders', 'Revenue'],
        days
          .map(({ date, orders, revenue }) => [date, count.format(orders), this.money(revenue.amount)])
          .toReversed(),
      ),
    );
  }

  private drawMinutes(minutes: Figures['minutes']): void {
    this.minutes ??= new Chart(one('#minutes'), minutes.length);
    const sum = minutes.reduce((all, { orders }) => all + orders, 0);
    const most = Math.max(...minutes.map(({ orders }) => orders));
    const times = minutes.map(({ start }) => clock.format(new Date(start)));
    put(one('#minutes'), '.sum', `${count.format(sum)} in the last hour`);
    this.minutes.draw(
      minutes.map(({ orders }, index) => ({
        value: orders,
        text: `${times[index]}: ${count.format(orders)}`,
      })),
      count.format(most),
      [times[0] ?? '', times.at(-1) ?? ''],
      `Orders per minute in the last hour: ${count.format(sum)} orders, at most ${count.format(most)} in a minute`,
    );
  }

  private drawDays(days: Figures['days']): void {
    this.days ??= new Chart(one('#days'), days.length);
    const most = Math.max(...days.map(({ revenue }) => revenue.amount));
    const today = days.at(-1)?.revenue.amount ?? 0;
    const dates = days.map(({ date }) => day.format(new Date(date)));
    put(one('#days'), '.sum', `${this.money(today)} today`);
    this.days.draw(
      days.map(({ orders, revenue }, index) => ({
        value: revenue.amount,
        text: `${dates[index]}: ${this.money(revenue.amount)}, ${count.format(orders)} orders`,
      })),
      this.money(most),
      [dates[0] ?? '', dates.at(-1) ?? ''],
      `Revenue per day in the last ${days.length} days (UTC): ${this.money(today)} today, at most ${this.money(most)}`,
    );
  }
}

function put(place: Element, selector: string, text: string): void {
  const part = place.querySelector(selector);
  if (part && part.textContent !== text) part.textContent = text;
}

function tableOf(title: string, head: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const table = document.createElement('table');
  table.createCaption().textContent = title;
  const line = table.createTHead().insertRow();
  line.append(...head.map((text) => cellOf(text, 'col')));
  const body = table.createTBody();
  for (const [name = '', ...values] of rows) {
    const row = body.insertRow();
    row.append(cellOf(name, 'row'));
    for (const text of values) row.insertCell().textContent = text;
  }
  return table;
}

function cellOf(text: string, scope: string): HTMLElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}
