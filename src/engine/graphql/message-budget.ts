import { Bucket } from '../rate-limits/bucket.js';
import type { Place } from '../rate-limits/places.js';

const AT_ONCE = 500;
const PER_SECOND = 50;
/** A message counts as one unit, and as one more unit for each full 64 KiB. */
const BYTES_OF_A_UNIT = 65_536;

/** The reason in the close frame. */
export const TOO_MANY_MESSAGES = `Too many messages: a socket may send ${AT_ONCE} at once and ${PER_SECOND} a second; operations do not count`;

/**
 * Bounds the messages and control frames that a client may send on a WebSocket. The rate limits count each operation
 * already, so the units of its message are given back here.
 */
export class MessageBudget {
  private readonly own = new Bucket(AT_ONCE, PER_SECOND);

  constructor(private readonly place: Place) {}

  take(bytes: number): boolean {
    const units = unitsOf(bytes);
    return this.own.take(units) && this.place.takeMessages(units);
  }

  giveBack(bytes: number): void {
    const units = unitsOf(bytes);
    this.own.giveBack(units);
    this.place.giveMessagesBack(units);
  }
}

function unitsOf(bytes: number): number {
  return 1 + Math.floor(bytes / BYTES_OF_A_UNIT);
}
