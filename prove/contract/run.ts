import { serve } from '../../testkit/process.ts';
import { createPostgres, createSqlite, type Engine, type ProofDatabase } from '../databases.ts';
import { randomFrom } from '../../testkit/random.ts';
import type { Proceeding } from '../../testkit/proceeding.ts';
import { requireThat, tell } from '../options.ts';
import { Client } from './client.ts';
import { events } from './events.ts';
import { broken, ended, inUse, odd, onlyInUse, slow, strict } from './faults.ts';
import { GraphqlProver } from './graphql.ts';
import { Prover } from './prover.ts';
import { Values } from './values.ts';
import { ADMIN_KEY, World } from './world.ts';

/*
 * The proof that the service keeps its contracts. A draft is a valid request in parts. A twist makes a request from a
 * draft, and knows the answer; most twists spoil one part. `Prover` sends these requests to REST, and `GraphqlProver`
 * to GraphQL. `judge.ts` compares each answer of REST with the contract. `faults.ts` causes the answers that an
 * ordinary request does not get.
 */

export interface Contracts {
  readonly openapi: string;
  readonly sdl: string;
}

export interface Wanted {
  readonly requests: number;
  readonly seed: number;
  /** The operations and root fields to test; an empty list means all. */
  readonly only: readonly string[];
}

/** A built service on a database of its own, and the rows that were made in it. */
export interface Target {
  readonly world: World;
  readonly client: Client;
  readonly database: ProofDatabase;
}

export async function startTarget(
  engine: Engine,
  seed: number,
  { signal, atEnd }: Proceeding,
  settings: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const database =
    engine === 'sqlite' ? await createSqlite() : await createPostgres(process.env['TEST_POSTGRES_URL'] ?? '');
  atEnd(() => database.drop());
  const { url } = await serve(
    {
      STORE_DATABASE_URL: database.url,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_SECRET: ADMIN_KEY,
      // The limits are never reached. With limits, the answers have the headers that tell how many requests remain.
      STORE_RATE_LIMIT: 'anonymous=999999999/min,caller=999999999/min',
      STORE_ACCESS_LOG: 'errors',
      ...settings,
    },
    { signal },
  );
  const client = new Client(url);
  return { world: new World(client, new Values(randomFrom(seed))), client, database };
}

/** One fifth of the random requests are for GraphQL. */
const GRAPHQL = 5;

/**
 * The whole proof on one engine.
 *
 * @throws Broken at the first difference
 */
export async function proveOn(
  engine: Engine,
  contracts: Contracts,
  wanted: Wanted,
  proceeding: Proceeding,
): Promise<void> {
  const [target, other, past] = await Promise.all([
    startTarget(engine, wanted.seed, proceeding),
    // Without a valid credential, the limit is one request an hour. With a valid credential, the limit is so high that
    // it is never reached.
    startTarget(engine, wanted.seed, proceeding, {
      STORE_RATE_LIMIT: 'anonymous=1/h,caller=1000000/min',
      STORE_REQUIRE_IF_MATCH: 'true',
    }).then((made) => ({ ...made, world: made.world.ofAdministrator() })),
    startTarget(engine, wanted.seed, proceeding, {
      STORE_V1_DEPRECATED: '2020-01-01',
      STORE_V1_SUNSET: '2021-01-01',
    }),
  ]);
  const { world, client, database } = target;
  const prover = new Prover(contracts.openapi, wanted.only, world);
  // `slow` waits for a timeout of the service (15 s), so the other requests are sent meanwhile.
  const slowness = slow(prover, client);
  slowness.catch(() => undefined);
  const graphql = new GraphqlProver(contracts.sdl, wanted.only, world);
  await prover.each();
  await graphql.each();
  await prover.random(wanted.requests - Math.floor(wanted.requests / GRAPHQL));
  await graphql.random(Math.floor(wanted.requests / GRAPHQL));
  await events({ prover, world, database });
  await odd(prover, client);
  const faulty = { ...other, prover };
  await ended(prover, past);
  await inUse(faulty);
  await strict(faulty);
  // `broken` needs a separate service. The other services have used up the limit of the address, have other requests
  // running, or serve version 1 no longer.
  const last = await startTarget(engine, wanted.seed, proceeding);
  await broken({ ...last, world: last.world.ofAdministrator(), prover });
  await slowness;
  tell(prover.tally.table());
  tell(graphql.tally.table());
  const missing = [...prover.missing(), ...graphql.missing()];
  const left = database.lock ? [] : missing.filter((pair) => onlyInUse(prover).has(pair));
  if (left.length > 0)
    tell(`Reached on PostgreSQL only, because acts run one after another on SQLite: ${left.join(', ')}.`);
  const unseen = missing.filter((pair) => !left.includes(pair));
  requireThat(unseen.length === 0, () => `Documented, but never answered: ${unseen.join(', ')}.`);
  // If only some operations are tested, some members are never shown. For example, the faults of a body need an
  // operation with a body.
  if (wanted.only.length > 0) return;
  const unshown = await prover.unshown();
  requireThat(unshown.length === 0, () => `Optional, but never shown: ${unshown.join(', ')}.`);
}
