import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { serve, type Service } from '../testkit/process.ts';
import { PostgresServer } from '../testkit/postgres-server.ts';
import { createOnServer } from '../testkit/databases.ts';
import { LoadProcess } from './load-process.ts';
import { differenceOf, ratioOf, spreadOf, type Spread } from './statistics.ts';

/*
 * The gain of a read replica (STORE_DATABASE_READ_URL): the processor time of the primary server for a page of products
 * with a replica, divided by this time without a replica. The replica runs on the same machine, so the sum of both
 * servers is shown too. A service with the replica and a service without it are measured alternately. The processor
 * time of a server is the time of all its processes.
 */

const [ROUNDS, SECONDS, CLIENTS, PRODUCTS] = [10, 2, 16, 20_000];
const KEY = 'an-administrator-key-for-the-bench-0123456789';
const TICKS_PER_SECOND = 100;

const ending = new AbortController();
const undoing: (() => unknown)[] = [];
const proceeding = { signal: ending.signal, atEnd: (undo: () => unknown) => void undoing.push(undo) };
const load = new LoadProcess(ending.signal);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());

try {
  const primary = await PostgresServer.create(proceeding);
  await primary.start();
  const database = await createOnServer(primary.url);
  const settings = {
    STORE_DATABASE_URL: database.url,
    STORE_ADMIN_KEY: KEY,
    STORE_SECRET: KEY,
    STORE_RATE_LIMIT: 'off',
    STORE_ACCESS_LOG: 'errors',
  };
  const seed = [
    'dist/app/cli/main.js',
    'seed',
    '--products',
    String(PRODUCTS),
    '--users',
    '1',
    '--orders',
    '1',
  ];
  execFileSync(process.execPath, seed, { env: { PATH: process.env['PATH'], ...settings } });
  const replica = await PostgresServer.createReplica(primary, proceeding);
  await replica.start();
  const reads = new URL(replica.url);
  reads.pathname = new URL(database.url).pathname;
  const { signal } = ending;
  const without = await serve(settings, { signal });
  const withReplica = await serve({ ...settings, STORE_DATABASE_READ_URL: reads.href }, { signal });
  await measure(primary, replica, without, withReplica);
} finally {
  load.stop();
  ending.abort();
  for (const undo of undoing.toReversed()) await undo();
}

interface Used {
  readonly primary: number;
  readonly both: number;
}

async function measure(
  primary: PostgresServer,
  replica: PostgresServer,
  without: Service,
  withReplica: Service,
): Promise<void> {
  const sample = async ({ url }: Service, seed: number): Promise<Used> => {
    const before = { primary: ticksOf(primary.pid), replica: ticksOf(replica.pid) };
    const { requests } = await load.run({
      kind: 'page',
      port: Number(new URL(url).port),
      products: PRODUCTS,
      key: KEY,
      credentials: null,
      clients: CLIENTS,
      seconds: SECONDS,
      seed,
    });
    const micros = (ticks: number): number => ((ticks / TICKS_PER_SECOND) * 1e6) / requests;
    const ofPrimary = micros(ticksOf(primary.pid) - before.primary);
    return { primary: ofPrimary, both: ofPrimary + micros(ticksOf(replica.pid) - before.replica) };
  };
  for (const service of [without, withReplica]) await sample(service, 1);
  const alone: Used[] = [];
  const helped: Used[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = [
      async () => alone.push(await sample(without, round)),
      async () => helped.push(await sample(withReplica, round)),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  const of = (samples: readonly Used[], name: keyof Used): number[] => samples.map((used) => used[name]);
  shown('primary, without a replica', ' µs for a page', spreadOf(of(alone, 'primary')));
  shown('primary, with / without a replica', '', ratioOf(of(helped, 'primary'), of(alone, 'primary')));
  shown('both servers, with / without a replica', '', ratioOf(of(helped, 'both'), of(alone, 'both')));
  shown('both servers, added', ' µs', differenceOf(of(alone, 'both'), of(helped, 'both')));
}

function shown(what: string, unit: string, { median, min, max }: Spread): void {
  process.stdout.write(`${what}: ${median.toFixed(2)}${unit} (${min.toFixed(2)} to ${max.toFixed(2)})\n`);
}

/** The processor time of a process and of its children, also of children that have ended, in ticks of the kernel. */
function ticksOf(pid: number): number {
  let ticks = sum(fieldsOf(String(pid)), [11, 12, 13, 14]);
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const fields = fieldsOf(name);
      if (Number(fields[1]) === pid) ticks += sum(fields, [11, 12]);
    } catch {
      // The process has ended.
    }
  }
  return ticks;
}

/** The fields that the kernel shows about a process (proc_pid_stat), from the third field. */
function fieldsOf(pid: string): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

function sum(fields: readonly string[], places: readonly number[]): number {
  return places.reduce((ticks, place) => ticks + Number(fields[place]), 0);
}
