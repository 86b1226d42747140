import {
  daysChart,
  minutesChart,
  tablesOf,
  type Figures,
  type Notation,
  type Table,
} from '../../src/rules/order-figures.js';
import { ChartElements, put } from './chart.js';

const one = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const count = new Intl.NumberFormat('en');

/** The figures as tiles, charts and tables. */
export class Picture {
  private minutes: ChartElements | null = null;
  private days: ChartElements | null = null;
  private readonly notation: Notation;

  constructor(money: (amount: number) => string) {
    this.notation = { money, time: (at) => clock.format(at), zone: '' };
  }

  draw(figures: Figures): void {
    const { statuses, minutes, days } = figures;
    for (const { status, orders, total } of statuses) {
      const tile = document.querySelector(`.tiles button[data-status="${status}"]`);
      if (!tile) continue;
      put(tile, '.orders', count.format(orders));
      put(tile, '.money', this.notation.money(total.amount));
    }
    this.minutes ??= new ChartElements(one('#minutes'), minutes.length);
    this.minutes.draw(minutesChart(minutes, this.notation));
    this.days ??= new ChartElements(one('#days'), days.length);
    this.days.draw(daysChart(days, this.notation));
    // A closed table is drawn when it is opened.
    if ((one('#tables') as HTMLDetailsElement).open) this.drawTables(figures);
  }

  drawTables(figures: Figures): void {
    one('.tables').replaceChildren(...tablesOf(figures, this.notation).map(tableOf));
  }
}

function tableOf({ title, head, rows }: Table): HTMLElement {
  const table = document.createElement('table');
  table.createCaption().textContent = title;
  const line = table.createTHead().insertRow();
  line.append(...head.map((text) => cellOf(text, 'col')));
  const body = table.createTBody();
  for (const [name, ...values] of rows) {
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
