import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Audience } from '../../bench/audience.ts';
import { orderAt, productAt, userAt, usersFor } from '../../bench/data.ts';
import { seedLimit } from '../../bench/databases.ts';
import { limitServer } from '../../bench/limit-server.ts';
import { LimitStore } from '../../bench/limit-store.ts';
import { LoadConnection } from '../../bench/load-connection.ts';
import { GRAPHQL_QUERY, ORDERS_QUERY, USER_QUERY } from '../../bench/queries.ts';

const PRODUCTS = 50;
const KEY = 'a-key-of-the-bench-with-enough-letters';
const JSON_TYPE = 'application/json; charset=utf-8';

let folder: string;
let store: LimitStore;
let server: ReturnType<typeof limitServer>;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-bench-test-'));
  const file = join(folder, 'limit.sqlite');
  seedLimit(file, PRODUCTS);
  store = new LimitStore(file);
  server = limitServer(store, KEY).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  store.close();
  await rm(folder, { recursive: true, force: true });
});

function shown(index: number): object {
  const { id, name, priceMinor, inStock } = productAt(index);
  return { id, name, price: priceMinor / 100, in_stock: inStock };
}

function ask(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, init);
}

/** The data of a GraphQL answer, or the status if the request was refused. */
async function graphql(text: string, variables: object, key = KEY): Promise<unknown> {
  const response = await ask('/graphql', {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: JSON.stringify({ query: text, variables }),
  });
  return response.status === 200 ? ((await response.json()) as { data: object }).data : response.status;
}

function create(body: unknown, key = KEY): Promise<Response> {
  return ask('/api/v1/products', {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('LIMIT', () => {
  it('answers one product in the form of the contract', async () => {
    const response = await ask(`/api/v1/products/${productAt(7).id}`);
    expect(response.headers.get('content-type')).toBe(JSON_TYPE);
    expect(await response.json()).toEqual(shown(7));
  });

  it('answers 404 for an unknown id', async () => {
    expect((await ask('/api/v1/products/7')).status).toBe(404);
    expect((await ask('/api/v1/products/x')).status).toBe(404);
  });

  it('answers a page, with the total only if the request asks for it', async () => {
    const plain = await ask('/api/v1/products?page=3&limit=20');
    expect(plain.headers.has('x-total-count')).toBe(false);
    expect(await plain.json()).toEqual(Array.from({ length: 10 }, (_, index) => shown(40 + index)));
    const counted = await ask('/api/v1/products?page=1&limit=20&total=1');
    expect(Number(counted.headers.get('x-total-count'))).toBeGreaterThanOrEqual(PRODUCTS);
    expect(await counted.json()).toHaveLength(20);
  });

  it('refuses pages out of bounds', async () => {
    for (const query of ['page=0', 'page=x', 'limit=101', 'limit=1.5']) {
      expect((await ask(`/api/v1/products?${query}`)).status).toBe(400);
    }
  });

  it('stores a product before it answers', async () => {
    const response = await create({ name: ' Chai ', price: 18.5 });
    expect(response.status).toBe(201);
    const product = (await response.json()) as { id: number };
    expect(product).toEqual({ id: product.id, name: 'Chai', price: 18.5, in_stock: true });
    expect(await (await ask(`/api/v1/products/${product.id}`)).json()).toEqual(product);
  });

  it('refuses a wrong key and a wrong product', async () => {
    expect((await create({ name: 'Chai', price: 18 }, 'wrong')).status).toBe(401);
    const wrong = [{ name: ' ', price: 1 }, { name: 'Chai', price: 0.001 }, { name: 'Chai' }, [], 'no JSON'];
    for (const body of wrong) expect((await create(body)).status).toBe(400);
  });

  it('answers the GraphQL query of the bench', async () => {
    const response = await ask('/graphql', {
      method: 'POST',
      body: JSON.stringify({ query: GRAPHQL_QUERY }),
    });
    const { data } = (await response.json()) as { data: { products: object[] } };
    const { id, name, priceMinor, inStock } = productAt(0);
    expect(data.products).toHaveLength(20);
    expect(data.products[0]).toEqual({ id: String(id), name, price: priceMinor / 100, inStock });
  });

  it('shows a user with its orders, and the newest orders, only to a request with the key', async () => {
    const seeded = Array.from({ length: PRODUCTS }, (_, index) => orderAt(index, usersFor(PRODUCTS)));
    const shownOrders = (of: typeof seeded) =>
      of
        .toSorted((a, b) => b.id - a.id)
        .map(({ id, totalMinor, status, createdAt }) => ({
          id: String(id),
          total: totalMinor / 100,
          status,
          createdAt: new Date(createdAt).toISOString(),
        }));
    const { id, name, email } = userAt(2);
    const own = seeded.filter(({ userId }) => userId === id);
    expect(own.length).toBeGreaterThan(1);
    expect(await graphql(USER_QUERY, { id: String(id) })).toEqual({
      user: { id: String(id), name, email, orders: shownOrders(own) },
    });
    expect(await graphql(ORDERS_QUERY, {})).toEqual({ orders: shownOrders(seeded) });
    expect(await graphql(ORDERS_QUERY, {}, 'wrong')).toBe(401);
    expect(await graphql(USER_QUERY, { id: String(id) }, 'wrong')).toBe(401);
    expect(await graphql(USER_QUERY, { id: '987' })).toEqual({ user: null });
  });
});

describe('Audience', () => {
  it('receives the orders on as many WebSockets as requested', async () => {
    const settings = { products: PRODUCTS, port, key: KEY, credentials: null, seed: 1 };
    const audience = await Audience.open(settings, 20);
    const { deliveries, lag } = await audience.hear(0.05);
    const last = (await graphql(ORDERS_QUERY, {})) as { orders: object[] };
    expect(audience.last).toMatchObject({
      id: '1',
      type: 'next',
      payload: { data: { newOrder: last.orders[0] } },
    });
    expect(deliveries % 20).toBe(0);
    expect(deliveries).toBeGreaterThan(0);
    expect(lag.p99).toBeGreaterThanOrEqual(lag.p50);
    audience.leave();
  });

  it('fails when a WebSocket is refused', async () => {
    const settings = { products: PRODUCTS, port, key: 'wrong', credentials: null, seed: 1 };
    await expect(Audience.open(settings, 2)).rejects.toThrow('A WebSocket was closed');
  });
});

describe('LoadConnection', () => {
  it('fails for an answer with an error status', async () => {
    const connection = new LoadConnection(port);
    const request = 'GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    await expect(connection.ask(request)).rejects.toThrow('no success: HTTP/1.1 404');
  });

  it('reuses its connection for the next request', async () => {
    const connection = new LoadConnection(port);
    const request = `GET /api/v1/products/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const first = await connection.ask(request);
    expect(first.endsWith(JSON.stringify(shown(0)))).toBe(true);
    expect((await connection.ask(request)).slice(-20)).toBe(first.slice(-20));
    connection.close();
  });
});
