import { expect, it } from 'vitest';
import { ADMIN_KEY, SECRET } from '../../support/clients/app.js';
import { cuttingProxy } from '../../support/faults/cutting-proxy.js';
import { randomFrom } from '../../../testkit/random.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';
import { serve, type Service } from '../../../testkit/process.js';
import { CLIENTS, type Heard } from '../../support/clients/stock-clients.js';

const HEADERS = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' };
const KILLS = 3;
const BETWEEN = 25;

describeOnEachEngine('subscribers of a service that is killed again and again', (engine) => {
  it('receive every stored order exactly once, in the order of the log', async () => {
    const database = await freshDatabase(engine);
    const settings = {
      STORE_DATABASE_URL: database.url,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_SECRET: SECRET,
      STORE_RATE_LIMIT: 'off',
    };
    let service: Service = await serve(settings);
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${service.url}/api${path}`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { id: number; user: { id: number } };
    };
    const proxy = await cuttingProxy(() => Number(new URL(service.url).port), randomFrom(7));
    const failures: unknown[] = [];
    const followers = Object.entries(CLIENTS).map(([name, follow]) => {
      const orders: Heard[] = [];
      const end = follow(
        proxy.port,
        '0',
        (order) => orders.push(order),
        (error) => failures.push([name, error]),
      );
      return { name, orders, end };
    });
    try {
      const { id: product_id } = await post('/products', { name: 'Chai', price: 18 });
      const { user } = await post('/users', { name: 'Ada', email: 'ada@example.com' });
      const order = { user_id: user.id, items: [{ product_id, quantity: 1 }] };
      for (let kill = 0; kill <= KILLS; kill++) {
        for (let n = 0; n < BETWEEN; n++) await post('/orders', order);
        if (kill === KILLS) break;
        // The service is killed while this request is under way.
        const lost = post('/orders', order).catch(() => null);
        await service.stop('SIGKILL');
        await lost;
        service = await serve(settings);
      }
      const list = await fetch(`${service.url}/api/orders?limit=1`, { headers: HEADERS });
      const stored = Number(list.headers.get('x-total-count'));
      expect(stored).toBeGreaterThanOrEqual(BETWEEN * (KILLS + 1));
      for (const { name, orders } of followers) {
        await expect
          .poll(() => [name, failures, orders.length], { timeout: 60_000 })
          .toEqual([name, [], stored]);
        const cursors = orders.map(({ cursor }) => Number(cursor));
        expect([name, cursors]).toEqual([name, [...new Set(cursors)].toSorted((a, b) => a - b)]);
        expect(new Set(orders.map(({ id }) => id)).size).toBe(stored);
      }
    } finally {
      for (const { end } of followers) end();
      proxy.close();
      await service.stop('SIGINT');
      await database.drop();
    }
  }, 180_000);
});
