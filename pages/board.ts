import { showAccount } from './account.js';
import { ask, read, Refused, type BoardOrder } from './board/document.js';
import { figuresOf, type Figures } from '../src/rules/order-figures.js';
import { keyOf, List } from './board/list.js';
import { Orders, rowOf, type Row } from './board/orders.js';
import { Painter } from './board/painter.js';
import { Picture } from './board/picture.js';
import { Reader } from './board/reader.js';
import { rightsOf, type Rights } from './board/rights.js';
import { Stream } from './board/stream.js';
import { authorizedFetch, session } from './session.js';

/*
 * The order board. A page load carries no credential of a session, so this script requests the page again with the
 * credential, and shows the figures and the orders of this HTML first. It then reads both again, and follows the events
 * of orders over one connection (ADR 57).
 */

const one = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;
const say = (text: string): void => void (one('#said').textContent = text);

/** The API gives at most this many orders at once. */
const READ_AT_ONCE = 100;
const MOST_SHOWN = 50;
const MOST_NAMES = 500;
const MINUTE_MS = 60_000;
/** The number of an order. */
const NUMBER = /^[1-9]\d{0,14}$/;
/** For the rate limit, a read of the figures takes one unit, and a read of the orders takes 13 to 16 units. */
const FIGURES_APART_MS = 1_000;
const ROWS_APART_MS = 5_000;
/** The parts of the page that the first HTML fills, besides the list. */
const FIRST_FIGURES = ['#figures-title', '.tiles .orders', '.tiles .money', '#minutes', '#days', '.tables'];
const CHANGED = new Set(['PRECONDITION_FAILED', 'ILLEGAL_STATUS']);

const main = one('#main');
const search = one('#search') as HTMLInputElement;
const tiles = [...document.querySelectorAll<HTMLElement>('.tiles button')];
const NEXT = new Map(
  tiles.map(({ dataset }) => [dataset['status'] ?? '', (dataset['next'] ?? '').split(' ').filter(Boolean)]),
);
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const moneyFormat = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: main.dataset['currency'] ?? 'USD',
  minimumFractionDigits: Number(main.dataset['decimals']),
  maximumFractionDigits: Number(main.dataset['decimals']),
});
const money = (amount: number): string => moneyFormat.format(amount / 10 ** Number(main.dataset['decimals']));

class Board {
  private all = new Orders();
  /** The newest orders in one status, if the visitor has chosen a status. */
  private chosen: { readonly status: string; readonly orders: Orders } | null = null;
  /** An order that a search by number has found. */
  private found: Row | null = null;
  private figures: Figures | null = null;
  private isLive = false;
  /** Whether orders were shown, from the first HTML or from a read. */
  private hasLoaded = false;
  private staleSince: number | null = null;
  /** The shown rows while the board is paused, and the time of the pause. */
  private paused: { rows: readonly Row[]; readonly at: number } | null = null;
  private readonly names = new Map<string, string>();
  private readonly notes = new Map<number, string>();
  private readonly busy = new Set<number>();
  private events = 0;
  private paints = 0;
  private lastCursor = 0;
  /** The highest id of an order that was read. For orders up to this id, the board does not request names again. */
  private newestRead = 0;

  private readonly picture = new Picture(money);
  private readonly painter = new Painter(() => this.paint());
  private readonly list = new List(one('#list'), one('#row') as HTMLTemplateElement, {
    money,
    movesOf: (row) => this.movesOf(row),
    note: ({ id }) => this.notes.get(id) ?? '',
    isBusy: ({ id }) => this.busy.has(id),
  });
  private readonly figuresReader: Reader;
  private readonly rowsReader: Reader;

  constructor(private readonly rights: Rights) {
    const mayRead = (): boolean => this.isLive && !this.paused && !document.hidden;
    const told = (): void => showFailure(this.figuresReader.message || this.rowsReader.message);
    this.figuresReader = new Reader(FIGURES_APART_MS, () => this.readFigures(), mayRead, told);
    this.rowsReader = new Reader(ROWS_APART_MS, () => this.readRows(), mayRead, told);
  }

