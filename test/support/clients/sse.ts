import { ADMIN_KEY, type TestApp } from './app.js';
import { sentIn, type Sent } from '../../../testkit/event-stream.js';
import { Queue } from '../../../testkit/queue.js';

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** The next block of the stream; null at its end. */
  next(): Promise<Sent | null>;
  /** The next event, with its data parsed as JSON. A block with neither data nor a line `event` is ignored. */
  event(): Promise<{ event: string; id: string | null; data: any } | null>; // oxlint-disable-line typescript/no-explicit-any
  leave(): void;
}

/** Reads server-sent events as they arrive, without a client library. */
export async function openStream(
  store: TestApp,
  path: string,
  { key = ADMIN_KEY, body, headers = {} }: { key?: string | null; body?: unknown; headers?: object } = {},
): Promise<Stream> {
  const control = new AbortController();
  const response = await fetch(store.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    signal: control.signal,
    headers: {
      accept: 'text/event-stream',
      ...(key !== null && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const sent = new Queue<Sent | null>();
  void read(response, sent);
  const next = () => sent.next();
  return {
    status: response.status,
    headers: response.headers,
    next,
    event: async () => {
      for (let part = await next(); part !== null; part = await next()) {
        if (part.data === '' && part.event === null) continue;
        const { event, id, data } = part;
        return { event: event ?? 'message', id, data: data === '' ? null : (JSON.parse(data) as unknown) };
      }
      return null;
    },
    leave: () => control.abort(),
  };
}

async function read({ body }: Response, sent: Queue<Sent | null>): Promise<void> {
  try {
    for await (const part of sentIn(body)) sent.push(part);
  } catch {
    // One of the two sides closed the connection.
  }
  sent.push(null);
}
