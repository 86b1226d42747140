import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../testkit/process.ts';
import { randomFrom, type Random } from '../testkit/random.ts';
import { createPostgres, createSqlite, enginesFor, type Engine } from './databases.ts';
import type { Proceeding } from '../testkit/proceeding.ts';
import { Broken, prove, SEED, tell } from './options.ts';
import { AFTER, Proof, settingsOn } from './proof.ts';

const HELP = `npm run prove:crash -- [options]

Proves that acknowledged changes survive kill -9. 24 clients place orders, cancel orders and create products, each request with
an Idempotency-Key. Meanwhile the proof kills the built service, and starts it again. The clients repeat each request that got
no answer. At the end, everything that was acknowledged must be there exactly once, and totals and stock must agree. All
subscribers (newOrder by WebSocket and by server-sent events, and GET /events) must have received all events, in the order of
the log. At the first difference, the proof ends with the exit code 1.

  --kills N       the number of kills (20)
  --engine E      sqlite or postgres; default: both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N        the seed of the random choices and of the moments of the kills (random)
`;

await prove(
  HELP,
  { kills: { fallback: 20, least: 1, most: 100_000 }, seed: SEED, engine: { words: ['sqlite', 'postgres'] } },
  async ({ kills, seed, engine }, proceeding) => {
    for (const chosen of enginesFor(engine)) {
      try {
        await proveOn(chosen, kills, randomFrom(seed), proceeding);
      } catch (error) {
        if (error instanceof Broken)
          throw new Broken(`${chosen}, --seed ${seed}: ${error.message}`, { cause: error.cause });
        throw error;
      }
      tell(`${chosen}: the service kept its promises, with --seed ${seed}.`);
    }
  },
);

async function proveOn(engine: Engine, kills: number, random: Random, proceeding: Proceeding): Promise<void> {
  const database =
    engine === 'sqlite' ? await createSqlite() : await createPostgres(process.env['TEST_POSTGRES_URL'] ?? '');
  proceeding.atEnd(() => database.drop());
  const settings = settingsOn(database);
  const start = (port: string) => serve({ ...settings, PORT: port }, { signal: proceeding.signal });
  let service = await start('0');
  const { port } = new URL(service.url);
  const proof = new Proof([service.url], database, random, proceeding);
  const { creators } = proof;
  proof.follow('early');
  await creators.prepare();
  for (let kill = 1; kill <= kills; kill++) {
    await proof.work();
    // Half of the kills come directly after an answer. At this time, other answers of the same commit are perhaps still
    // waiting. The other kills come a little later, during other commits.
    if (kill % 2) await sleep(random() * 20);
    await service.stop('SIGKILL');
    service = await start(port).catch((error: unknown) => {
      throw new Broken(`After kill ${kill} the service does not start.`, { cause: error });
    });
    await creators.answers(AFTER);
    await creators.end();
    tell(`${engine}, kill ${kill} of ${kills}: ${await proof.agreed()}`);
  }
  await proof.repeatAll();
  proof.follow('late');
  tell(`${engine}, with subscribers that began later: ${await proof.agreed()}`);
  proof.leave();
  await service.stop('SIGKILL');
}
