import { readFile } from 'node:fs/promises';
import { proveOn } from './contract/run.ts';
import { enginesFor } from './databases.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const HELP = `npm run prove:contract -- [options]

Proves that the service keeps its contracts. The proof reads openapi.yaml and schema.graphql, and shares no code with
the service. The proof makes good and bad requests for every operation, at all addresses of the operation, and for every
root field. The requests have values at all bounds, and random values. The proof judges each answer by the contracts
alone. The answers must have every status that an operation documents, and every possible outcome of a root field. To
get some of them, the proof breaks the database or acts as a slow client. Every optional member of an answer must be
shown at least once. At the first difference, the proof ends with the exit code 1.

  --requests N     the number of random requests (5000). Before them, the proof makes each kind of request for each
                   operation
  --engine E       sqlite or postgres; default: both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N         the seed of the random choices (random). The same seed makes the same requests
  --only A,B       only these operations and root fields, such as createProduct,Query.product
  --openapi FILE   another contract instead of openapi.yaml
  --sdl FILE       another contract instead of schema.graphql
`;

await prove(
  HELP,
  {
    requests: { fallback: 5000, least: 0, most: 10_000_000 },
    seed: SEED,
    engine: { words: ['sqlite', 'postgres'] },
    only: { text: '' },
    openapi: { text: 'openapi.yaml' },
    sdl: { text: 'schema.graphql' },
  },
  async ({ requests, seed, engine, only, openapi, sdl }, proceeding) => {
    const contracts = { openapi: await readFile(openapi, 'utf8'), sdl: await readFile(sdl, 'utf8') };
    const names = only.split(',').filter(Boolean);
    for (const chosen of enginesFor(engine)) {
      try {
        await proveOn(chosen, contracts, { requests, seed, only: names }, proceeding);
      } catch (error) {
        if (error instanceof Broken)
          throw new Broken(`${chosen}, --seed ${seed}: ${error.message}`, { cause: error.cause });
        throw error;
      }
      tell(`${chosen}: the service kept its promises, with --seed ${seed}.`);
    }
  },
);
