import { setTimeout as sleep } from 'node:timers/promises';
import { requireThat } from './options.ts';

const SETTLED_MS = 60_000;
const PAUSE_MS = 100;

export interface Order {
  readonly id: number;
  readonly status: string;
  readonly total: number;
  readonly items: readonly {
    readonly product_id: number;
    readonly unit_price: number;
    readonly quantity: number;
    readonly total: number;
  }[];
}

export interface Product {
  readonly id: number;
  readonly name: string;
}

/** A request that is sent with its key until it is answered. */
export interface Act {
  readonly key: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
}

export interface Settled<T = unknown> {
  readonly act: Act;
  /** What was acknowledged; null for what was refused for want of stock. */
  readonly result: T | null;
  readonly isReplayed: boolean;
  /** Whether it was cut off at least once before it was answered. */
  readonly isCut: boolean;
}

/** The service as its customers see it: at one address, and gone now and then. */
export class Shop {
  readonly url: string;
  readonly key: string;
  #isLeft = false;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** Ends what would be sent again. */
  leave(): void {
    this.#isLeft = true;
  }

  async get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}/api/v1${path}`, { headers: { 'x-api-key': this.key } });
    requireThat(response.status === 200, () => `GET ${path} is answered with ${response.status}.`);
    return (await response.json()) as T;
  }

  /** All of a list, in the order of the ids. */
  async list<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page++) {
      const items = await this.get<T[]>(`${path}?limit=100&page=${page}`);
      found.push(...items);
      if (items.length < 100) return found;
    }
  }

  async put(path: string, body: object): Promise<void> {
    const response = await this.#send({ method: 'PUT', path, body });
    requireThat(response.status === 200, () => `PUT ${path} is answered with ${response.status}.`);
  }

  /** Sends the same request until there is an answer to it. */
  async settle<T>(act: Act): Promise<Settled<T>> {
    const deadline = Date.now() + SETTLED_MS;
    let isCut = false;
    while (!this.#isLeft) {
      const answer = await this.#answer(act);
      if (answer === null) isCut = true;
      else if (answer.status === 200 || answer.status === 201) {
        requireThat(!answer.isReplayed || isCut, () => `${act.key}, sent once, is answered as a repetition.`);
        return { act, result: answer.body as T, isReplayed: answer.isReplayed, isCut };
      } else if (answer.code === 'OUT_OF_STOCK') return { act, result: null, isReplayed: false, isCut };
      else {
        // The connection of who was killed may live a little longer than that.
        const isTransient = answer.status === 503 || answer.code === 'IDEMPOTENCY_KEY_IN_USE';
        requireThat(
          isTransient,
          () => `${act.key}: ${act.method} ${act.path} is answered with ${answer.text}`,
        );
      }
      requireThat(Date.now() < deadline, () => `${act.key} has no answer after ${SETTLED_MS / 1000} s.`);
      await sleep(PAUSE_MS);
    }
    throw new Error(`Interrupted before ${act.key} was answered.`);
  }

  /** Sends what was settled once more. */
  async repeat({ act, result }: Settled): Promise<void> {
    const answer = await this.#answer(act);
    requireThat(
      answer !== null && answer.isReplayed && JSON.stringify(answer.body) === JSON.stringify(result),
      () => `${act.key} was answered with ${JSON.stringify(result)}, and is now with ${answer?.text}`,
    );
  }

  /** Null when there is none. */
  async #answer(act: Act) {
    try {
      const response = await this.#send(act);
      const text = await response.text();
      const body = JSON.parse(text) as { code?: string };
      const { status, headers } = response;
      return {
        status,
        text,
        body,
        code: body.code,
        isReplayed: headers.get('idempotent-replayed') === 'true',
      };
    } catch {
      return null;
    }
  }

  #send({ method, path, body, key }: { method: string; path: string; body: object; key?: string }) {
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': this.key,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
  }
}
