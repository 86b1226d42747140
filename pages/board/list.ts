import type { Row } from './orders.js';

/** The texts and the rights that the rows of the list need. */
export interface RowContext {
  readonly money: (amount: number) => string;
  /** The statuses to which the visitor may move the order. */
  readonly movesOf: (row: Row) => readonly string[];
  readonly note: (row: Row) => string;
  readonly isBusy: (row: Row) => boolean;
}

interface Shown {
  readonly element: HTMLElement;
  row: Row | null;
  key: string;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DAY_MS = 86_400_000;

/** The list of orders. A row keeps its element while it is shown, so that the focus stays where it is. */
export class List {
  private readonly shown = new Map<number, Shown>();

  constructor(
    private readonly list: HTMLElement,
    private readonly template: HTMLTemplateElement,
    private readonly context: RowContext,
  ) {
    list.addEventListener('keydown', (event) => this.step(event));
  }

  draw(rows: readonly Row[]): void {
    const isFirst = this.shown.size === 0;
    const wanted = new Set(rows.map(({ id }) => id));
    for (const [id, { element }] of this.shown) {
      if (wanted.has(id)) continue;
      this.shown.delete(id);
      const hadFocus = element.contains(document.activeElement);
      element.remove();
      if (hadFocus) this.list.focus();
    }
    let next = this.list.firstElementChild;
    for (const row of rows) {
      const shown = this.shown.get(row.id) ?? this.added(row.id, !isFirst);
      this.fill(shown, row);
      if (shown.element === next) next = next.nextElementSibling;
      else this.list.insertBefore(shown.element, next);
    }
  }

  /** The row of an element inside the list, as the visitor sees it. */
  rowAt(target: EventTarget | null): Row | null {
    const id = Number((target as Element).closest<HTMLElement>('[data-id]')?.dataset['id']);
    return this.shown.get(id)?.row ?? null;
  }

  private added(id: number, isNew: boolean): Shown {
    const element = (this.template.content.cloneNode(true) as DocumentFragment)
      .firstElementChild as HTMLElement;
    element.dataset['id'] = String(id);
    element.classList.toggle('new', isNew);
    const shown: Shown = { element, row: null, key: '' };
    this.shown.set(id, shown);
    return shown;
  }

  private fill(shown: Shown, row: Row): void {
    const { money, movesOf, note, isBusy } = this.context;
    const [moves, said, busy] = [movesOf(row), note(row), isBusy(row)];
    const key = [row.version, row.status, row.customer, moves.join(' '), said, busy].join('\n');
    if (shown.key === key) return;
    const { element } = shown;
    const put = (selector: string, text: string): HTMLElement => {
      const part = element.querySelector(selector) as HTMLElement;
      if (part.textContent !== text) part.textContent = text;
      return part;
    };
    const link = put('.number', `Order ${row.id}`) as HTMLAnchorElement;
    link.href = `/api/v2/orders/${row.id}`;
    put('.customer', row.customer ?? (row.userId === null ? 'Removed user' : `User ${row.userId}`));
    put('.lines', row.lines);
    const placed = new Date(row.placedAt);
    const isRecent = Date.now() - row.placedAt < DAY_MS;
    const time = put(
      'time',
      isRecent ? clock.format(placed) : `${date.format(placed)} ${clock.format(placed)}`,
    );
    time.setAttribute('datetime', placed.toISOString());
    put('.money', money(row.amount));
    put('.status', row.status).dataset['status'] = row.status;
    if (shown.row && shown.row.status !== row.status) element.classList.add('moved');
    put('.note', said).hidden = said === '';
    element.setAttribute('aria-busy', String(busy));
    this.fillMoves(element.querySelector('.moves') as HTMLElement, row, moves);
    shown.row = row;
    shown.key = key;
  }

  private fillMoves(place: HTMLElement, { id }: Row, moves: readonly string[]): void {
    const present = [...place.children].map((button) => (button as HTMLElement).dataset['to']);
    if (present.join(' ') === moves.join(' ')) return;
    const hadFocus = place.contains(document.activeElement);
    place.replaceChildren(
      ...moves.map((status) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'quiet';
        button.dataset['to'] = status;
        button.textContent = status;
        button.setAttribute('aria-label', `${status}: move order ${id} to ${status}`);
        button.setAttribute('aria-keyshortcuts', keyOf(status));
        return button;
      }),
    );
    // The focused button is gone. The focus moves to the number of the order, so that the next key is for the same
    // order.
    if (hadFocus) place.parentElement?.querySelector<HTMLElement>('.number')?.focus();
  }

  /** The arrow keys go from order to order. */
  private step(event: KeyboardEvent): void {
    const here = (event.target as Element).closest('[data-id]');
    const there =
      event.key === 'ArrowDown'
        ? (here?.nextElementSibling ?? (here ? null : this.list.firstElementChild))
        : event.key === 'ArrowUp'
          ? here?.previousElementSibling
          : null;
    if (!there) return;
    event.preventDefault();
    there.querySelector<HTMLElement>('.number')?.focus();
  }
}

/** The key that moves an order to a status, such as `p` for `paid`. */
export function keyOf(status: string): string {
  return status.charAt(0);
}
