import { createClient as createSseClient, NetworkError } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, type ErrorEvent } from 'ws';
import { Places, type Place } from '../../../src/engine/rate-limits/places.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { create } from '../../support/fixtures/fixtures.js';

const QUERY = 'subscription { productChanged { id } }';

/** One subscription of a client. */
interface Seen {
  readonly heard: unknown[];
  readonly retries: () => number;
  readonly failed: Promise<unknown>;
  readonly end: () => void;
}

type Follow = (store: TestApp, headers?: Record<string, string>) => Seen;

/** The client libraries. Apart from their retries, they behave as they do by default. */
const CLIENTS: Record<string, Follow> = {
  'graphql-ws': (store, headers = {}) => {
    const heard: unknown[] = [];
    let retries = 0;
    class Marked extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { headers });
      }
    }
    const client = createClient({
      url: `ws://127.0.0.1:${store.port}/graphql`,
      webSocketImpl: Marked,
      retryAttempts: 50,
      // In Node, a refused handshake is an error, after which the client does not retry by default. In a browser, the
      // client sees a closed socket.
      shouldRetry: () => true,
      retryWait: async () => {
        retries += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    const failed = new Promise<unknown>((resolve) =>
      client.subscribe(
        { query: QUERY },
        { next: (one) => heard.push(one), error: resolve, complete: () => resolve(null) },
      ),
    );
    return { heard, retries: () => retries, failed, end: () => void client.dispose() };
  },
  'graphql-sse': (store, headers = {}) => {
    const heard: unknown[] = [];
    let retries = 0;
    const client = createSseClient({
      url: `${store.url}/graphql/stream`,
      headers,
      retryAttempts: 50,
      retry: async () => {
        retries += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    const failed = new Promise<unknown>((resolve) =>
      client.subscribe(
        { query: QUERY },
        {
          next: (one) => (one.errors ? resolve(one.errors) : heard.push(one)),
          error: resolve,
          complete: () => resolve(null),
        },
      ),
    );
    return { heard, retries: () => retries, failed, end: () => client.dispose() };
  },
};

describe.each(Object.entries(CLIENTS))('%s', (_name, follow) => {
  let store: TestApp;
  const places = () => store.app.get(Places, { strict: false });
  /** Takes this number of places for subscriptions, as other clients at this address would. */
  const occupy = (count: number, address: string): Place[] =>
    Array.from({ length: count }, () =>
      places().take('subscriptions', { policy: 'anonymous', name: address, isBounded: true }),
    );
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_SUBSCRIPTION_LIMITS: 'anonymous=2,caller=9,process=8' });
  });
  afterAll(() => store.close());

  it('gives up when its address has too many subscriptions, and reports the reason', async () => {
    const taken = occupy(2, '127.0.0.1');
    const seen = follow(store);
    expect(await seen.failed).toMatchObject([{ extensions: { code: 'RATE_LIMITED', status: 429 } }]);
    expect(seen.retries()).toBe(0);
    seen.end();
    for (const place of taken) place.free();
  });

  it('reconnects after the process was full, and receives later events', async () => {
    const taken = ['a', 'b'].flatMap((address) => occupy(2, address));
    const seen = follow(store);
    await expect.poll(seen.retries, { timeout: 10_000 }).toBeGreaterThan(1);
    for (const place of taken) place.free();
    await expect.poll(() => places().unitsOf('subscriptions'), { timeout: 10_000 }).toBe(1);
    await create(store);
    await expect.poll(() => seen.heard.length, { timeout: 10_000 }).toBe(1);
    seen.end();
    await expect.poll(() => places().unitsOf('subscriptions'), { timeout: 10_000 }).toBe(0);
  });

  it('fails in the end when its origin is not allowed', async () => {
    const seen = follow(store, { origin: 'https://evil.example' });
    const error = (await seen.failed) as NetworkError | ErrorEvent;
    // graphql-sse reports the response. graphql-ws reports the message of `ws`, which contains the status.
    const reason = error instanceof NetworkError ? String(error.response?.status) : error.message;
    expect(reason).toContain('403');
    seen.end();
  });
});
