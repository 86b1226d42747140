import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_KEY, SECRET } from '../../support/clients/app.js';
import { onPostgres, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { freePort } from '../../../testkit/free-port.js';
import { onNginx, startNginx, type Nginx } from '../../support/fixtures/nginx.js';
import { serve, type Service } from '../../../testkit/process.js';
import { Queue } from '../../../testkit/queue.js';

/** Two instances on one database, behind nginx with the configuration of compose.yaml. */
describe('two instances behind nginx', { ...onPostgres, ...onNginx }, () => {
  let database: FreshDatabase;
  let instances: Service[];
  let nginx: Nginx | undefined;
  let url: string;

  beforeAll(async () => {
    database = await freshDatabase('postgres');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // Both instances start at the same time, and one of them runs the migrations.
    instances = await Promise.all([start(), start()]);
    const [first, second] = instances.map((instance) => new URL(instance.url).host);
    nginx = await startNginx([first as string, second as string], port);
  });
  afterAll(async () => {
    await nginx?.stop();
    await Promise.all(instances.map((instance) => instance.stop('SIGKILL')));
    await database.drop();
  });

  const start = () =>
    serve({
      STORE_DATABASE_URL: database.url,
      STORE_SECRET: SECRET,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_PUBLIC_URL: url,
      STORE_TRUST_PROXY: '127.0.0.1',
      STORE_RATE_LIMIT: 'off',
    });
  const send = (path: string, body?: object) =>
    fetch(url + path, {
      headers: { 'x-api-key': ADMIN_KEY, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const create = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await send(path, body);
    expect([path, answer.status]).toEqual([path, 201]);
    return (await answer.json()) as { id: number };
  };

  /** Four answers through nginx, and one answer of each instance: status, type, and Retry-After. */
  const statusesOf = async (path: string): Promise<unknown[]> => {
    const answers = [];
    for (const address of [url, url, url, url, ...instances.map((instance) => instance.url)]) {
      const { status, headers } = await fetch(address + path);
      answers.push([status, headers.get('content-type'), headers.get('retry-after')]);
    }
    return answers;
  };

  it('know a product that one of them created, and link to the public address', async () => {
    const { id } = await create('/api/v1/products', { name: 'Chai', price: 18 });
    for (const address of [url, url, url, ...instances.map((instance) => instance.url)]) {
      const answer = await fetch(`${address}/api/v1/products/${id}`);
      expect([address, answer.status]).toEqual([address, 200]);
    }
    const list = await send('/api/v1/products?limit=1');
    expect(list.headers.get('link')).toContain(`<${url}/api/v1/products?`);
  });

  it('send the changes of each instance to the subscribers of both', async () => {
    const { id: product } = await create('/api/v1/products', { name: 'Chang', price: 19 });
    const made = (await create('/api/v1/users', { name: 'Ada', email: 'ada@example.com' })) as never;
    const { id: user } = (made as { user: { id: number } }).user;
    // nginx passes requests to the instances in turn.
    const subscribers = [1, 2, 3, 4].map(() => subscribe(url));
    await Promise.all(subscribers.map(({ isListening }) => isListening));
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const body = { user_id: user, items: [{ product_id: product, quantity: 1 }] };
      ids.push((await create('/api/v1/orders', body)).id);
    }
    for (const { events, end } of subscribers) {
      const heard: number[] = [];
      while (heard.length < ids.length) heard.push(await events.next());
      expect(heard).toEqual(ids);
      end();
    }
  });

  it('answer 503 while the database cannot be reached, and 200 when it can be reached again', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const server = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
    await server.connect();
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    for (const instance of instances) {
      // An instance repeats its last answer for half a second.
      await expect.poll(async () => (await fetch(`${instance.url}/health/ready`)).status).toBe(503);
    }
    expect(await statusesOf('/health/ready')).toEqual(
      Array.from({ length: 6 }, () => [503, 'application/problem+json; charset=utf-8', '1']),
    );
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await server.end();
    for (const instance of instances) {
      await expect.poll(async () => (await fetch(`${instance.url}/health/ready`)).status).toBe(200);
    }
    expect(await statusesOf('/health/ready')).toEqual(
      Array.from({ length: 6 }, () => [200, 'application/json; charset=utf-8', null]),
    );
  });

  it('continue to work when one of them stops', async () => {
    const [first] = instances;
    const stopped = (first as Service).stop('SIGTERM');
    const statuses = new Set<number>();
    const until = stopped.then(() => true);
    do {
      statuses.add((await send('/api/v1/products')).status);
    } while (!(await Promise.race([until, pause(5, false)])));
    for (let n = 0; n < 20; n += 1) statuses.add((await send('/api/v1/products')).status);
    expect([...statuses]).toEqual([200]);
    expect((await stopped).code).toBe(0);
    instances[0] = await start();
  });
});

/** Subscribes, and then sends a query on the same socket. `isListening` resolves with the answer to the query. */
function subscribe(url: string) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    connectionParams: { 'X-API-Key': ADMIN_KEY },
  });
  const events = new Queue<number>();
  client.subscribe<{ newOrder: { id: string } }>(
    { query: 'subscription { newOrder { id } }' },
    { next: ({ data }) => events.push(Number(data?.newOrder.id)), error: () => {}, complete: () => {} },
  );
  const isListening = new Promise((resolve, reject) =>
    client.subscribe(
      { query: '{ products(limit: 1) { id } }' },
      { next: resolve, error: reject, complete: () => {} },
    ),
  );
  return { events, isListening, end: () => void client.dispose() };
}
