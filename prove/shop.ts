import { setTimeout as sleep } from 'node:timers/promises';
import { requireThat } from './options.ts';

const SETTLED_MS = 60_000;
const PAUSE_MS = 100;
const MOVING_AFTER = 400;
/** If the COMMIT got no answer, the text of the 503 has this part. Every other 503 says that nothing was changed. */
const OUTCOME_UNKNOWN = /It is not known whether the change was stored/;

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

/** A request that is sent again, with the same key, until it is answered. */
export interface KeyedRequest {
  readonly key: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
}

export interface Settled<T = unknown> {
  readonly request: KeyedRequest;
  /** The acknowledged result; null when the request was refused because the stock was too small. */
  readonly result: T | null;
  readonly isReplayed: boolean;
  /**
   * Whether the request was cut off at least once before it was answered, or got an answer that says that the outcome
   * is not known.
   */
  readonly isCut: boolean;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
  readonly code: string | undefined;
  readonly isReplayed: boolean;
}

/**
 * The service as its clients see it. It has one or more addresses, and clients use them in turn. Each address is
 * sometimes down.
 */
export class Shop {
  readonly urls: readonly string[];
  readonly key: string;
  readonly #signal: AbortSignal;
  #requests = 0;
  #moves = 0;
  #events = 0;

  /** @param signal ends the repetition of requests */
  constructor(urls: readonly string[], key: string, signal: AbortSignal) {
    this.urls = urls;
    this.key = key;
    this.#signal = signal;
  }

  /** Another address, if there is one. Clients that are cut off together are spread over the other addresses. */
  placeAfter(place: number): number {
    return place + 1 + (this.#moves++ % Math.max(1, this.urls.length - 1));
  }

  /**
   * Whether the subscriber must now close its own connection and connect again. So subscribers also connect again when
   * no instance was killed. Call this at each event of each subscriber.
   */
  isTimeToMove(): boolean {
    return ++this.#events % MOVING_AFTER === 0;
  }

  urlOf(place: number): string {
    return this.urls[place % this.urls.length] as string;
  }

  async get<T>(path: string): Promise<T> {
    const url = this.urlOf(this.#requests++);
    const response = await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': this.key } });
    requireThat(response.status === 200, () => `GET ${path} is answered with ${response.status} by ${url}.`);
    return (await response.json()) as T;
  }

  /** All items of a list, in the order of ids. */
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

  /** Sends the same request until it is answered. */
  async settle<T>(request: KeyedRequest): Promise<Settled<T>> {
    const deadline = Date.now() + SETTLED_MS;
    let isCut = false;
    while (!this.#signal.aborted) {
      const answer = await this.#answer(request);
      isCut ||= answer === null || OUTCOME_UNKNOWN.test(answer.text);
      const settled = answer && settledBy<T>(request, answer, isCut);
      if (settled) return settled;
      requireThat(
        Date.now() < deadline,
        () => `Request ${request.key} has no answer after ${SETTLED_MS / 1000} s.`,
      );
      await sleep(PAUSE_MS);
    }
    throw new Error(`Interrupted before request ${request.key} was answered.`);
  }

  /** Sends a settled request once more. */
  async repeat({ request, result }: Settled): Promise<void> {
    const answer = await this.#answer(request);
    requireThat(
      answer !== null && answer.isReplayed && JSON.stringify(answer.body) === JSON.stringify(result),
      () =>
        `Request ${request.key} was answered with ${JSON.stringify(result)}, and is now answered with ${answer?.text}`,
    );
  }

  /** Null when there is no answer. */
  async #answer(request: KeyedRequest): Promise<Answer | null> {
    try {
      const response = await this.#send(request);
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
    return fetch(`${this.urlOf(this.#requests++)}/api/v1${path}`, {
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

/** Null for an answer after which the same request is sent again. @throws Broken for an answer that is not allowed */
function settledBy<T>(request: KeyedRequest, answer: Answer, isCut: boolean): Settled<T> | null {
  const { status, code, isReplayed, text } = answer;
  if (status === 200 || status === 201) {
    requireThat(
      !isReplayed || isCut,
      () => `Request ${request.key} is answered as a repetition, though nothing can have been stored before.`,
    );
    return { request, result: answer.body as T, isReplayed, isCut };
  }
  if (code === 'OUT_OF_STOCK') return { request, result: null, isReplayed: false, isCut };
  // The database connection of a killed instance may live a little longer than the instance. The key is in use until
  // this connection ends.
  const isPassing = status === 503 || code === 'IDEMPOTENCY_KEY_IN_USE';
  requireThat(isPassing, () => `${request.key}: ${request.method} ${request.path} is answered with ${text}`);
  return null;
}
