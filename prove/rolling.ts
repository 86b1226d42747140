import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateRedis } from '../testkit/private-redis.ts';
import { hasPgBouncer, PgBouncer } from '../testkit/pgbouncer.ts';
import { PostgresServer } from '../testkit/postgres-server.ts';
import type { Proceeding } from '../testkit/proceeding.ts';
import { createPostgres, type ProofDatabase } from './databases.ts';
import { bySse, byWebSocket, type Follower } from './followers.ts';
import { lightSse, lightWebSocket } from './rolling/subscribers.ts';
import { Instances } from './instances.ts';
import { prove, requireThat, tell } from './options.ts';
import { settingsOn } from './proof.ts';
import { Buyers } from './rolling/buyers.ts';
import { percentile, Readers, type Taken } from './rolling/readers.ts';
import { Shop } from './shop.ts';

const INSTANCES = 3;
const CONNECTED_MS = 120_000;
/** The number of subscribers that connect at the same time at the beginning. */
const AT_ONCE = 100;
const STANDARD = 20;
/** The upper limit of the 99th percentile of the reads during the restarts, even on a machine with other work. */
const SLOWEST_MS = 5_000;
const PAUSE_MS = 50;
const MOST_RATIO = 2;
/** An instance with clients ends about this long after SIGTERM. */
const LEAVING_MS = 4_000;

const HELP = `npm run prove:rolling -- [options]

Proves that instances can be restarted and replaced under load. The proof starts a PostgreSQL server with a streaming replica,
PgBouncer in front of it (transaction mode), a Redis server, and ${INSTANCES} instances. Clients place orders and read all the
time. Subscribers follow all orders, half of them by WebSocket and half by server-sent events. After a lost connection, they
wait as long as standard clients, except the first ${STANDARD}: these connect again almost at once. Then each instance in turn is
restarted (SIGTERM, wait, start). After that, each instance is replaced (kill -9, new instance). A client that gets no answer
repeats its request at another instance, with the same Idempotency-Key. A subscriber that was cut off continues at another
instance after its last cursor.

An instance that gets SIGTERM must answer every request that it has accepted, and must end with the exit code 0. At the end, every
acknowledged order must be there exactly once, and each subscriber must have received each order exactly once, in the order of
the log. The proof prints the 99th percentile of the reads before and during the restarts, with their ratio. On a machine with
a core for each instance, the ratio should be at most ${MOST_RATIO}. On a machine with fewer cores, each process that starts takes
processor time from the others. So the proof also starts instances that get no requests, as often as it restarts instances. It
prints the percentile of the reads during this time too. The percentile during the restarts should be at most ${MOST_RATIO} times the
larger of the other two percentiles. Other work of the machine can cause a higher ratio. So a higher ratio makes the proof
fail only with --ratio. The proof always fails if the percentile during the restarts is above ${SLOWEST_MS / 1_000} s.

  --subscribers N   the number of subscribers (2000)
  --seconds N       the time of the warm-up, the time of the first measurement, and the pause after each restart (10)
  --rate N          the number of orders in a second (2)
  --ratio N         the proof fails if the ratio is higher; use ${MOST_RATIO} on a machine without other work (1000)
`;

await prove(
  HELP,
  {
    subscribers: { fallback: 2_000, least: 2, most: 10_000 },
    seconds: { fallback: 10, least: 1, most: 3_600 },
    rate: { fallback: 2, least: 1, most: 1_000 },
    ratio: { fallback: 1_000, least: 1, most: 1_000 },
  },
  async ({ subscribers, seconds, rate, ratio: mostRatio }, proceeding) => {
    if (spawnSync('redis-server', ['--version']).error) {
      throw new Error('There is no Redis server here: apt-get install redis-server (Debian).');
    }
    if (!hasPgBouncer) throw new Error('There is no PgBouncer here: apt-get install pgbouncer (Debian).');
    await proveWith(subscribers, seconds * 1_000, rate, mostRatio, proceeding);
    tell('The service kept its promises.');
  },
);

