import type { Redis } from 'ioredis';

/** Nothing may come for hours, so that it is asked whether anything still could. */
const PROBE_MS = 5_000;
const RETRY_MS = 500;

/**
 * Listens to a channel of Redis, over a connection that can do nothing else. It comes back by itself; what was said
 * meanwhile is lost.
 */
export class ChannelListener {
  readonly #client: Redis;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param client not yet connected
   * @param heard is called for each message, and whenever the listening begins (again): something may have been missed
   */
  constructor(client: Redis, channel: string, heard: () => void) {
    this.#client = client;
    // Whoever sends commands has told the log.
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

  /** Begins anew, with another connection, when it is not answered. */
  async #require(answer: Promise<unknown>, answered: () => void): Promise<void> {
    try {
      await answer;
      answered();
      this.#after(PROBE_MS, () => void this.#require(this.#client.ping(), () => {}));
    } catch {
      this.#after(RETRY_MS, () => this.#client.disconnect(true));
    }
  }

  #after(milliseconds: number, act: () => void): void {
    clearTimeout(this.#timer);
    if (this.#client.status === 'ready') this.#timer = setTimeout(act, milliseconds).unref();
  }
}
