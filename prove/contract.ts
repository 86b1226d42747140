import { readFile } from 'node:fs/promises';
import { proveOn } from './contract/run.ts';
import { enginesFor } from './databases.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const HELP = `npm run prove:contract -- [options]

Proves that the service keeps its contracts: a reader of openapi.yaml and schema.graphql that shares nothing with the
service makes good and bad requests for every operation, at all its addresses, and every root field, at all bounds and by
chance, and judges each answer by the contracts alone. Every status that an operation documents must be reached, by broken
databases and slow clients where nothing else brings it about, and every outcome that a root field can have. It ends with 1
at the first difference.

  --requests N     how many requests are made by chance, after one of each kind for each operation (5000)
  --engine E       sqlite or postgres; else both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N         what is chosen; else by chance. The same number makes the same requests
  --only A,B       only these operations and root fields: createProduct,Query.product
  --openapi FILE   another contract than openapi.yaml
  --sdl FILE       another contract than schema.graphql
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
      tell(`${chosen}: kept, with --seed ${seed}.`);
    }
  },
);
