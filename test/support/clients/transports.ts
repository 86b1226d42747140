import { sentIn } from '../../../testkit/event-stream.js';
import { judgeGraphql } from './graphql.js';
import { ADMIN_KEY, type TestApp } from './app.js';
import { open } from './live.js';

/** The answer to an operation, in one form for every transport. */
export interface Told {
  /** A result, or problem details if the request was refused before its operation was read. */
  readonly body?: any; // oxlint-disable-line typescript/no-explicit-any
  /** The reason why the WebSocket was closed. */
  readonly closing?: string;
}

/**
 * Sends an operation: an object with its members, or a text. By GET, the text is the value of `variables`. By the other
 * transports, the text is sent unchanged in place of the JSON of the object.
 */
export type Transport = (store: TestApp, operation: object | string) => Promise<Told>;

const HEADERS = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' };

/** Every transport for operations. */
export const TRANSPORTS: Readonly<Record<string, Transport>> = {
  POST: async (store, operation) => {
    const response = await fetch(`${store.url}/graphql`, {
      method: 'POST',
      headers: HEADERS,
      body: textOf(operation),
    });
    const text = await response.text();
    judgeGraphql({ status: response.status, headers: response.headers, text });
    return { body: JSON.parse(text) as unknown };
  },
  GET: async (store, operation) => {
    const response = await fetch(`${store.url}/graphql?${parametersOf(operation)}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    const text = await response.text();
    judgeGraphql({ status: response.status, headers: response.headers, text });
    return { body: JSON.parse(text) as unknown };
  },
  WebSocket: async (store, operation) => {
    const raw = await open(store, { maxPayload: 0 });
    try {
      raw.say({ type: 'connection_init', payload: { 'x-api-key': ADMIN_KEY } });
      await raw.hear();
      raw.say(`{"type":"subscribe","id":"1","payload":${textOf(operation)}}`);
      const heard = await Promise.race([raw.hear(), raw.closed]);
      if ('code' in heard) return { closing: `${heard.code} ${heard.reason}` };
      return { body: heard.type === 'error' ? { errors: heard.payload } : heard.payload };
    } finally {
      raw.socket.terminate();
    }
  },
  SSE: async (store, operation) => {
    const control = new AbortController();
    const response = await fetch(`${store.url}/graphql/stream`, {
      method: 'POST',
      headers: { ...HEADERS, accept: 'text/event-stream' },
      body: textOf(operation),
      signal: control.signal,
    });
    if (response.status !== 200) return { body: await response.json() };
    for await (const { event, data } of sentIn(response.body)) {
      if (event !== 'next') continue;
      control.abort();
      return { body: JSON.parse(data) as unknown };
    }
    throw new Error('The stream ended without a result.');
  },
};

/** The query string of an operation. If the operation is a text, the text is sent as the value of `variables`. */
function parametersOf(operation: object | string): string {
  if (typeof operation === 'string') return `variables=${encodeURIComponent(operation)}`;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(operation)) {
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return parameters.toString();
}

function textOf(operation: object | string): string {
  return typeof operation === 'string' ? operation : JSON.stringify(operation);
}
