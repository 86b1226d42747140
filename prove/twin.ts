import { readFile } from 'node:fs/promises';
import { enginesFor } from './databases.ts';
import { Broken, prove, SEED, tell } from './options.ts';
import { twinOn } from './twin/run.ts';

const HELP = `npm run prove:twin -- [options]

Proves that all interfaces show the same store. The proof writes products, users and orders, each time through another
interface: REST version 1, REST version 2 or GraphQL. After each write it reads up to four of the changed rows through all
three, and in all formats. It compares the results with each other, and with a model of its own. All interfaces must refuse
a bad request for the same reason, and a refused request must change nothing. At the end the proof reads whole lists: by
page, by cursor in both directions, and as exports. It also reads the first page of the orders of each user. At the first
difference, it ends with the exit code 1.

  --ops N      the number of writes (5000)
  --engine E   sqlite or postgres; default: both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N     the seed of the random choices (random). The same seed makes the same writes
`;

await prove(
  HELP,
  {
    ops: { fallback: 5000, least: 1, most: 10_000_000 },
    seed: SEED,
    engine: { words: ['sqlite', 'postgres'] },
  },
  async ({ ops, seed, engine }, proceeding) => {
    const openapi = await readFile('openapi.yaml', 'utf8');
    for (const chosen of enginesFor(engine)) {
      try {
        tell(`${chosen}: ${await twinOn(chosen, openapi, { ops, seed }, proceeding)}`);
      } catch (error) {
        if (error instanceof Broken)
          throw new Broken(`${chosen}, --seed ${seed}: ${error.message}`, { cause: error.cause });
        throw error;
      }
      tell(`${chosen}: no difference, with --seed ${seed}.`);
    }
  },
);
