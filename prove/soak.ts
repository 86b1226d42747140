import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serve } from '../testkit/process.ts';
import type { Proceeding } from '../testkit/proceeding.ts';
import { Inspector } from './cost/inspector.ts';
import { randomFrom } from '../testkit/random.ts';
import { createSqlite } from './databases.ts';
import { Broken, prove, requireThat, SEED, tell } from './options.ts';
import { settingsOn } from './proof.ts';
import { handlesOf, moreIn, statementsOf } from './soak/handles.ts';
import { Load } from './soak/load.ts';
import { slopeOf, verdictOn, type Point, type Slope, type Verdict } from './soak/slope.ts';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const PAGE_CACHE = new URL('../testkit/small-page-caches.mjs', import.meta.url).href;
const INTERPRETED = new URL('soak/interpreted.mjs', import.meta.url).href;
/** The service keeps at most 16,384 rows of each table in memory. The store has a few more, so all places are taken. */
const ROWS = '16500';
const STORE = ['--products', ROWS, '--users', ROWS, '--orders', ROWS];
const MEBIBYTE = 2 ** 20;
const BOUND_MIB = 1;
/** The share of the time that the warm-up takes. The caches of the service fill during the warm-up. */
const WARM_UP = 0.25;
const LEAST_SAMPLES = 20;
const MOST_PAUSE_MS = 15_000;
/** Within this time, the service notices that clients have left, and ends the work for them. */
const QUIET_MS = 8_000;
/**
 * V8 keeps compiled functions in these spaces. The number of functions in the program limits the sizes of these spaces,
 * so their growth is no leak.
 */
const CODE_SPACES =
  "['code_space', 'code_large_object_space', 'trusted_space', 'trusted_large_object_space']";
const MEMORY = `(() => {
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  const spaces = process.getBuiltinModule('node:v8').getHeapSpaceStatistics();
  const code = spaces
    .filter(({ space_name }) => ${CODE_SPACES}.includes(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  const { malloced_memory: allocated } = process.getBuiltinModule('node:v8').getHeapStatistics();
  return { objects: heapUsed - code, external, code, reserved: heapTotal, allocated };
})()`;
/** The warm-up multiplies the rate of actions by this number, so that rare actions occur too. */
const WARM_UP_RATE = 2;

const HELP = `npm run prove:soak -- [options]

Proves that the service can run for a long time. One instance, on SQLite, serves a mix of clients: reads in all formats,
GraphQL, changes, orders, page visits, new and revoked credentials, subscriptions that come and go, requests that fail, and
connections that are cut off. From time to time the clients pause. Then the proof makes all threads of the service collect
their garbage, and takes a sample of its memory: the objects on the heap (without compiled code), the memory outside of the
heap, and the memory of the process without files (RssAnon of Linux). A straight line through the samples after the warm-up
gives the growth in an hour, with its error (95 %). The error takes into account that neighbouring samples are not
independent.

Some memory has a bound that is reached only after hours. Such memory would look like a leak. So the proof makes it small, or
fills it before the samples. The page caches of SQLite have a small bound. Before the warm-up, the proof reads rows until the
service has the maximum number of rows in memory. V8 interprets the code of the service, and does not compile it: compiled
code grows for hours, because each function is compiled after many calls. Users are deleted only during the warm-up, because a
process remembers each of them for two days (about 150 bytes).

The proof also prints the growth of three parts of the memory of the process: compiled code, the memory that the heap has reserved,
and the memory that V8 has allocated for itself. They help to find the cause of a growth.

The result for each memory is "proved" if the growth plus its error is at most ${BOUND_MIB} MiB in an hour, and "broken" if
the growth minus its error is above this bound. Otherwise it is "not proved": the run was too short. At the end, the service
must hold no more timers, sockets, file descriptors, listeners and subscriptions than after the warm-up, and only a few more
statements.

The exit code is 0 if all is proved, 1 if something is broken, and 2 if something is not proved. The proof needs Linux.

  --minutes N     the duration, with the warm-up (30)
  --rate N        the number of actions of clients in a second, after the warm-up; an action is a few requests (10)
  --seed N        the seed of the random choices (random)
`;

await prove(
  HELP,
  {
    minutes: { fallback: 30, least: 1, most: 10_000 },
    rate: { fallback: 10, least: 1, most: 1_000 },
    seed: SEED,
  },
  async ({ minutes, rate, seed }, proceeding) => {
    tell(`--seed ${seed}`);
    await soak(minutes * 60_000, rate, seed, proceeding);
  },
);

interface Memory {
  readonly objects: number;
  readonly external: number;
  readonly process: number;
  /** Compiled code. This value is only for information: it explains the memory of the process. */
  readonly code: number;
  /** The memory that the heap has taken from the system, only for information. */
  readonly reserved: number;
  /** The memory that V8 has allocated outside of the heap for itself, only for information. */
  readonly allocated: number;
}

