import { createClient } from 'graphql-ws';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { LoggedEvent } from './databases.ts';
import { Broken, requireThat } from './options.ts';
import type { Shop } from './shop.ts';
import { listen, type Stream } from './stream.ts';

export const QUERY = 'subscription { newOrder { id cursor } }';
const PAUSE_MS = 20;
const ARRIVED_MS = 30_000;

interface Heard {
  readonly id: string;
  readonly cursor: string;
}

/** A result of `newOrder`, or an event of the log. */
interface Message {
  readonly data?: { readonly newOrder?: Heard } | null;
  readonly entity_id?: number;
  readonly cursor?: string;
}

/**
 * @param hear is called with each message of the service
 * @param connected is called when a connection is open
 * @returns a function that stops following
 */
export type Follow = (
  cursor: () => string,
  hear: (message: unknown) => void,
  connected: () => void,
) => () => void;

/** A subscriber that follows from the beginning of the log. When it is cut off, it continues after its last cursor. */
export class Follower {
  readonly name: string;
  readonly heard: Heard[] = [];
  connections = 0;
  readonly #type: string | null;
  readonly #leave: () => void;
  #fault: Broken | null = null;

  /** @param type the type of the events that it receives; null for all */
  constructor(name: string, follow: Follow, type: string | null = 'order.created') {
    this.name = name;
    this.#type = type;
    this.#leave = follow(
      () => this.#cursor,
      (message) => this.#hear(message as Message),
      () => (this.connections += 1),
    );
  }

  leave(): void {
    this.#leave();
  }

  /** @throws Broken if a message was no event, or if an event was not after the event before it in the log */
  requireNoFault(): void {
    if (this.#fault) throw this.#fault;
  }

  /**
   * Waits for the last of these events that the subscriber wants, for 30 s at most.
   *
   * @throws Broken unless it has received exactly the wanted events, in the order of the log
   */
  async requireAll(events: readonly LoggedEvent[]): Promise<void> {
    const due = events.filter(({ type }) => this.#type === null || type === this.#type);
    const deadline = Date.now() + ARRIVED_MS;
    const last = due.at(-1)?.position ?? 0;
    while (Number(this.#cursor) < last && this.#fault === null && Date.now() < deadline)
      await sleep(PAUSE_MS);
    this.requireNoFault();
    const what = this.#type === null ? 'an event of row' : 'order';
    for (const [index, { position, entity_id }] of due.entries()) {
      const heard = this.heard[index];
      const wanted = `${what} ${entity_id} at the position ${position}.`;
      if (heard === undefined) throw new Broken(`${this.name} did not receive ${wanted}`);
      requireThat(
        Number(heard.id) === entity_id && Number(heard.cursor) === position,
        () => `${this.name} has ${what} ${heard.id} at the position ${heard.cursor}. The log has ${wanted}`,
      );
    }
    const more = this.heard[due.length];
    requireThat(more === undefined, () => `${this.name} has ${what} ${more?.id}, which is not in the log.`);
  }

  get #cursor(): string {
    return this.heard.at(-1)?.cursor ?? '0';
  }

  #hear(message: Message): void {
    const { data, entity_id, cursor } = message;
    const heard = entity_id === undefined ? data?.newOrder : { id: String(entity_id), cursor: cursor ?? '' };
    if (heard === undefined) this.#fault ??= new Broken(`${this.name} was told ${JSON.stringify(message)}.`);
    else if (Number(heard.cursor) > Number(this.#cursor)) this.heard.push(heard);
    else {
      this.#fault ??= new Broken(
        `${this.name} was told of ${this.#type === null ? 'an event of row' : 'order'} ${heard.id} at the position ${heard.cursor}, after the position ${this.#cursor}.`,
      );
    }
  }
}

/**
 * A subscriber with the client of graphql-ws. When the client is cut off, it connects to another address, and sends its
 * operation again, with the cursor in `connection_init`.
 */
export function byWebSocket(shop: Shop, name: string, first: number): Follower {
  return new Follower(name, (cursor, hear, connected) => {
    let place = first;
    let socket: WebSocket | undefined;
    const client = createClient({
      url: () => `${shop.urlOf(place).replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: Infinity,
      shouldRetry: () => true,
      retryWait: () => sleep(PAUSE_MS),
      connectionParams: () => ({ 'X-API-Key': shop.key, resume: { newOrder: cursor() } }),
      on: {
        opened: (opened) => (socket = opened as WebSocket),
        connected,
        closed: () => (place = shop.placeAfter(place)),
      },
    });
    client.subscribe(
      { query: QUERY },
      {
        next: (result) => {
          hear(result);
          if (shop.isTimeToMove()) socket?.terminate();
        },
        error: (errors) => hear({ errors }),
        complete: () => undefined,
      },
    );
    return () => {
      // `dispose` rejects when the client was about to reconnect.
      Promise.resolve(client.dispose()).catch(() => undefined);
    };
  });
}

/** A subscriber of GraphQL over server-sent events. */
export function bySse(shop: Shop, name: string, first: number): Follower {
  const body = JSON.stringify({ query: QUERY });
  const stream = { method: 'POST', path: '/graphql/stream', event: 'next', body };
  return new Follower(name, byStream(shop, first, stream));
}

/** A subscriber of the log of events itself. */
export function byLog(shop: Shop, name: string, first: number): Follower {
  const stream = { method: 'GET', path: '/api/v1/events', event: 'message' };
  return new Follower(name, byStream(shop, first, stream), null);
}

/**
 * Follows a stream of server-sent events. When the stream is cut off, the function connects to another address, and
 * sends the last `id` as `Last-Event-ID`, as `EventSource` does.
 */
function byStream(shop: Shop, first: number, stream: Stream): Follow {
  return (_cursor, hear, connected) => {
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      let last = '0';
      for (let place = first; !leaving.signal.aborted; place = shop.placeAfter(place)) {
        try {
          for await (const { id, data } of listen(shop, place, stream, last, leaving.signal, connected)) {
            if ((data as { code?: string }).code === 'UNAVAILABLE') break;
            hear(data);
            last = id ?? last;
            if (shop.isTimeToMove()) break;
          }
        } catch {
          // The connection was cut off, by the client or the server.
        }
        await sleep(PAUSE_MS);
      }
    };
    void follow();
    return () => leaving.abort();
  };
}
