import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf, type Setup } from './contenders.ts';
import { sharesIn, STEPS, type Profile, type Window } from './ladder-steps.ts';
import type { LoadProcess } from './load-process.ts';
import type { RequestKind } from './requests.ts';
import { ServerProcess } from './server-process.ts';

/**
 * The name for `--only`. The ladder is a table with the share of each step in the processor time of a request.
 */
export const LADDER = 'ladder';

const CLIENTS = 32;
const SAMPLE_MICROS = 200;
const KINDS = {
  'get one': 'getOne',
  page: 'page',
  'page once': 'pageOnce',
  create: 'create',
  GraphQL: 'graphqlUser',
} as const satisfies Record<string, RequestKind>;

/** One column of the table: the shares of the steps for one kind of request. */
interface Column {
  readonly title: string;
  readonly shares: ReadonlyMap<string, number>;
}

/**
 * Measures the share of each step in the processor time of a request. One service runs under the CPU profiler, and
 * answers one kind of request after the other. The profiler makes a service slower, so only the shares are shown.
 */
export async function ladderOf(
  { products, seconds }: { readonly products: number; readonly seconds: number },
  setup: Setup,
  load: LoadProcess,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  const folder = join(setup.folder, LADDER);
  await mkdir(folder);
  const command = commandOf('service', { ...setup, profiles: folder });
  const args = ['--cpu-prof-interval', String(SAMPLE_MICROS), ...command.args];
  const server = await ServerProcess.start({ ...command, args }, signal);
  const windows: Window[] = [];
  try {
    const settings = { products, port: server.port, key: setup.key, credentials: null };
    for (const kind of Object.values(KINDS)) {
      await load.run({ ...settings, seed: 2, kind, clients: CLIENTS, seconds });
      const from = nowMicros();
      await load.run({ ...settings, seed: 3, kind, clients: CLIENTS, seconds });
      windows.push({ from, to: nowMicros() });
    }
  } finally {
    await server.stop();
  }
  const profile = await largestIn(folder);
  return Object.keys(KINDS).map((title, index) => ({
    title,
    shares: sharesIn(profile, windows[index] as Window),
  }));
}

/** The table of the ladder. The cell of a step without a sample is empty. */
export function ladderTable(columns: readonly Column[]): string {
  const titles = columns.map(({ title }) => title);
  const steps = STEPS.map((step) =>
    line(
      step,
      columns.map(({ shares }) => percent(shares.get(step))),
    ),
  );
  return [line('share of the processor time', titles), ...steps].join('\n');
}

function line(title: string, cells: readonly string[]): string {
  return [title.padEnd(30), ...cells.map((cell) => cell.padStart(10))].join(' ').trimEnd();
}

function percent(share: number | undefined): string {
  return share === undefined ? '' : `${(share * 100).toFixed(1)} %`;
}

/** Each thread of the service writes a profile. The profile of the main thread is the largest. */
async function largestIn(folder: string): Promise<Profile> {
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const [largest] = texts.toSorted((a, b) => b.length - a.length);
  if (largest === undefined) throw new Error('The service wrote no profile.');
  return JSON.parse(largest) as Profile;
}

function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
