import { DOORS, type Door } from './cost/message.ts';
import { requireLinux } from './cost/meter.ts';
import { proveOn } from './cost/run.ts';
import { enginesFor } from './databases.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const HELP = `npm run prove:cost -- [options]

Proves that no message costs much: to the built service, without limits of requests, come generated requests and messages
over every door, and those that cost most are kept and grow. None below 16 KiB may cost 50 ms of processor time, none
below 256 KiB 200 ms, larger ones in proportion, and none may make the process grow by more than 20 times its size, beyond
32 MB. It prints the most expensive message of each door, and ends with 1 at the first that costs too much, made as small
as it can be. For Linux, which counts processor time for each thread.

  --requests N    how many are sent (20000)
  --engine E      sqlite or postgres; else both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N        what is chosen; else by chance. What grows depends on what was measured, so two runs differ
  --doors A,B     only these: ${DOORS.join(', ')}
  --faults N      how many faults end it (1)
  --save DIR      writes the records and faults there
  --send FILE     sends such a file again, instead of a search
`;

await prove(
  HELP,
  {
    requests: { fallback: 20_000, least: 1, most: 10_000_000 },
    seed: SEED,
    engine: { words: ['sqlite', 'postgres'] },
    doors: { text: '' },
    faults: { fallback: 1, least: 1, most: 1_000 },
    save: { text: '' },
    send: { text: '' },
  },
  async ({ requests, seed, engine, doors: names, faults, save: folder, send: file }, proceeding) => {
    requireLinux();
    const doors = names.split(',').filter(Boolean) as Door[];
    const unknown = doors.find((door) => !DOORS.includes(door));
    if (unknown !== undefined)
      throw new Error(`There is no door "${unknown}"; there are ${DOORS.join(', ')}.`);
    for (const chosen of enginesFor(engine)) {
      try {
        await proveOn(chosen, { requests, seed, doors, faults, folder, file }, proceeding);
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        throw new Broken(`${chosen}, --seed ${seed}: ${error.message}`, { cause: error.cause });
      }
      tell(`${chosen}: nothing costs too much, with --seed ${seed}.`);
    }
  },
);
