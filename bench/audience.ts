import { setTimeout as sleep } from 'node:timers/promises';
import { LoadConnection } from './load-connection.ts';
import { NEW_ORDER_QUERY } from './queries.ts';
import { REQUESTS, type RequestSettings } from './requests.ts';
import { Subscriber } from './subscriber.ts';

/** The milliseconds from the answer to an order until a subscriber has the order. */
export interface Lag {
  readonly p50: number;
  readonly p99: number;
}

const MOST_AT_ONCE = 200;
const TIMEOUT_MS = 30_000;
const TRY_MS = 500;

/** The subscribers of one server. They stay connected for all windows of load. */
export class Audience {
  readonly #subscribers: Subscriber[] = [];
  #subscribed = 0;
  #arrivals: number[] = [];
  #last: Buffer = Buffer.alloc(0);
  #failure: string | null = null;
  #changed: () => void = () => undefined;

  readonly #settings: RequestSettings;

  private constructor(settings: RequestSettings) {
    this.#settings = settings;
  }

  /** @throws Error when not all subscribers can be connected, or when not all of them receive an order */
  static async open(settings: RequestSettings, count: number): Promise<Audience> {
    const audience = new Audience(settings);
    const listener = {
      subscribed: () => {
        audience.#subscribed += 1;
        audience.#changed();
      },
      heard: (frame: Buffer) => audience.#hear(frame),
      failed: (reason: string) => {
        audience.#failure = reason;
        audience.#changed();
      },
    };
    const { port, key } = settings;
    const subscribers = audience.#subscribers;
    while (subscribers.length < count) {
      const most = Math.min(count, subscribers.length + MOST_AT_ONCE);
      while (subscribers.length < most)
        subscribers.push(new Subscriber(port, key, NEW_ORDER_QUERY, listener));
      await audience.#until(() => audience.#subscribed === most);
    }
    await audience.#everybodyHears();
    return audience;
  }

  /** The last event that a subscriber received. */
  get last(): unknown {
    return JSON.parse(this.#last.toString());
  }

  /**
   * Places orders for the given time, one after another. The next order is placed when all subscribers have received
   * the previous order.
   *
   * @returns the number of deliveries, the seconds that passed, and how late the orders came
   */
  async hear(seconds: number): Promise<{ deliveries: number; seconds: number; lag: Lag }> {
    const connection = new LoadConnection(this.#settings.port);
    const next = REQUESTS.createOrder(this.#settings);
    const lags: number[] = [];
    const start = performance.now();
    try {
      while (performance.now() < start + seconds * 1000) {
        this.#arrivals = [];
        await connection.ask(next());
        const answeredAt = performance.now();
        await this.#until(() => this.#arrivals.length === this.#subscribers.length);
        for (const at of this.#arrivals) lags.push(Math.max(0, at - answeredAt));
      }
    } finally {
      connection.close();
    }
    lags.sort((a, b) => a - b);
    const at = (share: number): number => lags[Math.floor((lags.length - 1) * share)] ?? Number.NaN;
    return {
      deliveries: lags.length,
      seconds: (performance.now() - start) / 1000,
      lag: { p50: at(0.5), p99: at(0.99) },
    };
  }

  leave(): void {
    for (const subscriber of this.#subscribers) subscriber.leave();
  }

  /**
   * Places orders until all subscribers have received the same order. The service does not confirm a
   * subscription. So only a received order shows that a subscription is active.
   */
  async #everybodyHears(): Promise<void> {
    const connection = new LoadConnection(this.#settings.port);
    const next = REQUESTS.createOrder(this.#settings);
    try {
      for (const end = performance.now() + TIMEOUT_MS; performance.now() < end;) {
        this.#arrivals = [];
        await connection.ask(next());
        await sleep(TRY_MS);
        if (this.#failure !== null) throw new Error(this.#failure);
        if (this.#arrivals.length === this.#subscribers.length) return;
      }
      throw new Error('Not all subscribers receive an order');
    } finally {
      connection.close();
    }
  }

  #hear(frame: Buffer): void {
    this.#arrivals.push(performance.now());
    this.#last = frame;
    if (this.#arrivals.length === this.#subscribers.length) this.#changed();
  }

  async #until(isSo: () => boolean): Promise<void> {
    const timer = setTimeout(() => {
      this.#failure ??= `Not all subscribers were served within ${TIMEOUT_MS} ms`;
      this.#changed();
    }, TIMEOUT_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#changed = () => {
          if (this.#failure !== null) reject(new Error(this.#failure));
          else if (isSo()) resolve();
        };
        this.#changed();
      });
    } finally {
      clearTimeout(timer);
      this.#changed = () => undefined;
    }
  }
}
