import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { cuttingProxy, type CuttingProxy } from '../../support/faults/cutting-proxy.js';
import { randomFrom } from '../../../testkit/random.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { waitForLog } from '../../support/clients/events.js';
import { anOrder } from '../../support/fixtures/fixtures.js';
import { CLIENTS, type Heard } from '../../support/clients/stock-clients.js';

const ORDERS = 150;

describeOnEachEngine('standard clients whose connection breaks again and again', (engine) => {
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

  it('receive every order once, in sequence', async () => {
    const body = await anOrder(store);
    const cursor = String(await waitForLog(store));
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
