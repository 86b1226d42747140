import type { Redis } from 'ioredis';

/** The interval of probes. Messages may be absent for hours, so a probe checks whether the connection still works. */
const PROBE_MS = 5_000;
const RETRY_MS = 500;

/**
 * Listens to a channel of Redis, over a connection that does nothing else. It reconnects automatically; messages during
 * an interruption are lost.
 */
export class ChannelListener {
  readonly #client: Redis;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param client a client that is not connected yet
   * @param heard is called for each message, and each time that listening begins, also after an interruption, because
   *   messages may have been missed
   */
  constructor(client: Redis, channel: string, heard: () => void) {
    this.#client = client;
    // Nothing is logged here. If Redis cannot be reached, `RedisConnection` notices it on its own connection, and logs
    // it.
    client.on('error', () => {});
    client.on('close', () => clearTimeout(this.#timer));
    client.on('ready', () => void this.#require(client.subscribe(channel), heard));
    client.on('message', heard);
    client.connect().catch(() => {});
  }

  stop(): void {
    this.#client.disconnect();
    clearTimeout(this.#timer);
  }

  /** Waits for an answer, and reconnects when none comes. */
  async #require(answer: Promise<unknown>, answered: () => void): Promise<void> {
    try {
      await answer;
      answered();
      this.#after(PROBE_MS, () => void this.#require(this.#client.ping(), () => {}));
    } catch {
      this.#after(RETRY_MS, () => this.#client.disconnect(true));
    }
  }

  #after(milliseconds: number, callback: () => void): void {
    clearTimeout(this.#timer);
    if (this.#client.status === 'ready') this.#timer = setTimeout(callback, milliseconds).unref();
  }
}
