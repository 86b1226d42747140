import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoopGuard } from '../../../src/engine/http/loop-guard.js';
import { ProductsRepository } from '../../../src/store/products/products.repository.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { create } from '../../support/fixtures/fixtures.js';
import { open } from '../../support/clients/live.js';
import { onlyLong } from '../../support/sampled.js';

/** Uses this much processor time, like a faulty handler. On a shared processor, more time passes. */
function compute(ms: number): void {
  const until = process.threadCpuUsage().user + ms * 1_000;
  while (process.threadCpuUsage().user < until);
}

describe('the guard of the event loop', () => {
  let store: TestApp;
  let guard: LoopGuard;
  let lines: Record<string, unknown>[];
  let id: number;
  beforeEach(() => {
    lines = [];
  });
  beforeAll(async () => {
    store = await startApp('sqlite');
    ({ id } = await create(store));
    const stream = new Writable({
      write: (line: Buffer, _encoding, done) => {
        lines.push(JSON.parse(String(line)) as Record<string, unknown>);
        done();
      },
    });
    const products = store.app.get(ProductsRepository, { strict: false });
    const find = products.find.bind(products);
    vi.spyOn(products, 'find').mockImplementation((wanted) => {
      compute(450);
      return find(wanted);
    });
    guard = store.app.get(LoopGuard, { strict: false });
    // In the service, `start.ts` starts the guard. Other tests run without the guard, because a test and its service
    // share one event loop.
    guard.watch(pino(stream));
  });
  afterAll(async () => {
    guard.stop();
    await store.close();
  });

  const held = () => lines.filter(({ msg }) => msg === 'the event loop was held');
  const status = async (path: string, key: string | null = null) =>
    (await store.call('GET', path, key === null ? { key } : {})).status;
  const overload = async () => {
    await expect
      .poll(
        async () => {
          await store.call('GET', `/api/v1/products/${id}`);
          return lines.some(({ msg }) => msg === 'anonymous work is refused');
        },
        { timeout: 60_000, interval: 1 },
      )
      .toBe(true);
  };

  it(
    'refuses anonymous requests, over HTTP and on a WebSocket, only while the loop is blocked again and again',
    onlyLong,
    async () => {
      const socket = await open(store);
      const ask = (name: string) => {
        socket.say({ type: 'subscribe', id: name, payload: { query: '{ __typename }' } });
        return socket.hear();
      };
      socket.say({ type: 'connection_init' });
      expect(await socket.hear()).toMatchObject({ type: 'connection_ack' });
      await overload();
      const refused = await store.call('GET', '/api/v1/products', { key: null });
      expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
        503,
        'UNAVAILABLE',
        '1',
      ]);
      expect(await ask('1')).toMatchObject({
        type: 'error',
        id: '1',
        payload: [{ extensions: { code: 'UNAVAILABLE' } }],
      });
      expect(await status('/api/v1/products', 'mine')).toBe(200);
      for (const path of ['/health/live', '/health/ready'])
        expect([path, await status(path)]).toEqual([path, 200]);
      await expect.poll(() => status('/api/v1/products'), { timeout: 60_000 }).toBe(200);
      expect(lines.at(-1)).toMatchObject({ msg: 'anonymous work is accepted again' });
      expect(await ask('2')).toMatchObject({ type: 'next', id: '2' });
    },
  );

  it('names the request that blocked the loop, without its content', async () => {
    await store.call('GET', `/api/v1/products/${id}?secret=hidden`, {
      headers: { 'x-request-id': 'held-1' },
    });
    await store.call('GET', `/api/v1/products/${id}`, { headers: { 'x-request-id': 'held-2' } });
    await expect.poll(() => held().map(({ requestId }) => requestId)).toContain('held-2');
    const line = held().find(({ requestId }) => requestId === 'held-2');
    expect(line).toMatchObject({ level: 40, method: 'GET', route: '/api/v1/products/:id' });
    expect(line?.['heldMs']).toBeGreaterThanOrEqual(400);
    expect(line?.['computedMs']).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(lines)).not.toMatch(/hidden|administrator/);
  });

  it('names a GraphQL operation by its type', onlyLong, async () => {
    await store.graphql(`{ product(id: ${id}) { name } }`, undefined, {
      headers: { 'x-request-id': 'held-3' },
    });
    await expect.poll(() => held().map(({ requestId }) => requestId)).toContain('held-3');
    expect(held().at(-1)).toMatchObject({ method: 'POST', route: '/graphql', operation: 'query' });
  });
});
