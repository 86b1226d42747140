import { kindOf } from './event-kinds.js';
import type { StoreEvent } from './store-event.js';

const MOST_EVENTS = 1_000;
/** The maximum number of characters of data in memory. */
const MOST_CHARACTERS = 1_048_576;

/**
 * The last events that this process has published, without a gap. When an instance ends, its subscribers connect
 * to the other instances at the same time, and want the events of the last seconds. They get these events from here, so
 * that they do not all read the log (ADR 69).
 *
 * Events about persons are not kept, because their data may be overwritten in the log. An event about a person also
 * removes the events before it, so that there is no gap.
 */
export class RecentEvents {
  private events: StoreEvent[] = [];
  private characters = 0;

  add(event: StoreEvent): void {
    const last = this.events.at(-1);
    const isPerson = kindOf(event.type)?.isPerson === true;
    if (isPerson || (last !== undefined && event.position !== last.position + 1)) this.clear();
    if (isPerson) return;
    this.events.push(event.again());
    this.characters += event.size;
    while (this.events.length > MOST_EVENTS || this.characters > MOST_CHARACTERS)
      this.characters -= this.events.shift()?.size ?? 0;
  }

  /**
   * The next events after a position, in order: at most `limit` of them, with at most `characters` characters together,
   * but at least one event. Each call makes new objects for the events. So the results that are computed for such an
   * object do not stay in memory.
   *
   * @param newest the position of the last event of the log, as far as this process knows it
   * @returns null if some of the events after the position are not here, or if there are none
   */
  after(position: number, newest: number, limit: number, characters: number): readonly StoreEvent[] | null {
    const first = this.events[0]?.position;
    if (first === undefined || position + 1 < first || this.events.at(-1)?.position !== newest) return null;
    const found: StoreEvent[] = [];
    let size = 0;
    for (let index = position + 1 - first; index < this.events.length && found.length < limit; index += 1) {
      const event = this.events[index] as StoreEvent;
      size += event.size;
      if (found.length > 0 && size > characters) break;
      found.push(event.again());
    }
    return found.length === 0 ? null : found;
  }

  private clear(): void {
    this.events = [];
    this.characters = 0;
  }
}
