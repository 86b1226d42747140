import { setTimeout as sleep } from 'node:timers/promises';
import { serve, type Service } from '../test/support/process.ts';
import { check } from './check.ts';
import { Creators, randomFrom, type Random } from './creators.ts';
import { createPostgres, createSqlite, enginesFor, type Engine, type ProofDatabase } from './databases.ts';
import { byWebSocket, bySse, type Follower } from './followers.ts';
import { Broken, prove, requireThat, SEED, tell } from './options.ts';
import { Shop } from './shop.ts';

const KEY = 'proof-'.repeat(6);
const FOLLOWERS_OF_EACH_KIND = 3;
/** How many requests are answered before a kill at most, and how many after it, when the subscribers come back. */
const BEFORE = 400;
const AFTER = 48;

const HELP = `npm run prove:crash -- [options]

Proves that what is acknowledged survives kill -9: 24 creators order, cancel and create products, each request with an
Idempotency-Key; the built service is killed in the middle and started again; what was not answered is sent again. Then
all that was acknowledged must be there exactly once, totals and stock must agree, and all subscribers to newOrder, over
WebSocket and server-sent events, must have the list of the log. It ends with 1 at the first difference.

  --kills N       how often it is killed (20)
  --engine E      sqlite or postgres; else both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N        what is chosen, and when the service is killed; else by chance
`;

await prove(
  HELP,
  { kills: { fallback: 20, least: 1, most: 100_000 }, seed: SEED, engine: { words: ['sqlite', 'postgres'] } },
  async ({ kills, seed, engine }) => {
    for (const chosen of enginesFor(engine)) {
      try {
        await proveOn(chosen, kills, randomFrom(seed));
      } catch (error) {
        if (error instanceof Broken)
          throw new Broken(`${chosen}, --seed ${seed}: ${error.message}`, { cause: error.cause });
        throw error;
      }
      tell(`${chosen}: kept, with --seed ${seed}.`);
    }
  },
);

interface Proof {
  readonly engine: Engine;
  readonly database: ProofDatabase;
  readonly kills: number;
  readonly random: Random;
}

async function proveOn(engine: Engine, kills: number, random: Random): Promise<void> {
  const database =
    engine === 'sqlite' ? await createSqlite() : await createPostgres(process.env['TEST_POSTGRES_URL'] ?? '');
  const settings = {
    STORE_DATABASE_URL: database.url,
    STORE_ADMIN_KEY: KEY,
    STORE_SECRET: KEY,
    STORE_RATE_LIMIT: 'off',
    STORE_ACCESS_LOG: 'errors',
  };
  try {
    const service = await serve(settings);
    await proveOf(service, settings, { engine, database, kills, random });
  } finally {
    await database.drop();
  }
}

async function proveOf(
  first: Service,
  settings: Readonly<Record<string, string>>,
  { engine, database, kills, random }: Proof,
): Promise<void> {
  let service = first;
  const PORT = new URL(service.url).port;
  const shop = new Shop(service.url, KEY);
  const followers = newFollowers(shop, 'early');
  const leave = () => shop.leave();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    const creators = new Creators(shop, random);
    await creators.prepare();
    for (let kill = 1; kill <= kills; kill++) {
      creators.begin();
      await creators.answers(1 + Math.floor(random() * BEFORE));
      // At once, other answers of the same commit are on their way; a little later, other commits are.
      if (kill % 2) await sleep(random() * 20);
      await service.stop('SIGKILL');
      service = await serve({ ...settings, PORT }).catch((error: unknown) => {
        throw new Broken(`After kill ${kill} it does not start.`, { cause: error });
      });
      await creators.answers(AFTER);
      await creators.end();
      tell(`${engine}, kill ${kill} of ${kills}: ${await agreed(creators, shop, database, followers)}`);
    }
    requireThat(creators.cuts > 0, () => 'No request was cut off, so nothing was proved.');
    await repeatAll(creators, shop);
    followers.push(...newFollowers(shop, 'late'));
    tell(`${engine}, with those who came late: ${await agreed(creators, shop, database, followers)}`);
  } finally {
    for (const follower of followers) follower.leave();
    shop.leave();
    await service.stop('SIGKILL');
  }
}

function newFollowers(shop: Shop, when: string): Follower[] {
  return Array.from({ length: FOLLOWERS_OF_EACH_KIND }, (_, n) => [
    byWebSocket(shop, `the ${when} WebSocket ${n + 1}`),
    bySse(shop, `the ${when} SSE ${n + 1}`),
  ]).flat();
}

/** @returns the counts */
async function agreed(
  creators: Creators,
  shop: Shop,
  database: ProofDatabase,
  followers: readonly Follower[],
): Promise<string> {
  const { created, last } = await check(creators, shop, database);
  await Promise.all(followers.map((follower) => follower.requireAll(created)));
  const { orders, cancelled, products, refusals, cuts } = creators;
  const replays = creators.settled.filter(({ isReplayed }) => isReplayed).length;
  return (
    `${orders.size} orders, ${cancelled.size} of them cancelled, ${products.size} products, ${refusals} refused for want of stock; ` +
    `${cuts} requests cut off, ${replays} of them had been served; ` +
    `${last} events, ${followers.length} subscribers with the same ${created.length} orders`
  );
}

/** Each key has one result, however often it is sent. */
async function repeatAll(creators: Creators, shop: Shop): Promise<void> {
  const left = [...creators.settled];
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (let settled = left.pop(); settled; settled = left.pop()) await shop.repeat(settled);
    }),
  );
}
