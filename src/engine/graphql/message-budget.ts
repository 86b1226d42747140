import { Bucket } from '../rate-limits/bucket.js';
import { MESSAGES_AT_ONCE, MESSAGES_PER_SECOND, type Place } from '../rate-limits/places.js';

const AT_ONCE = 500;
const PER_SECOND = 50;
/** A message counts as one unit, and as one more unit for each full 64 KiB. */
const BYTES_OF_A_UNIT = 65_536;

// The reasons in the close frame, which has room for 123 bytes.
const TOO_MANY = `Too many messages: a socket may send ${AT_ONCE} at once and ${PER_SECOND} a second; operations do not count`;
const TOO_MANY_TOGETHER = `Too many messages: all sockets of a caller or address may send ${MESSAGES_AT_ONCE} at once and ${MESSAGES_PER_SECOND} a second; operations do not count`;

/**
 * Bounds the messages and control frames that a client may send on a WebSocket. The rate limits count each operation
 * already, so the units of its message are given back here.
 */
export class MessageBudget {
  private readonly own = new Bucket(AT_ONCE, PER_SECOND);

  constructor(private readonly place: Place) {}

  /** Counts a message. Returns the reason to close the socket if there are too many messages, otherwise null. */
  take(bytes: number): string | null {
    const units = unitsOf(bytes);
    if (!this.own.take(units)) return TOO_MANY;
    return this.place.takeMessages(units) ? null : TOO_MANY_TOGETHER;
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