async function proveWith(
  subscribers: number,
  milliseconds: number,
  rate: number,
  mostRatio: number,
  proceeding: Proceeding,
): Promise<void> {
  const { settings, database } = await servers(proceeding);
  const instances = await Instances.start(INSTANCES, settings, proceeding);
  tell(`${INSTANCES} instances, on PostgreSQL with a replica and PgBouncer, and on Redis, all of their own.`);
  const shop = new Shop(instances.urls, settings['STORE_ADMIN_KEY'] as string, proceeding.signal);
  const buyers = new Buyers(shop);
  await buyers.prepare();

  const followers: Follower[] = [];
  proceeding.atEnd(() => followers.forEach((follower) => follower.leave()));
  while (followers.length < subscribers) {
    const more = Math.min(AT_ONCE, subscribers - followers.length);
    followers.push(...Array.from({ length: more }, (_, n) => followerOf(shop, followers.length + n)));
    await connected(followers);
  }
  tell(`${subscribers} subscribers.`);

  buyers.begin(rate);
  const readers = new Readers({ urls: instances.urls, key: shop.key });
  proceeding.atEnd(() => readers.end());
  // The first reads compile code and open connections.
  await sleep(milliseconds);
  const first = await readers.take();
  await sleep(milliseconds);
  const before = await readers.take();
  for (let count = 0; count < INSTANCES; count += 1) {
    await instances.startAndEndAnother();
    await sleep(LEAVING_MS + milliseconds);
  }
  const beside = await readers.take();
  const checked = () => {
    buyers.requireNoFault();
    for (const follower of followers) follower.requireNoFault();
  };

  for (let index = 0; index < INSTANCES; index += 1) {
    const begun = performance.now();
    const code = await instances.terminate(index);
    const took = performance.now() - begun;
    requireThat(code === 0, () => `Instance ${index + 1} ended with ${code} on SIGTERM.`);
    await instances.restart(index);
    await instances.requireReadiness(200);
    checked();
    tell(`Restart of instance ${index + 1}: it ended after ${(took / 1_000).toFixed(1)} s. ${buyers.told}`);
    await sleep(milliseconds);
  }
  const during = await readers.take();
  const lost = [first, before, beside, during].flatMap((taken) => taken.lost);
  requireThat(lost.length === 0, () => `${lost.length} reads that were accepted got no answer: ${lost[0]}.`);
  requireThat(
    buyers.cuts === 0,
    () => `${buyers.cuts} orders that were accepted during a restart got no answer.`,
  );

  for (let index = 0; index < INSTANCES; index += 1) {
    await instances.kill(index);
    await sleep(milliseconds / 2);
    await instances.restart(index);
    await instances.requireReadiness(200);
    checked();
    tell(`Replacement of instance ${index + 1}. ${buyers.told}`);
    await sleep(milliseconds / 2);
  }
  const replacing = await readers.take();
  await Promise.all([buyers.end(), readers.end()]);
  checked();

  const [calm, other, busy, killed] = [p99Of(before), p99Of(beside), p99Of(during), p99Of(replacing)];
  const reads = [before, beside, during, replacing].reduce((sum, { times }) => sum + times.length, 0);
  tell(
    `99 % of the reads took at most ${ms(calm)} before, ${ms(other)} while instances without requests started, ` +
      `${ms(busy)} during the restarts (ratios ${ratio(busy, calm)} and ${ratio(busy, other)}), ` +
      `and ${ms(killed)} during the replacements (ratios ${ratio(killed, calm)} and ${ratio(killed, other)}); ${reads} reads.`,
  );
  const reached = busy / Math.max(calm, other);
  tell(`The restarts are ${reached <= MOST_RATIO ? 'within' : 'above'} the ratio of ${MOST_RATIO}.`);
  requireThat(
    reached <= mostRatio,
    () => `The ratio is ${reached.toFixed(1)}, and not at most ${mostRatio}.`,
  );
  requireThat(busy <= SLOWEST_MS, () => `Reads took ${ms(busy)} during the restarts.`);
  await agreed(buyers, shop, database, followers);
}

/** The first subscribers are those of `followers.ts`. The others take less processor time. */
function followerOf(shop: Shop, n: number): Follower {
  const isStandard = n < STANDARD;
  const [index, number] = [n >> 1, n + 1];
  if (n % 2 === 0) return (isStandard ? byWebSocket : lightWebSocket)(shop, `WebSocket ${number}`, index);
  return (isStandard ? bySse : lightSse)(shop, `SSE ${number}`, index);
}

async function servers(proceeding: Proceeding) {
  const [primary, redis] = await Promise.all([
    PostgresServer.create(proceeding),
    privateRedis(proceeding.signal),
  ]);
  proceeding.atEnd(() => redis.kill());
  await Promise.all([primary.start(), redis.start()]);
  const database = await createPostgres(primary.url);
  const replica = await PostgresServer.createReplica(primary, proceeding);
  await replica.start();
  const pooler = await PgBouncer.create(database.url, {
    pool_mode: 'transaction',
    default_pool_size: '20',
  });
  proceeding.atEnd(() => pooler.remove());
  const reads = new URL(replica.url);
  reads.pathname = new URL(database.url).pathname;
  const settings: Record<string, string> = {
    ...settingsOn(database),
    STORE_DATABASE_URL: pooler.url,
    STORE_DATABASE_DIRECT_URL: database.url,
    STORE_DATABASE_READ_URL: reads.href,
    STORE_REDIS_URL: redis.url,
    // All subscribers are one caller.
    STORE_SUBSCRIPTION_LIMITS: 'anonymous=200,caller=20000,process=20000',
  };
  return { settings, database };
}

async function connected(followers: readonly Follower[]): Promise<void> {
  const deadline = Date.now() + CONNECTED_MS;
  for (;;) {
    const missing = followers.filter(({ connections }) => connections === 0).length;
    if (missing === 0) return;
    requireThat(Date.now() < deadline, () => `${missing} subscribers could not connect.`);
    await sleep(PAUSE_MS);
  }
}

async function agreed(
  buyers: Buyers,
  shop: Shop,
  database: ProofDatabase,
  followers: readonly Follower[],
): Promise<void> {
  const stored = (await shop.list<{ readonly id: number }>('/orders')).map(({ id }) => id);
  const acknowledged = buyers.orders.toSorted((a, b) => a - b);
  requireThat(
    JSON.stringify(stored) === JSON.stringify(acknowledged),
    () => `${acknowledged.length} orders were acknowledged, and ${stored.length} are stored.`,
  );
  const events = await database.events();
  await Promise.all(followers.map((follower) => follower.requireAll(events)));
  const again = followers.reduce((sum, { connections }) => sum + connections - 1, 0);
  const moved = followers.filter(({ connections }) => connections > 1).length;
  tell(
    `${acknowledged.length} orders, each of them stored once and received once by ${followers.length} subscribers. ` +
      `${moved} subscribers continued at another instance, ${again} times in all.`,
  );
}

function p99Of({ times }: Taken): number {
  return percentile(times, 0.99);
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}

function ratio(during: number, before: number): string {
  return (during / before).toFixed(1);
}
