import { Redis } from 'ioredis';
import { pino, type Logger } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { RateLimits } from '../../../src/engine/rate-limits/rate-limits.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { anAddress, limitIn } from '../../support/fixtures/rate-limits.js';
import { describeOnRedis, privateRedis, redisUrl, type PrivateRedis } from '../../support/fixtures/redis.js';

const PRODUCTS = '/api/v1/products';

/** The units that are left after a request, or `refused`. */
async function ask(
  store: TestApp,
  ip: string,
  key: string | null = null,
): Promise<number | string | undefined> {
  const { status, headers } = await store.call('GET', PRODUCTS, {
    key,
    headers: { 'x-forwarded-for': ip },
  });
  return status === 429 ? 'refused' : limitIn(headers)?.left;
}

const readiness = async (store: TestApp) =>
  (await store.call('GET', '/health/ready', { key: null })).body as unknown;

describeOnRedis('the limits of several instances', () => {
  const opened: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  async function instance(url: string, limit = 'anonymous=4/h', logger?: Logger): Promise<TestApp> {
    const settings = { STORE_REDIS_URL: url, STORE_RATE_LIMIT: limit, STORE_TRUST_PROXY: 'true' };
    const store = await startApp('sqlite', settings, undefined, logger);
    opened.push(store);
    return store;
  }

  async function server(isRunning = true): Promise<PrivateRedis> {
    const redis = await privateRedis();
    opened.push({ close: () => redis.kill() });
    if (isRunning) await redis.start();
    return redis;
  }

  const DEGRADED = { status: 'degraded', missing: ['redis'] };

  it('count every unit of all instances together', async () => {
    const [first, second] = [await instance(redisUrl as string), await instance(redisUrl as string)];
    expect([await readiness(first), await readiness(second)]).toEqual([{ status: 'ok' }, { status: 'ok' }]);
    const ip = anAddress();
    expect(await ask(first, ip)).toBe(3);
    expect(await ask(second, ip)).toBe(2);
    expect(await ask(second, ip)).toBe(1);
    expect(await ask(first, ip)).toBe(0);
    expect([await ask(first, ip), await ask(second, ip)]).toEqual(['refused', 'refused']);
    // Requests with a wrong credential are counted together too.
    const guesser = anAddress();
    for (const store of [first, second, first, second]) {
      const { status } = await store.call('GET', PRODUCTS, {
        key: 'sk_1_wrong',
        headers: { 'x-forwarded-for': guesser },
      });
      expect(status).toBe(401);
    }
    expect([await ask(first, guesser), await ask(second, guesser)]).toEqual(['refused', 'refused']);
  });

  it('leave no key in Redis for an address that the instance has no room for in its memory', async () => {
    const redis = await server();
    const store = await instance(redis.url);
    const [shared, other] = [anAddress(), anAddress()];
    expect(await ask(store, shared)).toBe(3);
    await redis.kill();
    // While Redis is down, the instance counts all addresses itself, until it has no more room.
    const limits = store.app.get(RateLimits, { strict: false });
    // `anAddress` makes no address of this network.
    for (let n = 1; n < 50_000; n++) await limits.take(limits.ofAddress(`172.16.${n >> 8}.${n & 255}`));
    await redis.start();
    await expect.poll(() => readiness(store), { timeout: 60_000 }).toEqual({ status: 'ok' });
    const client = new Redis(redis.url);
    expect(await ask(store, shared)).toBe(3);
    expect([await ask(store, other), await ask(store, other)]).toEqual([3, 2]);
    expect(await client.keys('store:rate:*')).toEqual([`store:rate:anonymous:${shared}`]);
    client.disconnect();
  });

  it('allow exactly the quota if an address asks all instances at once, and leave one expiring Redis key', async () => {
    const redis = await server();
    const stores = [await instance(redis.url, 'anonymous=10/h'), await instance(redis.url, 'anonymous=10/h')];
    const ip = anAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_value, i) => ask(stores[i % 2] as TestApp, ip)),
    );
    const lefts = answers.filter((answer) => answer !== 'refused');
    expect(lefts.toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const client = new Redis(redis.url);
    const keys = await client.keys('*');
    expect(keys).toEqual([`store:rate:anonymous:${ip}`]);
    expect(await client.pttl(keys[0] as string)).toBeGreaterThan(3_500_000);
    client.disconnect();
  });

  it('count in each instance while Redis is down, and together again when it is back', async () => {
    const redis = await server();
    const [first, second] = [await instance(redis.url), await instance(redis.url)];
    const [before, after] = [anAddress(), anAddress()];
    expect([await ask(first, before), await ask(second, before), await ask(first, before)]).toEqual([
      3, 2, 1,
    ]);

    await redis.kill();
    await expect.poll(() => readiness(first)).toEqual(DEGRADED);
    await expect.poll(() => readiness(second)).toEqual(DEGRADED);
    // Each instance continues with the last count that it knows.
    expect([await ask(first, before), await ask(first, before)]).toEqual([0, 'refused']);
    expect([await ask(second, before), await ask(second, before), await ask(second, before)]).toEqual([
      1,
      0,
      'refused',
    ]);

    await redis.start();
    await expect.poll(() => readiness(first), { timeout: 60_000 }).toEqual({ status: 'ok' });
    await expect.poll(() => readiness(second), { timeout: 60_000 }).toEqual({ status: 'ok' });
    expect([await ask(first, after), await ask(second, after)]).toEqual([3, 2]);
  });

  it('begin a new window when the clock of Redis was set back', async () => {
    const redis = await server();
    const [before, after] = [await instance(redis.url), await instance(redis.url)];
    const ip = anAddress();
    for (const left of [3, 2, 1, 0, 'refused']) expect(await ask(before, ip)).toBe(left);
    const client = new Redis(redis.url);
    // More time than a whole window is left, as if the clock had been set back.
    for (const key of await client.keys('store:rate:*')) await client.pexpire(key, 4 * 3_600_000);
    client.disconnect();
    expect([await ask(after, ip), await ask(after, ip)]).toEqual([3, 2]);
  });

  it('wait for Redis once if it does not answer, and not again before it answers', async () => {
    const redis = await server();
    const store = await instance(redis.url, 'anonymous=1000/h');
    const ip = anAddress();
    expect(await ask(store, ip)).toBe(999);
    redis.freeze();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(store, ip)));
    expect(answers).not.toContain('refused');
    for (let i = 0; i < 50; i += 1) await ask(store, ip);
    expect(await readiness(store)).toEqual(DEGRADED);
    redis.resume();
    await expect.poll(() => readiness(store), { timeout: 60_000 }).toEqual({ status: 'ok' });
    expect(await ask(store, ip)).toBeLessThan(999);
    // While Redis did not answer, the requests that came one after another were not sent to it.
    const client = new Redis(redis.url);
    const [, asked] = /cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats')) ?? [];
    expect(Number(asked)).toBeLessThan(60);
    client.disconnect();
  });

  it('are counted alone while Redis refuses to write, with one warning, and the log tells when it writes again', async () => {
    const redis = await server();
    const lines: { level: number; msg: string }[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const said = () =>
      lines.filter(({ msg }) => msg.startsWith('Redis is')).map(({ level, msg }) => [level, msg]);
    const store = await instance(redis.url, 'anonymous=1000/h', logger);
    const client = new Redis(redis.url);
    opened.push({ close: () => client.quit() });
    const asked = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
    // A replica answers, but it refuses to write.
    await client.replicaof('127.0.0.1', 1);
    const ip = anAddress();
    await expect
      .poll(async () => {
        expect(await ask(store, ip)).not.toBe('refused');
        return asked();
      })
      .toBeGreaterThanOrEqual(4);
    expect(await readiness(store)).toEqual(DEGRADED);
    const warning = [40, 'Redis is not available; each instance works alone.'];
    expect(said()).toEqual([warning]);
    await client.replicaof('NO', 'ONE');
    await expect.poll(said).toEqual([warning, [30, 'Redis is available again.']]);
    await expect.poll(() => readiness(store)).toEqual({ status: 'ok' });
    expect(await ask(store, ip)).toBe(999);
  });

  it('do not prevent the start of an instance while Redis is down or does not answer', async () => {
    const redis = await server(false);
    const store = await instance(redis.url);
    expect(await readiness(store)).toEqual(DEGRADED);
    expect(await ask(store, anAddress())).toBe(3);
    await redis.start();
    await expect.poll(() => readiness(store), { timeout: 60_000 }).toEqual({ status: 'ok' });
    redis.freeze();
    const another = await instance(redis.url);
    expect(await ask(another, anAddress())).toBe(3);
    expect(await readiness(another)).toEqual(DEGRADED);
    redis.resume();
    await expect.poll(() => readiness(another), { timeout: 60_000 }).toEqual({ status: 'ok' });
  });
});
