import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateRedis } from '../testkit/private-redis.ts';
import { randomFrom, type Random } from '../testkit/random.ts';
import { createPostgres } from './databases.ts';
import { Instances } from './instances.ts';
import type { Proceeding } from '../testkit/proceeding.ts';
import { Broken, prove, SEED, tell } from './options.ts';
import { PostgresServer } from '../testkit/postgres-server.ts';
import { AFTER, Proof, settingsOn } from './proof.ts';

/** PostgreSQL stays down for at most this time, in milliseconds, after all instances have noticed that it is down. */
const GONE_MS = 1_500;

const HELP = `npm run prove:resume -- [options]

Proves that several instances are one store, even if any part of it is killed. The proof starts a PostgreSQL server, a Redis
server and the instances. 24 clients place orders, cancel orders and create products at all instances, each request with an
Idempotency-Key. Subscribers follow by WebSocket, by server-sent events and by GET /events. Again and again the proof kills an
instance, Redis or PostgreSQL, and starts it again. If a request gets no answer, its client sends it again to another
instance. A subscriber that was cut off continues at another instance; some subscribers also change the instance without a
reason. At the end, everything that was acknowledged must be there exactly once, totals and stock must agree, and all
subscribers must have received all events, in the order of the log. At the first difference, the proof ends with the exit
code 1.

  --instances N   the number of instances (3)
  --kills N       the number of kills (20)
  --seed N        the seed of the random choices and of the moments of the kills (random)
`;

await prove(
  HELP,
  {
    instances: { fallback: 3, least: 2, most: 9 },
    kills: { fallback: 20, least: 1, most: 100_000 },
    seed: SEED,
  },
  async ({ instances, kills, seed }, proceeding) => {
    if (spawnSync('redis-server', ['--version']).error) {
      throw new Error(
        'There is no Redis server here: apt-get install redis-server (Debian), dnf install redis (Fedora) or brew install redis (macOS).',
      );
    }
    try {
      await proveWith(instances, kills, randomFrom(seed), proceeding);
    } catch (error) {
      if (error instanceof Broken)
        throw new Broken(`--seed ${seed}: ${error.message}`, { cause: error.cause });
      throw error;
    }
    tell(`The service kept its promises, with --seed ${seed}.`);
  },
);

interface Target {
  readonly name: string;
  kill(): Promise<void>;
  /** Checks what must hold while the target is down. */
  whileGone(): Promise<void>;
  start(): Promise<void>;
}

async function proveWith(
  count: number,
  kills: number,
  random: Random,
  proceeding: Proceeding,
): Promise<void> {
  const [postgres, redis] = await Promise.all([
    PostgresServer.create(proceeding),
    privateRedis(proceeding.signal),
  ]);
  proceeding.atEnd(() => redis.kill());
  await Promise.all([postgres.start(), redis.start()]);
  const database = await createPostgres(postgres.url);
  const settings = { ...settingsOn(database), STORE_REDIS_URL: redis.url };
  const instances = await Instances.start(count, settings, proceeding);
  tell(`${count} instances, on PostgreSQL and Redis of their own.`);
  const proof = new Proof(instances.urls, database, random, proceeding);
  const { creators } = proof;

  const othersServe = () => creators.answers(AFTER);
  const anInstance = (): Target => {
    const index = Math.floor(random() * count);
    return {
      name: `instance ${index + 1}`,
      kill: () => instances.kill(index),
      whileGone: othersServe,
      start: () => instances.restart(index),
    };
  };
  const theRedis = (): Target => ({
    name: 'Redis',
    kill: () => redis.kill(),
    whileGone: async () => {
      await instances.requireReadiness(200, 'degraded');
      await othersServe();
    },
    start: () => redis.start(),
  });
  const thePostgres = (): Target => {
    const isImmediate = random() < 0.5;
    return {
      name: `PostgreSQL (${isImmediate ? 'stop -m immediate' : 'kill -9'})`,
      kill: () => postgres.kill(isImmediate ? 'SIGQUIT' : 'SIGKILL'),
      whileGone: async () => {
        await instances.requireReadiness(503);
        await sleep(random() * GONE_MS);
      },
      start: () => postgres.start(),
    };
  };
  const targets = [anInstance, theRedis, thePostgres];

  proof.follow('early');
  await creators.prepare();
  for (let kill = 1; kill <= kills; kill++) {
    await proof.work();
    // Half of the kills come directly after an answer. At this time, other answers of the same commit are perhaps still
    // waiting. The other kills come a little later, during other commits.
    if (kill % 2) await sleep(random() * 20);
    const target = (targets[(kill - 1) % targets.length] as () => Target)();
    await target.kill();
    await target.whileGone();
    await target.start();
    await instances.requireReadiness(200, 'ok');
    await creators.answers(AFTER);
    await creators.end();
    tell(`Kill ${kill} of ${kills}, ${target.name}: ${await proof.agreed()}`);
  }
  await proof.repeatAll();
  proof.follow('late');
  tell(`With subscribers that began later: ${await proof.agreed()}`);
}
