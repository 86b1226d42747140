import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { blocksIn } from '../../testkit/event-stream.ts';
import { Follower, QUERY, type Follow } from '../followers.ts';
import type { Shop } from '../shop.ts';

/*
 * Subscribers that take little processor time, so that two thousand of them leave most of the machine to the service.
 * They send the same as the clients of `../followers.ts`. After a lost connection they wait as graphql-ws and
 * `EventSource` do by default. Many subscribers get the same text, so each text is parsed only once.
 */

const UNAVAILABLE = 503;

/** After a lost connection, graphql-ws waits for a second and a random time (`randomisedExponentialBackoff`). */
const webSocketPauseMs = (): number => 1_300 + Math.random() * 2_700;
/** `EventSource` waits as long as the service says (`retry`). Until the service has said a time, it waits this long. */
const FIRST_RETRY_MS = 1_000;

export function lightWebSocket(shop: Shop, name: string, first: number): Follower {
  return new Follower(name, (cursor, hear, connected) =>
    reconnecting(
      shop,
      first,
      (url) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
          perMessageDeflate: false,
          skipUTF8Validation: true,
        });
        const { promise, resolve } = Promise.withResolvers<void>();
        const send = (message: object): void => socket.send(JSON.stringify(message));
        socket.on('open', () => {
          const payload = { 'X-API-Key': shop.key, resume: { newOrder: cursor() } };
          send({ type: 'connection_init', payload });
        });
        socket.on('message', (data: Buffer) => {
          const message = messageIn(data.toString());
          if (message.type === 'connection_ack') {
            send({ id: '1', type: 'subscribe', payload: { query: QUERY } });
            connected();
          } else if (message.type === 'ping') send({ type: 'pong' });
          else if (message.type === 'error') hear({ errors: message.payload });
          else if (message.type === 'next') {
            hear(message.payload);
            if (shop.isTimeToMove()) socket.terminate();
          }
        });
        // After each error, `ws` also emits `close`.
        socket.on('error', () => undefined).on('close', () => resolve());
        return { ended: promise, cut: () => socket.terminate() };
      },
      webSocketPauseMs,
    ),
  );
}

export function lightSse(shop: Shop, name: string, first: number): Follower {
  const body = JSON.stringify({ query: QUERY });
  return new Follower(name, (_cursor, hear, connected) => {
    let last = '0';
    let retryMs = FIRST_RETRY_MS;
    return reconnecting(
      shop,
      first,
      (url) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const headers = {
          'x-api-key': shop.key,
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'last-event-id': last,
        };
        const sent = request(`${url}/graphql/stream`, { method: 'POST', headers, agent: false });
        sent.on('response', (answer) => {
          const { statusCode } = answer;
          if (statusCode === 200) connected();
          else if (statusCode !== UNAVAILABLE) hear({ status: statusCode });
          let text = '';
          answer.setEncoding('utf8').on('error', () => undefined);
          answer.on('data', (part: string) => {
            text += part;
            const end = text.lastIndexOf('\n\n') + 2;
            if (end < 2) return;
            for (const { id, data, retry } of eventsIn(text.slice(0, end))) {
              if (retry !== null) retryMs = Number(retry);
              if (data === null) continue;
              const isLast = data.code === 'UNAVAILABLE';
              if (!isLast) hear(data);
              if (!isLast) last = id ?? last;
              if (isLast || shop.isTimeToMove()) {
                sent.destroy();
                return;
              }
            }
            text = text.slice(end);
          });
        });
        sent.on('error', () => undefined).on('close', () => resolve());
        sent.end(body);
        return { ended: promise, cut: () => sent.destroy() };
      },
      () => retryMs,
    );
  });
}

interface Connection {
  readonly ended: Promise<void>;
  readonly cut: () => void;
}

/** Connects to one address after another, until the follower leaves. */
function reconnecting(
  shop: Shop,
  first: number,
  connect: (url: string) => Connection,
  pauseMs: () => number,
): ReturnType<Follow> {
  const state = { isLeaving: false, cut: (): unknown => null };
  const follow = async (): Promise<void> => {
    for (let place = first; !state.isLeaving; place = shop.placeAfter(place)) {
      const { ended, cut } = connect(shop.urlOf(place));
      state.cut = cut;
      await ended;
      await sleep(pauseMs());
    }
  };
  void follow();
  return () => {
    state.isLeaving = true;
    state.cut();
  };
}

interface Message {
  readonly type: string;
  readonly payload?: unknown;
}

interface Event {
  readonly id: string | null;
  /** Null for a block without an event. */
  readonly data: { readonly code?: string } | null;
  readonly retry: string | null;
}

const messageIn = remembering((text) => JSON.parse(text) as Message);

/** The results and the problems, and the blocks that say how long to wait. */
const eventsIn = remembering((text): readonly Event[] =>
  blocksIn(text).map(({ event, id, data, retry }) => {
    const isTold = data !== '' && ['next', 'problem'].includes(event ?? 'message');
    return { id, retry, data: isTold ? (JSON.parse(data) as Event['data']) : null };
  }),
);

const MOST_TEXTS = 100;

/** Caches the values of the last texts. */
function remembering<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? read(text);
    if (!known.has(text)) {
      const [oldest] = known.keys();
      if (known.size === MOST_TEXTS) known.delete(oldest as string);
      known.set(text, value);
    }
    return value;
  };
}