async function soak(
  milliseconds: number,
  rate: number,
  seed: number,
  { signal, atEnd }: Proceeding,
): Promise<void> {
  const database = await createSqlite();
  atEnd(() => database.drop());
  const settings = settingsOn(database);
  fill(settings);
  const service = await serve(
    {
      ...settings,
      // As in the Dockerfile.
      MALLOC_ARENA_MAX: '1',
      NODE_OPTIONS: `--inspect=127.0.0.1:0 --import ${PAGE_CACHE} --import ${INTERPRETED}`,
    },
    { signal },
  );
  service.process.on('error', () => undefined);
  const pid = service.process.pid as number;
  const load = new Load(service.url, settings['STORE_ADMIN_KEY'] as string, randomFrom(seed), signal);
  await load.prepare();
  await load.readAll(Number(ROWS));

  const handles = async () => {
    await load.rest();
    await sleep(QUIET_MS);
    const metrics = await load.metrics();
    await load.rest();
    await sleep(QUIET_MS);
    return withInspector(service.output(), async (inspector) => ({
      counts: await handlesOf(pid, inspector, metrics),
      statements: await statementsOf(inspector),
    }));
  };
  const sample = async (): Promise<Memory> => {
    await load.rest();
    return withInspector(service.output(), async (inspector) => {
      await inspector.collect();
      await inspector.collect();
      const inside = await inspector.evaluate<Omit<Memory, 'process'>>(MEMORY);
      return { ...inside, process: anonymousBytesOf(pid) };
    });
  };

  const begun = performance.now();
  const processor = processorMsOf(pid);
  const warm = milliseconds * WARM_UP;
  while (performance.now() - begun < warm) {
    await load.run(Math.min(MOST_PAUSE_MS, warm), rate * WARM_UP_RATE);
    await sample();
  }
  load.deletesUsers = false;
  const before = await handles();
  tell(
    `The service is warm after ${Math.round((performance.now() - begun) / 1_000)} s and ${load.actions} actions. It holds ${told(before.counts)}.`,
  );

  const pause = Math.min(MOST_PAUSE_MS, (milliseconds - warm) / LEAST_SAMPLES);
  const samples: { readonly seconds: number; readonly memory: Memory }[] = [];
  let saidAt = performance.now();
  while (performance.now() - begun < milliseconds || samples.length < LEAST_SAMPLES) {
    await load.run(pause, rate);
    const memory = await sample();
    const seconds = (performance.now() - begun) / 1_000;
    samples.push({ seconds, memory });
    if (performance.now() - saidAt < 60_000) continue;
    saidAt = performance.now();
    tell(
      `${Math.round(seconds)} s: ${Object.entries(memory)
        .map(([name, bytes]) => `${name} ${mib(bytes)}`)
        .join(', ')}.`,
    );
  }
  const after = await handles();
  const used = (processorMsOf(pid) - processor) / (performance.now() - begun);
  tell(
    `${load.actions} actions, with ${(100 * used).toFixed(0)} % of one core for the service. It holds ${told(after.counts)}.`,
  );

  const verdicts = [
    judged(
      'objects on the heap',
      samples.map(({ seconds, memory }) => ({ seconds, value: memory.objects })),
    ),
    judged(
      'memory outside of the heap',
      samples.map(({ seconds, memory }) => ({ seconds, value: memory.external })),
    ),
    judged(
      'memory of the process',
      samples.map(({ seconds, memory }) => ({ seconds, value: memory.process })),
    ),
  ];
  for (const part of ['code', 'reserved', 'allocated'] as const) {
    const slope = slopeOf(samples.map(({ seconds, memory }) => ({ seconds, value: memory[part] })));
    tell(`For information, ${part}: ${toldOf(slope)}.`);
  }
  const { code } = await service.stop('SIGTERM');
  requireThat(code === 0, () => `The service ended with ${code} on SIGTERM: ${service.output()}`);
  for (const statement of after.statements.filter((each) => !before.statements.includes(each)))
    tell(`Prepared after the warm-up: ${statement}`);
  const more = moreIn(after.counts, before.counts);
  requireThat(more === null, () => `More is held than after the warm-up: ${more}.`);
  if (verdicts.includes('broken')) throw new Broken('The memory grows.');
  if (verdicts.includes('open'))
    throw new Error('Not proved: the samples do not decide. Run the proof for longer.');
  tell('The service kept its promises.');
}

function judged(name: string, points: readonly Point[]): Verdict {
  const slope = slopeOf(points);
  const verdict = verdictOn(slope, BOUND_MIB * MEBIBYTE);
  const words = { proved: 'proved', broken: 'BROKEN', open: 'not proved' };
  tell(`${name}: ${toldOf(slope)}, from ${points.length} samples: ${words[verdict]}.`);
  return verdict;
}

function toldOf({ perHour, error }: Slope): string {
  return `${mib(perHour)} ± ${mib(error)} in an hour`;
}

function fill(settings: Readonly<Record<string, string>>): void {
  const { status, stderr } = spawnSync(process.execPath, ['dist/app/cli/main.js', 'seed', ...STORE], {
    cwd: TOP,
    env: { PATH: process.env['PATH'], ...settings },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The store could not be filled: ${stderr}`);
}

/** The inspector is connected only for a moment, because it keeps in memory the objects that it has seen. */
async function withInspector<T>(output: string, use: (inspector: Inspector) => Promise<T>): Promise<T> {
  const inspector = await Inspector.of(output);
  try {
    return await use(inspector);
  } finally {
    inspector.leave();
  }
}

/** The memory that belongs to the process alone, without files. */
function anonymousBytesOf(pid: number): number {
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined)
    throw new Error('This machine does not tell the memory of a process (RssAnon).');
  return Number(kibibytes) * 1_024;
}

/** Linux counts processor time in hundredths of a second. */
function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function told(handles: Readonly<Record<string, number>>): string {
  return Object.entries(handles)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function mib(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(2)} MiB`;
}
