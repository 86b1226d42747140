import { Broadcast } from './broadcast.js';
import type { Flow } from './flow.js';
import { StoreEvent } from './store-event.js';

/**
 * A choice of events: the events whose entity has this value in this member, such as the events about the orders of one
 * user.
 */
export interface Only {
  readonly member: string;
  readonly value: number;
}

/** Whether the entity of an event has the value; always true without a choice. */
export function isMeant(event: unknown, only: Only | null): boolean {
  return only === null || memberOf(event, only.member) === only.value;
}

/**
 * The subscribers of a topic. A subscriber may want only the events that have one value in one member. The audience
 * finds such subscribers by this value. So an event costs nothing for the subscribers that do not want it.
 */
export class Audience<T> {
  private everyone: Broadcast<T> | null = null;
  /** By member, and then by value. */
  private readonly chosen = new Map<string, Map<number, Broadcast<T>>>();
  /** The broadcasts that may have woken only some of their listeners. */
  private readonly telling = new Set<Broadcast<T>>();
  private listeners = 0;

  /** @param abandoned is called when the last subscriber has left */
  constructor(private readonly abandoned: () => void) {}

  get size(): number {
    return this.listeners;
  }

  /** Listens to the events from now on. */
  listen(only: Only | null): Flow<T> {
    this.listeners += 1;
    return this.broadcastOf(only).listen();
  }

  push(event: T): void {
    if (this.everyone) this.tell(this.everyone, event);
    for (const [member, byValue] of this.chosen) {
      const broadcast = byValue.get(memberOf(event, member) as number);
      if (broadcast) this.tell(broadcast, event);
    }
  }

  /** Resolves when all waiting subscribers were woken for all events. */
  async told(): Promise<void> {
    for (const broadcast of this.telling) {
      await broadcast.told;
      this.telling.delete(broadcast);
    }
  }

  private tell(broadcast: Broadcast<T>, event: T): void {
    broadcast.push(event);
    this.telling.add(broadcast);
  }

  private broadcastOf(only: Only | null): Broadcast<T> {
    if (only === null) return (this.everyone ??= this.begin(() => (this.everyone = null)));
    const { member, value } = only;
    const byValue = this.chosen.get(member) ?? new Map<number, Broadcast<T>>();
    this.chosen.set(member, byValue);
    const known = byValue.get(value);
    if (known) return known;
    const broadcast = this.begin(() => {
      byValue.delete(value);
      if (byValue.size === 0) this.chosen.delete(member);
    });
    byValue.set(value, broadcast);
    return broadcast;
  }

  private begin(forget: () => void): Broadcast<T> {
    return new Broadcast<T>({
      left: () => (this.listeners -= 1),
      abandoned: () => {
        forget();
        if (this.listeners === 0) this.abandoned();
      },
    });
  }
}

function memberOf(event: unknown, member: string): unknown {
  const entity = event instanceof StoreEvent ? (event.snapshot as unknown) : event;
  return (entity as Readonly<Record<string, unknown>>)[member];
}
