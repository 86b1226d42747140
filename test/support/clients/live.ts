import { createClient, type Client, type SubscribePayload } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import type { Topic } from '../../../src/engine/events/topics.js';
import { ADMIN_KEY, type TestApp } from './app.js';
import { Queue } from '../../../testkit/queue.js';

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/** The end of a refused or broken operation: an `error` message, or the end of the connection. */
export interface Failure {
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions: Record<string, unknown>;
  }[];
  readonly closing?: Closing;
}

/** `data` and `errors` as the server sent them. */
export type Result = any; // oxlint-disable-line typescript/no-explicit-any

export interface Subscribed {
  /** The next event. */
  next(): Promise<Result>;
  /** The number of received events that `next` has not returned yet. */
  readonly waiting: number;
  /** Resolves with 'completed', or with the failure of the operation. */
  readonly ended: Promise<Failure | 'completed'>;
  unsubscribe(): void;
}

export interface Live {
  readonly client: Client;
  readonly closed: Promise<Closing>;
  /** Sends any operation. Its events can be read as they arrive. */
  send(payload: SubscribePayload): Subscribed;
  /** Sends a query or mutation. Returns the result, or the reason of the refusal. */
  run(payload: SubscribePayload): Promise<Result>;
  /** Subscribes to a field. Resolves when the server listens: every later change is received. */
  subscribe(topic: Topic, selection: string): Promise<Subscribed>;
  close(): void;
}

export function liveUrl(store: TestApp, path = '/graphql'): string {
  return `ws://127.0.0.1:${store.port}${path}`;
}

/** The client of the library graphql-ws, with the key `key`. It connects at once, and never reconnects. */
export function connect(store: TestApp, key: string | null = ADMIN_KEY): Live {
  const { promise: closed, resolve } = Promise.withResolvers<Closing>();
  const client = createClient({
    url: liveUrl(store),
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => {},
    ...(key !== null && { connectionParams: { 'X-API-Key': key } }),
    on: { closed: (event) => resolve(event as Closing) },
  });
  const send = (payload: SubscribePayload): Subscribed => {
    const events = new Queue<Result>();
    const end = Promise.withResolvers<Failure | 'completed'>();
    const unsubscribe = client.subscribe(payload, {
      next: (event) => events.push(event),
      error: (error) =>
        end.resolve(
          Array.isArray(error) ? { errors: error as Failure['errors'] & {} } : { closing: error as Closing },
        ),
      complete: () => end.resolve('completed'),
    });
    return {
      next: () => events.next(),
      get waiting() {
        return events.length;
      },
      ended: end.promise,
      unsubscribe,
    };
  };
  return {
    client,
    closed,
    send,
    run: async (payload) => {
      const operation = send(payload);
      const end = await operation.ended;
      return end === 'completed' ? operation.next() : end;
    },
    subscribe: async (topic, selection) => {
      const pubSub = store.app.get(PubSub, { strict: false });
      const before = pubSub.countSubscribers(topic);
      const operation = send({ query: `subscription { ${topic} ${selection} }` });
      await expect.poll(() => pubSub.countSubscribers(topic)).toBe(before + 1);
      return operation;
    },
    close: () => void client.dispose(),
  };
}

export interface Raw {
  readonly socket: WebSocket;
  readonly closed: Promise<Closing>;
  /** Sends a message. Everything except a text is sent as JSON. */
  readonly say: (message: unknown) => void;
  /** The next message of the server. */
  readonly hear: () => Promise<Result>;
  /** The number of received messages that `hear` has not returned yet. */
  readonly unheard: number;
}

/** A WebSocket without a client library, open but not initialised. */
export async function open(
  store: TestApp,
  options: ClientOptions = {},
  protocol: string | string[] = 'graphql-transport-ws',
): Promise<Raw> {
  const socket = new WebSocket(liveUrl(store), protocol, options);
  const heard = new Queue<Result>();
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
  const closed = new Promise<Closing>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => {});
  return {
    socket,
    closed,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    hear: () => heard.next(),
    get unheard() {
      return heard.length;
    },
  };
}

/** A WebSocket without a client library, open and initialised. */
export async function openAs(store: TestApp, key: string | null = ADMIN_KEY): Promise<Raw> {
  const raw = await open(store);
  raw.say({ type: 'connection_init', ...(key !== null && { payload: { 'x-api-key': key } }) });
  const ack = (await raw.hear()) as { type: string };
  if (ack.type !== 'connection_ack') throw new Error(`The server said ${JSON.stringify(ack)}.`);
  return raw;
}
