import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY } from '../../support/clients/app.js';
import { freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { serve, type Service } from '../../../testkit/process.js';
import { stallSse, stallWebSocket, type Stalled } from '../../support/faults/stalled.js';
import { CLIENTS, type Heard } from '../../support/clients/stock-clients.js';

const STALLED_PER_TRANSPORT = 500;
/**
 * The number of subscribers that connect at the same time on each transport. The number is small, because the service
 * closes a WebSocket that sends no `connection_init` within three seconds.
 */
const GROUP = 25;
const ORDERS = 500;
const CREATORS = 8;
/** The test measures the memory again after this number of orders. */
const ORDERS_PER_SAMPLE = 10;
/**
 * The maximum memory that the service may use in addition to its memory before the orders. For one subscriber, the
 * event of one order has about 27 kB. A service that kept all events of each stalled subscriber would need about 13 GB
 * at the end.
 */
const MOST_BYTES = 500_000_000;
const LINES = Array.from({ length: 100 }, (_, index) => `${index} `.padEnd(200, 'a long name '));
const QUERY =
  'subscription { newOrder(after: "0") { id items { name productId unitPrice quantity total } } }';

let database: FreshDatabase;
let service: Service;
beforeAll(async () => {
  database = await freshDatabase('sqlite');
  service = await serve({
    STORE_DATABASE_URL: database.url,
    STORE_ADMIN_KEY: ADMIN_KEY,
    STORE_RATE_LIMIT: 'off',
    STORE_ACCESS_LOG: 'errors',
  });
});
afterAll(async () => {
  await service.stop('SIGINT');
  await database.drop();
});

async function post(path: string, body: object): Promise<{ id: number; user: { id: number } }> {
  const answer = await fetch(`${service.url}/api${path}`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: number; user: { id: number } };
}

function residentBytes(): number {
  const { pid } = service.process;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

it('the service closes a thousand subscribers that do not read, needs bounded memory, and sends all events to the other subscribers', async () => {
  const port = Number(new URL(service.url).port);
  const { user } = await post('/users', { name: 'Ada', email: 'ada@example.com' });
  const items: object[] = [];
  for (const name of LINES) {
    const { id } = await post('/products', { name: name.trim(), price: 18 });
    items.push({ product_id: id, quantity: 1 });
  }
  const order = { user_id: user.id, items };
  const first = await post('/orders', order);
  const stalled: Stalled[] = [];
  while (stalled.length < 2 * STALLED_PER_TRANSPORT) {
    const group = Array.from({ length: GROUP }, () => [stallWebSocket(port, QUERY), stallSse(port, QUERY)]);
    stalled.push(...(await Promise.all(group.flat())));
  }
  const failures: unknown[] = [];
  const followers = Object.values(CLIENTS).map((follow) => {
    const heard: Heard[] = [];
    const end = follow(
      port,
      '0',
      (one) => heard.push(one),
      (error) => failures.push(error),
    );
    return { heard, end };
  });
  try {
    for (const { heard } of followers) await expect.poll(() => heard.length).toBe(1);
    const before = residentBytes();
    let most = before;
    const placed = [first.id];
    let left = ORDERS;
    const creators = Array.from({ length: CREATORS }, async () => {
      while (left > 0) {
        left -= 1;
        placed.push((await post('/orders', order)).id);
        if (left % ORDERS_PER_SAMPLE === 0) most = Math.max(most, residentBytes());
      }
    });
    await Promise.all(creators);
    const ids = placed.toSorted((a, b) => a - b).map(String);
    for (const { heard } of followers) {
      await expect.poll(() => heard.length, { timeout: 180_000 }).toBe(ids.length);
      expect(heard.map(({ id }) => id)).toEqual(ids);
    }
    expect(failures).toEqual([]);
    // The next line waits until the service has closed every stalled connection.
    await Promise.all(stalled.map((one) => one.readUntilClosed()));
    most = Math.max(most, residentBytes());
    expect(most - before).toBeLessThan(MOST_BYTES);
  } finally {
    for (const { end } of followers) end();
    for (const one of stalled) one.leave();
  }
}, 480_000);
