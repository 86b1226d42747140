import { readFile } from 'node:fs/promises';
import { mutantsOf } from './mutants/mutants.ts';
import { listOf, tableOf } from './mutants/report.ts';
import { judge } from './mutants/run.ts';
import { STAGES } from './mutants/stages.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const NAMES = STAGES.map(({ name }) => name);

const HELP = `npm run prove:mutants -- [options]

Proves that no change of a contract slips past: it changes openapi.yaml or schema.graphql at one place, by chance, in a copy
of the project, and looks who notices: ${NAMES.join(', ')}, in this order. A change that
promises the same as before is equivalent, and is listed with the reason. A change that nobody notices is a hole. It ends
with 1 when there is one.

  --count N       how many changes are made (200)
  --seed N        what is changed; else by chance. The same number and the same contracts make the same changes
  --only A,B      only these, by their numbers
  --until STAGE   the last stage (${NAMES.at(-1)}); what it does not notice counts as a hole
  --workers N     how many copies are used at a time (2)
  --minutes N     no further change is tried after this time (600)
`;

await prove(
  HELP,
  {
    count: { fallback: 200, least: 1, most: 100_000 },
    seed: SEED,
    only: { text: '' },
    until: { words: NAMES },
    workers: { fallback: 2, least: 1, most: 16 },
    minutes: { fallback: 600, least: 1, most: 100_000 },
  },
  async ({ count, seed, only, until, workers, minutes }, proceeding) => {
    const [openapi, sdl] = await Promise.all(
      ['openapi.yaml', 'schema.graphql'].map((name) => readFile(name, 'utf8')),
    );
    const contracts = { openapi: openapi ?? '', sdl: sdl ?? '' };
    const numbers = new Set(only.split(',').filter(Boolean).map(Number));
    const mutants = mutantsOf(contracts, seed, Math.max(count, ...numbers)).filter(
      ({ number }) => numbers.size === 0 || numbers.has(number),
    );
    const all = await judge(contracts, mutants, { workers, until, minutes }, proceeding);
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
