import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { Tailer } from '../../../src/engine/events/tailer.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnPostgres, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { waitForLog } from '../../support/clients/events.js';
import { anOrder, placeOrder } from '../../support/fixtures/fixtures.js';
import { connect, type Live, type Subscribed } from '../../support/clients/live.js';
import { muteProxy, type MuteProxy } from '../../support/faults/mute-proxy.js';
import { describeOnRedis, privateRedis, type PrivateRedis } from '../../support/fixtures/redis.js';

const CHANNELS = 'store:events:*';
const NOTIFIES = `PERFORM pg_notify('store_events', (head + count)::text);`;

describeOnRedis('waking an instance', () => {
  describeOnPostgres('for new events', () => {
    const stores: TestApp[] = [];
    const lives: Live[] = [];
    let redis: PrivateRedis;
    let proxy: MuteProxy;
    let database: FreshDatabase;
    let hand: Client;

    beforeAll(async () => {
      [redis, database] = await Promise.all([privateRedis(), freshDatabase('postgres')]);
      await redis.start();
      proxy = await muteProxy(Number(new URL(redis.url).port));
      for (const _ of [1, 2]) await start(database.url);
      hand = new Client({ connectionString: database.url });
      await hand.connect();
    });
    afterEach(async () => {
      for (const live of lives.splice(0)) live.close();
      await vi.waitUntil(() => stores.every((store) => store.app.get(PubSub, { strict: false }).isIdle));
    });
    afterAll(async () => {
      await hand.end();
      await Promise.all(stores.map((store) => store.close()));
      await database.drop();
      proxy.close();
      await redis.kill();
    });

    /** Starts an instance that polls for new events only once an hour. So only a wake-up makes it read them in time. */
    async function start(url: string): Promise<TestApp> {
      const store = await startApp('postgres', {
        STORE_DATABASE_URL: url,
        STORE_REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
      });
      stores.push(store);
      const tailer = store.app.get(Tailer, { strict: false });
      await tailer.stop();
      await tailer.start(3_600_000);
      return store;
    }

    /** Switches the notifications of PostgreSQL about new events on or off. */
    async function notify(isTold: boolean): Promise<void> {
      const { rows } = await hand.query<{ text: string }>(
        `SELECT pg_get_functiondef('sequence_events'::regproc) AS text`,
      );
      const text = rows[0]?.text.replace(NOTIFIES, 'NULL;') ?? '';
      await hand.query(isTold ? text.replace('NULL;', NOTIFIES) : text);
    }

    async function subscribed(): Promise<Subscribed[]> {
      return Promise.all(
        stores.map(async (store) => {
          const live = connect(store);
          lives.push(live);
          return live.subscribe('newOrder', '{ id }');
        }),
      );
    }

    async function requireHeard(subscribers: readonly Subscribed[]): Promise<void> {
      for (const store of stores) {
        const { id } = await placeOrder(store);
        const heard = await Promise.all(subscribers.map((subscriber) => subscriber.next()));
        expect(heard.map(({ data }) => Number(data.newOrder.id))).toEqual(subscribers.map(() => id));
      }
    }

    /** The number of instances that listen on each channel. */
    async function listeners(): Promise<readonly number[]> {
      const client = new Redis(redis.url);
      const channels = (await client.pubsub('CHANNELS', CHANNELS)) as string[];
      const counts = (await client.pubsub('NUMSUB', ...channels)) as (string | number)[];
      client.disconnect();
      return channels.length === 0 ? [] : counts.filter((_value, n) => n % 2 === 1).map(Number);
    }

    const readiness = async () =>
      Promise.all(
        stores.map(async (store) => (await store.call('GET', '/health/ready')).body.status as string),
      );
    const isBack = async () => {
      await expect.poll(readiness, { timeout: 60_000 }).toEqual(['ok', 'ok']);
      await expect.poll(listeners, { timeout: 60_000 }).toEqual([2]);
    };

    it('works with Redis alone', async () => {
      await expect.poll(readiness).toEqual(['ok', 'ok']);
      await expect.poll(listeners).toEqual([2]);
      await notify(false);
      await requireHeard(await subscribed());
    });

    it('works with PostgreSQL alone while Redis is down, and with Redis alone when it is back', async () => {
      const subscribers = await subscribed();
      await notify(true);
      await redis.kill();
      await expect.poll(readiness).toEqual(['degraded', 'degraded']);
      await requireHeard(subscribers);
      await redis.start();
      await isBack();
      await notify(false);
      await requireHeard(subscribers);
    });

    it('delivers the missed events when Redis is back', async () => {
      const subscribers = await subscribed();
      const body = await anOrder(stores[0] as TestApp);
      await waitForLog(stores[0] as TestApp);
      await redis.kill();
      const { body: placed } = await (stores[0] as TestApp).call('POST', '/api/orders', { body });
      await waitForLog(stores[0] as TestApp);
      await redis.start();
      for (const subscriber of subscribers) {
        expect(Number((await subscriber.next()).data.newOrder.id)).toBe(placed.id);
      }
      await isBack();
    });

    it('works again after Redis did not answer for a while', async () => {
      const subscribers = await subscribed();
      redis.freeze();
      const missed = await placeOrder(stores[0] as TestApp);
      await expect.poll(readiness).toEqual(['degraded', 'degraded']);
      redis.resume();
      await isBack();
      const next = await placeOrder(stores[1] as TestApp);
      for (const subscriber of subscribers) {
        const heard = [await subscriber.next(), await subscriber.next()];
        expect(heard.map(({ data }) => Number(data.newOrder.id))).toEqual([missed.id, next.id]);
      }
    });

    it('works after a connection was lost without notice', async () => {
      const subscribers = await subscribed();
      proxy.mute();
      await expect.poll(readiness, { timeout: 60_000 }).toEqual(['degraded', 'degraded']);
      await isBack();
      await requireHeard(subscribers);
    });

    it('uses another channel for an instance of another store on the same Redis', async () => {
      const other = await freshDatabase('postgres');
      await start(other.url);
      const sqlite = await startApp('sqlite', { STORE_REDIS_URL: redis.url });
      await expect.poll(async () => new Set(await listeners())).toEqual(new Set([1, 2]));
      await sqlite.close();
      await stores.pop()?.close();
      await other.drop();
    });
  });
});
