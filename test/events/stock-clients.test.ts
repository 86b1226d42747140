import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_KEY, startApp, type TestApp } from '../support/app.js';
import { cuttingProxy, randomFrom, type CuttingProxy } from '../support/cutting-proxy.js';
import { describeOnEachEngine } from '../support/database.js';
import { settled } from '../support/events.js';
import { anOrder } from '../support/fixtures.js';

const ORDERS = 150;
const NEW = 'subscription NewOrder { newOrder { id total status cursor } }';

interface Heard {
  readonly id: string;
  readonly cursor: string;
}

/** Begins to listen behind a cursor, and calls back with each order; returns how to end it. */
type Client = (
  port: number,
  cursor: string,
  heard: (order: Heard) => void,
  failed: (error: unknown) => void,
) => () => void;

/** Nobody waits long here. */
const QUICKLY = {
  retryAttempts: Infinity,
  retryWait: () => new Promise<void>((resolve) => setTimeout(resolve, 5)),
};

const CLIENTS: Record<string, Client> = {
  'graphql-ws': (port, cursor, heard, failed) => {
    let last = cursor;
    const client = createClient({
      ...QUICKLY,
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: () => ({ 'X-API-Key': ADMIN_KEY, resume: { newOrder: last } }),
    });
    client.subscribe<{ newOrder: Heard }>(
      { query: NEW },
      {
        next: ({ data, extensions }) => {
          last = String((extensions as { cursor?: string }).cursor);
          if (data) heard(data.newOrder);
        },
        error: failed,
        complete: () => failed(new Error('completed')),
      },
    );
    return () => void client.dispose();
  },
  'graphql-sse': (port, cursor, heard, failed) => {
    let last = cursor;
    const client = createSseClient({
      retryAttempts: Infinity,
      retry: QUICKLY.retryWait,
      url: `http://127.0.0.1:${port}/graphql/stream`,
      headers: () => ({ 'X-API-Key': ADMIN_KEY, 'Last-Event-ID': last }),
    });
    client.subscribe<{ newOrder: Heard }>(
      { query: NEW },
      {
        next: ({ data }) => {
          if (!data) return;
          last = data.newOrder.cursor;
          heard(data.newOrder);
        },
        error: failed,
        complete: () => failed(new Error('completed')),
      },
    );
    return () => client.dispose();
  },
  'Apollo Client': (port, cursor, heard, failed) => {
    let last = cursor;
    const socket = createClient({
      ...QUICKLY,
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: () => ({ 'X-API-Key': ADMIN_KEY, resume: { newOrder: last } }),
    });
    const client = new ApolloClient({ link: new GraphQLWsLink(socket), cache: new InMemoryCache() });
    const subscription = client.subscribe<{ newOrder: Heard }>({ query: gql(NEW) }).subscribe({
      next: ({ data }) => {
        if (!data) return;
        // Its hooks hide extensions, so that the cursor has to be data.
        last = data.newOrder.cursor;
        heard(data.newOrder);
      },
      error: failed,
      complete: () => failed(new Error('completed')),
    });
    return () => {
      subscription.unsubscribe();
      client.stop();
      void socket.dispose();
    };
  },
};

describeOnEachEngine('stock clients that are cut off again and again', (engine) => {
  let store: TestApp;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    store = await startApp(engine);
    proxy = await cuttingProxy(() => store.port, randomFrom(20_261_121));
  });
  afterAll(async () => {
    proxy.close();
    await store.close();
  });

  it('have every order, once and in order', async () => {
    const body = await anOrder(store);
    const cursor = String(await settled(store));
    const failures: unknown[] = [];
    const followers = Object.entries(CLIENTS).flatMap(([name, follow]) =>
      Array.from({ length: 3 }, (_, n) => {
        const orders: Heard[] = [];
        const end = follow(
          proxy.port,
          cursor,
          (order) => orders.push(order),
          (error) => failures.push([name, error]),
        );
        return { name: `${name} ${n}`, orders, end };
      }),
    );
    const ids: number[] = [];
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let n = 0; n < ORDERS / 3; n++) {
          ids.push((await store.call('POST', '/api/orders', { body })).body.id as number);
        }
      }),
    );
    for (const { name, orders } of followers) {
      await expect
        .poll(() => [name, failures, orders.length], { timeout: 60_000 })
        .toEqual([name, [], ORDERS]);
    }
    const expected = ids.toSorted((a, b) => a - b);
    for (const { name, orders, end } of followers) {
      const cursors = orders.map((order) => Number(order.cursor));
      expect([name, cursors]).toEqual([name, cursors.map((_, index) => Number(cursor) + 1 + index)]);
      const heard = orders.map((order) => Number(order.id));
      expect([name, heard.toSorted((a, b) => a - b)]).toEqual([name, expected]);
      end();
    }
    expect(proxy.cuts).toBeGreaterThan(50);
  }, 120_000);
});
