import { readFile } from 'node:fs/promises';
import { enginesFor } from './databases.ts';
import { Broken, prove, SEED, tell } from './options.ts';
import { twinOn } from './twin/run.ts';

const HELP = `npm run prove:twin -- [options]

Proves that the service is one store, whatever it is asked through: products, users and orders are written through REST
version 1, REST version 2 and GraphQL by turns, and after each write the same rows are read through all of them and in
all formats, and compared with each other and with a model kept beside. What is refused is refused for the same reason by
all of them, and changes nothing. At the end whole lists are walked by pages, by cursors there and back, as exports, and as
the orders of each user. It ends with 1 at the first difference.

  --ops N      how many writes are tried (5000)
  --engine E   sqlite or postgres; else both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N     what is chosen; else by chance. The same number makes the same writes
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
