import { Painter } from '../board/painter.js';
import { EventStream } from './event-stream.js';

/*
 * Follows the log of events, on the page that shows this log. The list shows the newest events first. It has the filter
 * of the page, but not the period of the page.
 */

const MOST_KEPT = 200;
const MOST_SHOWN = 50;
/** The link to the newest events leads to a page that begins this many places before the end of the log. */
const NEWEST = 100;

interface LoggedEvent {
  readonly type: string;
  readonly entity: string;
  readonly entity_id: number;
  readonly occurred_at: string;
  readonly actor: { readonly kind: string; readonly user_id: number | null };
}

interface Entry {
  readonly id: string;
  /** The event as the service sent it. */
  readonly text: string;
  readonly event: LoggedEvent;
  /** The words that a search compares. */
  readonly words: string;
  element: HTMLElement | null;
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Follows the log after the visitor has pressed the button. */
export class Tail {
  private readonly stream: EventStream;
  private readonly painter = new Painter(() => this.paint());
  private entries: Entry[] = [];
  private isFollowing = false;
  private isLive = false;
  private staleSince: number | null = null;
  private pausedAt: number | null = null;
  private note = '';
  private count = 0;
  private paints = 0;

  constructor(private readonly section: HTMLElement) {
    this.stream = new EventStream(section.dataset['tail'] ?? '', {
      begun: (id) => {
        this.isLive = true;
        this.staleSince = null;
        this.showNewest(Number(id));
        this.painter.ask();
      },
      event: (text, id) => this.take(text, id),
      cut: (heardAt) => {
        this.isLive = false;
        this.staleSince ??= heardAt;
        this.painter.ask();
      },
      missed: () => {
        this.note = 'Some events are missing, because the log no longer has them.';
        this.painter.ask();
      },
      refused: (message) => {
        this.pause();
        this.note = message;
        this.painter.ask();
      },
    });
    this.part('[data-follow]').addEventListener('click', () => (this.isFollowing ? this.pause() : this.go()));
    this.part('input').addEventListener('input', () => this.painter.ask());
  }

  /** Ends the stream. After the pause, the stream continues after its last event. So a pause takes no memory. */
  pause(): void {
    this.isFollowing = false;
    this.isLive = false;
    this.staleSince = null;
    this.pausedAt = Date.now();
    this.stream.stop();
    this.painter.ask();
  }

  private go(): void {
    this.isFollowing = true;
    this.pausedAt = null;
    this.note = '';
    this.stream.start();
    this.painter.ask();
  }

  private take(text: string, id: string): void {
    const event = JSON.parse(text) as LoggedEvent;
    const { type, entity, entity_id, actor } = event;
    const words = `${type} ${entity} ${entity_id} ${actor.kind} ${actor.user_id ?? ''}`.toLowerCase();
    this.count += 1;
    if (words.includes(this.sought)) {
      this.entries.push({ id, text, event, words, element: null });
      // Many entries are removed at once, so that the removal costs little for each event.
      if (this.entries.length > 2 * MOST_KEPT) this.entries = this.entries.slice(-MOST_KEPT);
    }
    this.painter.ask();
  }

  private get sought(): string {
    return (this.part('input') as HTMLInputElement).value.trim().toLowerCase();
  }

  private part(selector: string): HTMLElement {
    return this.section.querySelector(selector) as HTMLElement;
  }

  private showNewest(position: number): void {
    const link = this.part('[data-newest]') as HTMLAnchorElement;
    const address = new URL(this.section.dataset['tail'] ?? '', location.href);
    address.searchParams.set('after', String(Math.max(0, position - NEWEST)));
    address.searchParams.set('limit', String(NEWEST));
    link.href = address.pathname + address.search;
    link.hidden = false;
  }

  private paint(): void {
    const { sought } = this;
    const shown = this.entries.filter(({ words }) => words.includes(sought)).slice(-MOST_SHOWN);
    for (const entry of this.entries) if (!shown.includes(entry)) entry.element = null;
    const list = this.part('ol');
    const wanted = shown.map((entry) => (entry.element ??= elementOf(entry))).toReversed();
    const present = new Set<Element>(wanted);
    for (const child of list.querySelectorAll(':scope > li')) if (!present.has(child)) child.remove();
    // An element that stays is not moved, so that it keeps the focus.
    wanted.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    const none = this.part('[data-none]');
    none.hidden = shown.length > 0 || !this.isFollowing;
    none.textContent = this.count > 0 ? 'No event with these words yet.' : 'No event yet.';
    this.paintState();
    this.section.dataset['events'] = String(this.count);
    this.section.dataset['paints'] = String(++this.paints);
    this.section.dataset['kept'] = String(this.entries.length);
  }

  private paintState(): void {
    const present =
      this.staleSince !== null
        ? `Stale since ${clock.format(this.staleSince)}. Connecting again…`
        : this.pausedAt !== null
          ? `Paused at ${clock.format(this.pausedAt)}.`
          : this.isLive
            ? 'Live.'
            : this.isFollowing
              ? 'Connecting…'
              : '';
    const text = [present, this.note].filter(Boolean).join(' ');
    // A screen reader reads this text after each change, so it changes only with the state, and not with each event.
    const state = this.part('[role=status]');
    if (state.textContent !== text) state.textContent = text;
    this.part('[data-follow]').textContent = this.isFollowing
      ? 'Pause'
      : this.pausedAt === null
        ? 'Follow new events'
        : 'Go on';
  }
}

function elementOf({ id, text, event }: Entry): HTMLElement {
  const { type, entity, entity_id, occurred_at, actor } = event;
  const item = document.createElement('li');
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  const time = document.createElement('time');
  time.dateTime = occurred_at;
  time.textContent = clock.format(new Date(occurred_at));
  const parts = [
    type,
    `${entity} ${entity_id}`,
    `by ${[actor.kind, actor.user_id].filter(Boolean).join(' ')}`,
  ];
  summary.append(time, ...parts.map(spanOf));
  const body = document.createElement('pre');
  body.tabIndex = 0;
  details.append(summary, body);
  // The text is formatted when somebody wants to see it.
  details.addEventListener('toggle', () => (body.textContent = JSON.stringify(JSON.parse(text), null, 2)));
  item.dataset['id'] = id;
  item.append(details);
  return item;
}

function spanOf(text: string): HTMLElement {
  const span = document.createElement('span');
  span.textContent = text;
  return span;
}
