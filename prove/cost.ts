import { DOORS, type Door } from './cost/message.ts';
import { requireLinux } from './cost/meter.ts';
import { proveOn } from './cost/run.ts';
import { enginesFor } from './databases.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const HELP = `npm run prove:cost -- [options]

Proves that no message costs much. The proof sends generated requests and messages over every interface to the built
service, which has no limits of requests. The proof keeps the messages that cost most, and makes them larger.
Processor time: a message below 16 KiB must cost less than 50 ms, and a message below 256 KiB must cost less than
200 ms. A larger message must cost less than 200 ms for each 256 KiB. Memory: the process of the service must grow by
less than the sum of 32 MB and 20 times the size of the message. The proof prints the most expensive message of each
interface. For each message that costs too much, the proof prints the smallest form that still costs too much. After
--faults such messages, or after --requests messages, the proof ends; the exit code is 1 if a message costs too much.
The proof needs Linux, which counts processor time for each thread.

  --requests N    the number of messages (20000)
  --engine E      sqlite or postgres; default: both, if TEST_POSTGRES_URL names a PostgreSQL server
  --seed N        the seed of the random choices (random). The search follows the measured costs, so two runs with
                  the same seed differ
  --doors A,B     only these interfaces:
                  ${DOORS.slice(0, 6).join(', ')},
                  ${DOORS.slice(6).join(', ')}
  --faults N      the number of messages that cost too much after which the proof ends (1)
  --save DIR      write the most expensive messages, and those that cost too much, to files in this folder
  --send FILE     send the message of such a file again, instead of a search
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
      throw new Error(`There is no interface "${unknown}"; there are ${DOORS.join(', ')}.`);
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