  start(): void {
    const stream = new Stream({
      begun: (isNew) => this.begin(isNew),
      event: (order) => this.take(order),
      cut: (heardAt) => this.cut(heardAt),
      refused: (message) => {
        this.isLive = false;
        askToSignIn(message);
      },
    });
    stream.start();
    // The figures for each minute change even without a new order. Also, the subscriptions of the board have no event
    // for a removed user.
    const tick = (): void => {
      this.refresh();
      setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS) + 50);
    };
    setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS) + 50);
    document.addEventListener('visibilitychange', () => this.go());
    this.painter.ask();
  }

  private begin(isNew: boolean): void {
    this.isLive = true;
    this.staleSince = null;
    if (isNew) {
      this.all = new Orders();
      if (this.chosen) this.chosen = { status: this.chosen.status, orders: new Orders() };
    }
    this.refresh();
  }

  private cut(heardAt: number): void {
    this.isLive = false;
    this.staleSince ??= heardAt;
    this.painter.ask();
  }

  /** Reads again the data that the events do not contain. */
  private refresh(): void {
    this.figuresReader.ask();
    this.rowsReader.ask(true);
    this.painter.ask();
  }

  private go(): void {
    this.figuresReader.go();
    this.rowsReader.go();
  }

  private take(order: BoardOrder): void {
    this.events += 1;
    this.put(rowOf(order, false));
    this.lastCursor = Math.max(this.lastCursor, Number(order.cursor));
    if (this.rights.reads === 'all') this.figuresReader.ask();
    this.painter.ask();
  }

  private put(given: Row): void {
    const name = given.userId === null ? undefined : this.names.get(given.userId);
    const row = given.customer === undefined && name !== undefined ? { ...given, customer: name } : given;
    this.all.put(row);
    this.chosen?.orders.put(row);
    if (this.found?.id === row.id && this.found.version <= row.version) this.found = row;
  }

  /** Shows the figures and the orders of the first HTML, until this script has read the data itself. */
  async showFirst(): Promise<void> {
    const answer = await authorizedFetch('/board', { headers: { accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!answer.ok || !page.querySelector('main[data-first]')) return;
    const parts = this.figures ? [] : FIRST_FIGURES;
    for (const selector of this.all.hasBegun ? parts : [...parts, '#list']) {
      const theirs = page.querySelectorAll(selector);
      document
        .querySelectorAll(selector)
        .forEach((part, index) => part.replaceChildren(...(theirs[index]?.childNodes ?? [])));
    }
    if (!this.all.hasBegun) {
      const none = one('#none');
      none.textContent = page.querySelector('#none')?.textContent ?? '';
      none.hidden = one('#list').childElementCount > 0;
      this.hasLoaded = true;
    }
    this.paintState();
  }

  private async readFigures(): Promise<void> {
    if (this.rights.reads !== 'all') return;
    const figures = await read<Figures & { readonly cursor: string }>('/api/v2/orders/summary');
    this.figures = figures;
    main.dataset['figuresCursor'] = figures.cursor;
    if (Number(figures.cursor) < this.lastCursor) this.figuresReader.ask();
    this.painter.ask();
  }

  private async readRows(): Promise<void> {
    const { all } = this;
    const chosen = all.hasBegun ? this.chosen : null;
    const { names } = this.rights;
    const status = chosen && { status: chosen.status };
    const orders = await ask<readonly BoardOrder[]>('BoardOrders', { limit: READ_AT_ONCE, names, ...status });
    // The cursor of the events expired during this read, so the board has begun a new list.
    if (all !== this.all) return this.rowsReader.ask(true);
    const rows = (orders ?? []).map((order) => rowOf(order, names));
    for (const { userId, customer } of rows) {
      if (this.names.size >= MOST_NAMES) this.names.clear();
      if (userId !== null && typeof customer === 'string') this.names.set(userId, customer);
    }
    (chosen?.orders ?? all).begin(rows, rows.length < READ_AT_ONCE);
    for (const row of rows) this.put(row);
    this.newestRead = Math.max(this.newestRead, rows[0]?.id ?? 0);
    if (chosen !== this.chosen) this.rowsReader.ask(true);
    this.painter.ask();
  }

  /** Shows only the orders in one status; null for all. */
  choose(status: string | null): void {
    this.chosen = status === null ? null : { status, orders: new Orders() };
    for (const tile of tiles) tile.setAttribute('aria-pressed', String(tile.dataset['status'] === status));
    if (this.chosen) {
      for (const row of this.all.newest()) if (row.status === status) this.chosen.orders.put(row);
    }
    // The visitor asked for other rows, so the pause ends.
    if (this.paused) this.pause();
    this.rowsReader.ask(true);
    this.search(this.text);
  }

  rowAt(target: EventTarget | null): Row | null {
    return this.list.rowAt(target);
  }

  /** The statuses to which the visitor may move an order. */
  movesOf(row: Row): readonly string[] {
    return (NEXT.get(row.status) ?? []).filter((to) => this.rights.mayMove(row, to));
  }

  get status(): string | null {
    return this.chosen?.status ?? null;
  }

  pause(): void {
    this.paused = this.paused ? null : { rows: this.view(), at: Date.now() };
    one('#pause').setAttribute('aria-pressed', String(this.paused !== null));
    this.go();
    this.painter.ask();
  }

  /** The visitor asked for other rows, so they replace the rows that were shown at the pause. */
  private thaw(): void {
    if (this.paused) this.paused.rows = this.view();
  }

  private text = '';
  private waiting = 0;

  search(text: string): void {
    this.text = text.trim().toLowerCase().replace(/^#/, '');
    this.found = null;
    clearTimeout(this.waiting);
    if (NUMBER.test(this.text) && !this.named()) {
      this.waiting = setTimeout(() => void this.find(this.text), 300);
    }
    this.thaw();
    this.painter.ask();
  }

  /** The order whose number the visitor searches for, in any status. */
  private named(): Row | null {
    if (!NUMBER.test(this.text)) return null;
    const id = Number(this.text);
    return this.found ?? this.all.get(id) ?? this.chosen?.orders.get(id) ?? null;
  }

  /** Looks for an older order by its number. */
  private async find(id: string): Promise<void> {
    const { names } = this.rights;
    const order = await ask<BoardOrder>('BoardOrder', { id, names }).catch(() => null);
    if (!order || id !== this.text) return;
    this.found = rowOf(order, names);
    this.thaw();
    this.painter.ask();
  }

  private view(): readonly Row[] {
    const { chosen, text, found } = this;
    const rows = (chosen?.orders ?? this.all)
      .newest()
      .filter((row) => chosen === null || row.status === chosen.status)
      .filter((row) => text === '' || isMatch(row, text));
    const isMissing = found !== null && !rows.some(({ id }) => id === found.id);
    if (isMissing && (chosen === null || found.status === chosen.status))
      return [found, ...rows].slice(0, MOST_SHOWN);
    return rows.slice(0, MOST_SHOWN);
  }

  /** Moves an order, if nobody has changed it since the visitor saw it. */
  async move(row: Row, status: string): Promise<void> {
    if (this.busy.has(row.id)) return;
    this.busy.add(row.id);
    this.notes.clear();
    this.painter.ask();
    say('');
    try {
      const order = await ask<BoardOrder>('BoardMove', { id: String(row.id), status, version: row.version });
      if (order) this.show(rowOf(order, false));
      say(order ? `Order ${row.id} is now ${status}.` : `Order ${row.id} is no longer there.`);
    } catch (error) {
      this.notes.set(row.id, await this.reasonOf(error, row, status));
    }
    this.busy.delete(row.id);
    this.painter.ask();
  }

  private async reasonOf(thrown: unknown, { id }: Row, status: string): Promise<string> {
    if (!(thrown instanceof Refused)) {
      return 'The service cannot be reached. Try again: the order is moved only once.';
    }
    if (!CHANGED.has(thrown.code)) return thrown.message;
    const { names } = this.rights;
    const present = await ask<BoardOrder>('BoardOrder', { id: String(id), names }).catch(() => null);
    if (!present) return 'Somebody changed this order meanwhile. Its present status cannot be read now.';
    this.show(rowOf(present, names));
    return present.status === status
      ? `The order is already ${status}.`
      : `Somebody changed this order meanwhile: it is now ${present.status}. You wanted ${status}. Nothing of yours was saved.`;
  }

  /** Shows the present state of a row, also while the board is paused. */
  private show(row: Row): void {
    this.put(row);
    if (!this.paused) return;
    const present = this.all.get(row.id) ?? row;
    this.paused.rows = this.paused.rows.map((each) => (each.id === row.id ? present : each));
  }

  private paint(): void {
    const rows = this.paused?.rows ?? this.view();
    // Until the script has read the orders, the page keeps the orders of the first HTML, or the empty rows in their
    // place.
    if (this.all.hasBegun) this.paintRows(rows);
    const isNameless = ({ id, userId, customer }: Row): boolean =>
      id > this.newestRead && userId !== null && customer === undefined;
    if (this.rights.names && rows.some(isNameless)) this.rowsReader.ask();
    if (!this.paused) this.paintFigures();
    this.paintState();
    main.dataset['events'] = String(this.events);
    main.dataset['paints'] = String(++this.paints);
  }

  private paintRows(rows: readonly Row[]): void {
    this.hasLoaded = true;
    // The list removes only rows that it made itself. So the rows of the first HTML and the empty rows are removed
    // here.
    for (const row of document.querySelectorAll('#list > :is([data-first], .waiting)')) row.remove();
    this.list.draw(rows);
    const none = one('#none');
    none.hidden = rows.length > 0;
    const named = this.named();
    if (named && this.chosen && named.status !== this.chosen.status)
      none.textContent = `Order ${named.id} is ${named.status}, and not ${this.chosen.status}.`;
    else
      none.textContent =
        this.chosen || this.text !== '' ? 'There is no such order.' : 'There are no orders yet.';
  }

  private paintFigures(): void {
    if (this.rights.reads === 'own' && this.all.hasBegun) {
      const own = this.all.newest();
      this.figures = figuresOf(own, [...NEXT.keys()], Date.now());
      one('#figures-title').textContent =
        own.length < READ_AT_ONCE ? 'Your orders' : `Your newest ${own.length} orders`;
    }
    if (!this.figures) return;
    this.picture.draw(this.figures);
  }

  showTables(): void {
    if (this.figures) this.picture.drawTables(this.figures);
  }

  private paintState(): void {
    const parts = [
      this.staleSince === null ? '' : `Stale since ${clock.format(this.staleSince)}. Connecting again…`,
      this.paused ? `Paused at ${clock.format(this.paused.at)}` : '',
    ].filter(Boolean);
    const text = parts.join(' ') || (!this.hasLoaded ? 'Loading…' : this.isLive ? 'Live' : 'Connecting…');
    const state = one('#state');
    if (state.textContent !== text) state.textContent = text;
    one('#board').ariaBusy = this.hasLoaded ? null : 'true';
    main.dataset['state'] = this.state();
  }

  private state(): string {
    if (this.staleSince !== null) return 'stale';
    if (this.paused) return 'paused';
    if (!this.hasLoaded) return 'loading';
    return this.isLive ? 'live' : '';
  }
}

function showFailure(message: string): void {
  one('#fault').textContent = message === '' ? '' : `The data cannot be read now. ${message}`;
}

function isMatch({ id, status, customer, words }: Row, text: string): boolean {
  return (
    String(id).startsWith(text) ||
    status.startsWith(text) ||
    words.includes(text) ||
    customer?.toLowerCase().includes(text) === true
  );
}

/** Shows a link to the sign-in instead of the board. */
function askToSignIn(why?: string): void {
  if (why !== undefined) one('#why').textContent = why;
  one('#ask').hidden = false;
  one('#board').hidden = true;
  one('#pause').hidden = true;
  one('#state').textContent = '';
  delete main.dataset['state'];
}

function follow(board: Board): void {
  const list = one('#list');
  list.addEventListener('click', (event) => {
    const to = (event.target as Element).closest<HTMLElement>('[data-to]')?.dataset['to'];
    const row = board.rowAt(event.target);
    if (to !== undefined && row) void board.move(row, to);
  });
  // These keys work only while the focus is on an order, so that a key pressed elsewhere moves no order.
  list.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const row = board.rowAt(event.target);
    const to = row && board.movesOf(row).find((status) => keyOf(status) === event.key.toLowerCase());
    if (!row || !to) return;
    event.preventDefault();
    void board.move(row, to);
  });
  for (const tile of tiles) {
    tile.addEventListener('click', () => {
      const status = tile.dataset['status'] ?? null;
      board.choose(status === board.status ? null : status);
    });
  }
  search.addEventListener('input', () => board.search(search.value));
  one('#pause').addEventListener('click', () => board.pause());
  one('#tables').addEventListener('toggle', () => board.showTables());
}

showAccount(say);
const holder = session()?.holder;
const rights = holder && rightsOf(holder);
if (!rights && main.hasAttribute('data-first')) {
  // The visitor has signed in with the dialog of the browser, and the page has the data of this user.
  one('#why').textContent = 'The board shows the orders as they were when it was loaded. To see new orders:';
  one('#ask').hidden = false;
  one('#pause').hidden = true;
} else if (!rights) askToSignIn();
else if (rights.reads === 'none') askToSignIn('Your credential may not read orders.');
else {
  const board = new Board(rights);
  follow(board);
  // If the first HTML cannot be read, the board shows its data a little later.
  void board.showFirst().catch(() => undefined);
  board.start();
}
