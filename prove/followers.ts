import { createClient } from 'graphql-ws';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { LoggedEvent } from './databases.ts';
import { Broken, requireThat } from './options.ts';
import type { Shop } from './shop.ts';

const QUERY = 'subscription { newOrder { id cursor } }';
const PAUSE_MS = 20;
const ARRIVED_MS = 30_000;

interface Heard {
  readonly id: string;
  readonly cursor: string;
}

/** A subscriber to `newOrder` from the beginning, who comes back after the last cursor whenever it is cut off. */
export class Follower {
  readonly name: string;
  readonly heard: Heard[] = [];
  readonly #leave: () => void;
  #fault: Broken | null = null;

  /** @param follow calls back with each message of the service; gives how to leave */
  constructor(name: string, follow: (cursor: () => string, hear: (message: unknown) => void) => () => void) {
    this.name = name;
    this.#leave = follow(
      () => this.#cursor,
      (message) => this.#hear(message),
    );
  }

  leave(): void {
    this.#leave();
  }

  /** Waits for the last of these orders. @throws Broken unless it has heard of these, in this order, and of no others */
  async requireAll(created: readonly LoggedEvent[]): Promise<void> {
    const deadline = Date.now() + ARRIVED_MS;
    const last = created.at(-1)?.position ?? 0;
    while (Number(this.#cursor) < last && this.#fault === null && Date.now() < deadline)
      await sleep(PAUSE_MS);
    if (this.#fault) throw this.#fault;
    for (const [index, { position, entity_id }] of created.entries()) {
      const { id, cursor } = this.heard[index] ?? {};
      requireThat(
        Number(id) === entity_id && Number(cursor) === position,
        () =>
          `${this.name} has order ${id} at ${cursor} where the log has order ${entity_id} at ${position}.`,
      );
    }
    const more = this.heard[created.length];
    requireThat(more === undefined, () => `${this.name} has order ${more?.id}, which is not in the log.`);
  }

  get #cursor(): string {
    return this.heard.at(-1)?.cursor ?? '0';
  }

  #hear(message: unknown): void {
    const order = (message as { data?: { newOrder?: Heard } }).data?.newOrder;
    if (order === undefined) this.#fault ??= new Broken(`${this.name} was told ${JSON.stringify(message)}.`);
    else if (Number(order.cursor) > Number(this.#cursor)) this.heard.push(order);
    else {
      this.#fault ??= new Broken(
        `${this.name} was told of order ${order.id} at ${order.cursor} after ${this.#cursor}.`,
      );
    }
  }
}

/** The stock client: it sends its operation again, and the cursor in `connection_init`. */
export function byWebSocket({ url, key }: Shop, name: string): Follower {
  return new Follower(name, (cursor, hear) => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: Infinity,
      shouldRetry: () => true,
      retryWait: () => sleep(PAUSE_MS),
      connectionParams: () => ({ 'X-API-Key': key, resume: { newOrder: cursor() } }),
    });
    client.subscribe(
      { query: QUERY },
      {
        next: hear,
        error: (errors) => hear({ errors }),
        complete: () => undefined,
      },
    );
    // It rejects when it was just about to come back.
    return () => void Promise.resolve(client.dispose()).catch(() => undefined);
  });
}

/** Sends the last `id` back as `Last-Event-ID`, as `EventSource` does. */
export function bySse({ url, key }: Shop, name: string): Follower {
  return new Follower(name, (_cursor, hear) => {
    const last = { id: '0' };
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      while (!leaving.signal.aborted) {
        await listen(url, key, last, hear, leaving.signal).catch(() => undefined);
        await sleep(PAUSE_MS);
      }
    };
    void follow();
    return () => leaving.abort();
  });
}

async function listen(
  url: string,
  key: string,
  last: { id: string },
  hear: (message: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const { status, body } = await fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'last-event-id': last.id,
    },
    body: JSON.stringify({ query: QUERY }),
    signal,
  });
  if (status !== 200 && status !== 503) hear({ status });
  if (status !== 200 || body === null) return;
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const events = text.split('\n\n');
    // What the connection broke off in is no event.
    text = events.pop() ?? '';
    for (const event of events) {
      last.id = /^id: (.*)$/m.exec(event)?.[1] ?? last.id;
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (/^event: next$/m.test(event) && data !== undefined) hear(JSON.parse(data));
    }
  }
}
