import { readFile } from 'node:fs/promises';
import { mutantsOf } from './mutants/mutants.ts';
import { listOf, tableOf } from './mutants/report.ts';
import { judge } from './mutants/run.ts';
import { NAMES } from './mutants/stages.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const HELP = `npm run prove:mutants -- [options]

Proves that every change of a contract is noticed. The proof changes one random place of openapi.yaml or
schema.graphql. Then it runs these stages, until one of them fails and so notices the change:
${NAMES.join(', ')}. The stages after the compiler run in a copy of
the project. A change that promises the same as before is equivalent; the proof lists it with the reason. A change that
no stage notices is a hole. If there is a hole, the proof ends with the exit code 1.

  --count N       the number of changes (200)
  --seed N        the seed of the random choices (random). The same seed and the same contracts make the same changes
  --only A,B      only the changes with these numbers
  --until STAGE   the last stage to run (${NAMES.at(-1)}); a change that is not noticed until then counts as a hole
  --known FILE    the file with the changes that earlier runs noticed. These changes are not tried again. This run adds the
                  changes that it notices to the file. So a run can be stopped and continued, or divided by --only
  --workers N     the number of changes that are tried at a time (2)
  --minutes N     the time after which no further change is tried (600)
`;

await prove(
  HELP,
  {
    count: { fallback: 200, least: 1, most: 100_000 },
    seed: SEED,
    only: { text: '' },
    until: { words: NAMES },
    workers: { fallback: 2, least: 1, most: 16 },
    known: { text: '' },
    minutes: { fallback: 600, least: 1, most: 100_000 },
  },
  async ({ count, seed, only, until, known, workers, minutes }, proceeding) => {
    const [openapi, sdl] = await Promise.all(
      ['openapi.yaml', 'schema.graphql'].map((name) => readFile(name, 'utf8')),
    );
    const contracts = { openapi: openapi ?? '', sdl: sdl ?? '' };
    const numbers = new Set(only.split(',').filter(Boolean).map(Number));
    const mutants = mutantsOf(contracts, seed, Math.max(count, ...numbers)).filter(
      ({ number }) => numbers.size === 0 || numbers.has(number),
    );
    const all = await judge(contracts, mutants, { workers, until, minutes, known }, proceeding);
    tell(`\n${tableOf(all, NAMES)}`);
    tell(listOf(all, 'equivalent', 'Equivalent'));
    tell(listOf(all, 'hole', 'Holes'));
    const of = (kind: string): number => all.filter(({ verdict }) => verdict.kind === kind).length;
    if (of('hole') > 0) throw new Broken(`--seed ${seed}: ${of('hole')} changes are not noticed.`);
    if (of('untried') > 0)
      throw new Error(`--seed ${seed}: ${of('untried')} changes were not tried in time.`);
    tell(
      `All ${of('noticed')} changes are noticed, with --seed ${seed}; ${of('equivalent')} are equivalent.`,
    );
  },
);
