import { MessageType } from 'graphql-ws';
import { textFrame } from './frame.js';

/**
 * The most subscribers of one result that are woken in one turn of the event loop. Such a turn takes a few
 * milliseconds, in which nothing else is served.
 */
const TOLD_AT_ONCE = 500;

/** The part of a WebSocket message that comes before the result. After the result, the message needs only a bracket. */
export function headOf(id: string): string {
  return `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`;
}

/** The result of one event for the subscribers of one `Group`. These subscribers share the object. */
export class Delivery {
  #tail: Buffer | null = null;
  #head = '';
  #frame: Buffer | null = null;

  /** @param cursor the cursor after which to continue; null for an event that is not in the log */
  constructor(
    readonly json: string,
    readonly cursor: string | null,
  ) {}

  /**
   * The frame of a WebSocket message whose last member is this result. The UTF-8 bytes are made once for all
   * subscribers. A frame is shared as long as the next subscriber has the same operation id; many client libraries
   * number their operations in the same way.
   *
   * @param head see `headOf`
   */
  frameAfter(head: string): Buffer {
    if (this.#frame === null || head !== this.#head) {
      this.#tail ??= Buffer.from(`${this.json}}`);
      this.#frame = textFrame(head, this.#tail);
      this.#head = head;
    }
    return this.#frame;
  }
}

/** A delivery that is finished or being made, for all subscribers that wait for it. */
export class SharedResult {
  #delivery: Delivery | null = null;
  #fault: Error | null = null;
  #waiting: (() => void)[] = [];

  constructor(make: () => Delivery | Promise<Delivery>) {
    try {
      const made = make();
      if (made instanceof Delivery) this.#delivery = made;
      else void this.#settle(made);
    } catch (error) {
      this.#fault = error as Error;
    }
  }

  /** Returns null until the delivery is made. @throws the error of a delivery that could not be made */
  take(): Delivery | null {
    if (this.#fault !== null) throw this.#fault;
    return this.#delivery;
  }

  /** See `Flow.whenReady`. */
  whenReady(wake: () => void): void {
    this.#waiting.push(wake);
  }

  async #settle(made: Promise<Delivery>): Promise<void> {
    try {
      this.#delivery = await made;
    } catch (error) {
      this.#fault = error as Error;
    }
    this.#tell();
  }

  readonly #tell = (): void => {
    for (const wake of this.#waiting.splice(0, TOLD_AT_ONCE)) wake();
    if (this.#waiting.length > 0) setImmediate(this.#tell);
  };
}
