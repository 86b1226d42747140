import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProductsRepository } from '../../../src/store/products/products.repository.js';
import { MOST_IN_FLIGHT } from '../../../src/engine/rate-limits/in-flight.js';
import { ADMIN_KEY, NO_LIMIT, startApp, type TestApp } from '../../support/clients/app.js';
import { aProduct } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';

describe('concurrent requests', () => {
  let store: TestApp;
  let answer: () => void;
  let waiting: number;
  let path: string;

  /** Starts a service whose reads of a product are slow: each read waits until the test calls `answer`. */
  async function begin(limit: string): Promise<void> {
    store = await startApp('sqlite', { STORE_RATE_LIMIT: limit });
    path = '/api/v1/products';
    const { id: product } = (await (await send(ADMIN_KEY, aProduct())).json()) as { id: number };
    path = `/api/v1/products/${product}`;
    waiting = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = resolve;
    const products = store.app.get(ProductsRepository, { strict: false });
    const find = products.find.bind(products);
    vi.spyOn(products, 'find').mockImplementation(async (id) => {
      waiting += 1;
      await promise;
      return find(id);
    });
  }
  afterEach(() => store.close());

  const send = (key: string | null, body?: object) =>
    fetch(store.url + path, {
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const ask = (many: number, key: string | null) =>
    Array.from({ length: many }, async () => {
      const response = await send(key);
      const { detail } = (await response.json()) as { detail?: string };
      return { status: response.status, retryAfter: response.headers.get('retry-after'), detail };
    });

  describe('with limits', () => {
    beforeEach(() => begin(NO_LIMIT));

    it('are limited for each address and each caller, and are counted until their answers end', async () => {
      const { anonymous, caller } = MOST_IN_FLIGHT;
      const key = await createKey(store, ['products:write']);
      const nobody = ask(anonymous, null);
      await expect.poll(() => waiting).toBe(anonymous);
      const somebody = ask(caller, key);
      await expect.poll(() => waiting).toBe(anonymous + caller);
      for (const [who, name, most] of [
        [null, 'anonymous', anonymous],
        [key, 'caller', caller],
      ] as const) {
        const [refused] = await Promise.all(ask(1, who));
        expect(refused).toMatchObject({ status: 429, retryAfter: '1' });
        expect(refused?.detail).toContain(`the limit "${name}" is ${most} at a time`);
      }
      answer();
      const statuses = new Set((await Promise.all([...nobody, ...somebody])).map(({ status }) => status));
      expect([...statuses]).toEqual([200]);
      expect((await Promise.all(ask(1, null)))[0]?.status).toBe(200);
    });

    it('are no longer counted when their client has left', async () => {
      const sockets = Array.from({ length: MOST_IN_FLIGHT.anonymous }, () => {
        const socket = connect(store.port, '127.0.0.1');
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
        return socket;
      });
      await expect.poll(() => waiting).toBe(MOST_IN_FLIGHT.anonymous);
      await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
      const begun = waiting;
      const last = ask(1, null);
      await expect.poll(() => waiting).toBe(begun + 1);
      answer();
      expect((await Promise.all(last))[0]?.status).toBe(200);
    });
  });

  describe('with STORE_RATE_LIMIT=off', () => {
    beforeEach(() => begin('off'));

    it('are not limited', async () => {
      const asked = ask(MOST_IN_FLIGHT.anonymous + 50, null);
      await expect.poll(() => waiting).toBe(MOST_IN_FLIGHT.anonymous + 50);
      answer();
      expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    });
  });
});
