import { serve, type Service } from '../../test/support/process.ts';
import { createPostgres, createSqlite, type Engine, type ProofDatabase } from '../databases.ts';
import { randomFrom } from '../creators.ts';
import { requireThat, tell } from '../options.ts';
import { Client } from './client.ts';
import { broken, inUse, odd, onlyInUse, slow, strict } from './faults.ts';
import { GraphqlProver } from './graphql.ts';
import { Prover } from './prover.ts';
import { Values } from './values.ts';
import { ADMIN_KEY, World } from './world.ts';

export interface Contracts {
  readonly openapi: string;
  readonly sdl: string;
}

export interface Wanted {
  readonly requests: number;
  readonly seed: number;
  /** The operations and root fields to be asked; all of them when there are none. */
  readonly only: readonly string[];
}

/** A built service on a database of its own, and what is known of it. */
export interface Target {
  readonly world: World;
  readonly client: Client;
  readonly database: ProofDatabase;
  readonly service: Service;
  stop(): Promise<void>;
}

export async function startTarget(
  engine: Engine,
  seed: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const database =
    engine === 'sqlite' ? await createSqlite() : await createPostgres(process.env['TEST_POSTGRES_URL'] ?? '');
  try {
    const service = await serve({
      STORE_DATABASE_URL: database.url,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_SECRET: ADMIN_KEY,
      STORE_RATE_LIMIT: 'off',
      STORE_ACCESS_LOG: 'errors',
      ...settings,
    });
    const client = new Client(service.url);
    const world = new World(client, new Values(randomFrom(seed)));
    const stop = async (): Promise<void> => {
      client.close();
      await service.stop('SIGKILL');
      await database.drop();
    };
    return { world, client, database, service, stop };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** One of so many requests that are made by chance is for GraphQL. */
const GRAPHQL = 5;

/** All of the proof on one engine; its end is that all was kept. */
export async function proveOn(engine: Engine, contracts: Contracts, wanted: Wanted): Promise<void> {
  const [target, other] = await Promise.all([
    startTarget(engine, wanted.seed),
    // One request an hour without a credential that is good, and as many as one likes with one.
    startTarget(engine, wanted.seed, {
      STORE_RATE_LIMIT: 'anonymous=1/h,caller=1000000/min',
      STORE_REQUIRE_IF_MATCH: 'true',
    }).then((made) => ({ ...made, world: made.world.ofAdministrator() })),
  ]);
  try {
    const { world, client, database } = target;
    const prover = new Prover(contracts.openapi, wanted.only, world);
    // It takes half a minute, in which nothing else has to wait.
    const slowness = slow(prover, client);
    slowness.catch(() => undefined);
    const graphql = new GraphqlProver(contracts.sdl, wanted.only, world);
    await prover.each();
    await graphql.each();
    await prover.random(wanted.requests - Math.floor(wanted.requests / GRAPHQL));
    await graphql.random(Math.floor(wanted.requests / GRAPHQL));
    await odd(prover, client);
    const faulty = { ...other, prover };
    await inUse(faulty);
    await strict(faulty);
    await broken(faulty);
    await slowness;
    tell(prover.tally.table());
    tell(graphql.tally.table());
    const missing = [...prover.missing(), ...graphql.missing()];
    const left = database.lock ? [] : missing.filter((pair) => onlyInUse(prover).has(pair));
    if (left.length > 0)
      tell(`Left to PostgreSQL, since on SQLite one act waits for the other: ${left.join(', ')}.`);
    const unseen = missing.filter((pair) => !left.includes(pair));
    requireThat(unseen.length === 0, () => `Documented, but never answered: ${unseen.join(', ')}.`);
  } finally {
    await target.stop();
    await other.stop();
  }
}
