import { textFrame } from './frame.js';

/** So many are told in one turn of the event loop: some milliseconds, in which nobody else is served. */
const TOLD_AT_ONCE = 500;

/** What one event is to subscribers with the same selection and rights: the same object for all of them. */
export class Delivery {
  #tail: Buffer | null = null;
  #head = '';
  #frame: Buffer | null = null;

  /** @param cursor behind which to go on; null for what is not in the log */
  constructor(
    readonly json: string,
    readonly cursor: string | null,
  ) {}

  /**
   * As a message of a WebSocket, the last member of an object. UTF-8 is made once for all, and subscribers who have called
   * their operation alike, as stock clients that count do, have one frame.
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

/** A delivery, or one that is being made, for all who wait for it. */
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

  /** Null as long as it is not there. */
  take(): Delivery | null {
    if (this.#fault !== null) throw this.#fault;
    return this.#delivery;
  }

  /** As in `Flow`. */
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
