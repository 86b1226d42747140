import { commandOf, type Setup } from './contenders.ts';
import type { Lag } from './audience.ts';
import type { BenchCredentials } from './credentials.ts';
import type { LoadProcess } from './load-process.ts';
import type { RequestSettings } from './requests.ts';
import type { Contender, Row, ServerName } from './rows.ts';
import { requireSameAnswers, requireSameNews } from './same-answers.ts';
import { ServerProcess } from './server-process.ts';
import { differenceOf, ratioOf, shareOf, spreadOf, type Spread } from './statistics.ts';

const CLIENTS = 32;
const SPARE_FILES = 200;
/**
 * After this number of requests, V8 has compiled the code that runs often. A warm-up of a fixed time is not enough: on
 * a busy machine, it has too few requests, and the compiler still runs during the measurement. The orders on PostgreSQL
 * need the most requests: after 2,000 of them, the compiler still took 10 % of the time.
 */
const WARM_REQUESTS = 10_000;
const MOST_WARM_WINDOWS = 10;

export interface Effort {
  readonly products: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** The measurements of one side of a row. */
export interface Measured extends Contender {
  readonly cpuMicros: Spread;
  readonly requestsPerSecond: Spread;
  /**
   * The share of a core that the server used. During the rest of the time, the server waited, for example for the disk
   * or for the processor.
   */
  readonly busy: Spread;
  /** The milliseconds from the answer to an order until a subscriber has the order. */
  readonly lag?: { readonly p50: Spread; readonly p99: Spread };
}

export interface RowResult {
  /** The value by which the row is judged. */
  readonly value: Spread;
  readonly contenders: readonly [Measured, Measured];
}

interface Sample {
  readonly requests: number;
  readonly cpuMicros: number;
  readonly requestsPerSecond: number;
  readonly busy: number;
  readonly lag: Lag | undefined;
}

/**
 * Measures both sides of a row in rounds. A round measures each side for a few seconds. Every second round measures the
 * sides in reverse order. The servers are started for this row only, so that no row depends on the rows before it.
 */
export async function measureRow(
  row: Row,
  effort: Effort,
  setup: Setup,
  load: LoadProcess,
  signal: AbortSignal,
): Promise<RowResult> {
  const servers = new Map<ServerName, ServerProcess>();
  let credentials: BenchCredentials | null = null;
  const serverOf = ({ server }: Contender): ServerProcess => servers.get(server) as ServerProcess;
  const settingsOf = (contender: Contender, seed: number): RequestSettings => ({
    products: effort.products,
    port: serverOf(contender).port,
    key: setup.key,
    credentials,
    seed,
  });
  const sample = async (contender: Contender, seed: number): Promise<Sample> => {
    const server = serverOf(contender);
    const before = server.cpuMicros();
    const { kind } = contender;
    const { seconds } = effort;
    const result = await load.run({ ...settingsOf(contender, seed), kind, clients: CLIENTS, seconds });
    const cpuMicros = server.cpuMicros() - before;
    return {
      requests: result.requests,
      cpuMicros: cpuMicros / result.requests,
      requestsPerSecond: result.requests / result.seconds,
      busy: cpuMicros / 1e6 / result.seconds,
      lag: result.lag,
    };
  };
  const warmUp = async (contender: Contender): Promise<void> => {
    let requests = 0;
    for (let window = 0; requests < WARM_REQUESTS && window < MOST_WARM_WINDOWS; window += 1)
      requests += (await sample(contender, 2)).requests;
  };
  const gather = async (subscribers: number): Promise<void> => {
    requireOpenFiles(row.contenders.length * subscribers);
    const heard = [];
    for (const contender of row.contenders) {
      const settings = settingsOf(contender, 1);
      heard.push((await load.run({ ...settings, kind: 'audience', subscribers })).heard);
    }
    requireSameNews(heard);
  };
  const watch = async (counts: readonly [number, number]): Promise<void> => {
    requireOpenFiles(counts[0] + counts[1]);
    for (const [index, watchers] of counts.entries()) {
      const contender = row.contenders[index] as Contender;
      await load.run({ ...settingsOf(contender, 1), kind: 'watch', watchers });
    }
  };
  try {
    for (const name of new Set(row.contenders.map(({ server }) => server))) {
      servers.set(name, await ServerProcess.start(commandOf(name, setup), signal));
    }
    if (row.isDifference) {
      credentials = await setup.issuer.credentialsOn(serverOf(row.contenders[1]).port, setup.key);
    }
    // Both sides of a row with watchers are the same program on the same database. So their orders get different
    // ids, and their answers are not compared.
    if (row.watchers === undefined) await requireSameAnswers(row, (contender) => settingsOf(contender, 1));
    if (row.subscribers !== undefined) {
      // Without subscribers, `warmUp` counts orders. With subscribers, it counts deliveries, and a thousand deliveries
      // need only one order.
      for (const contender of row.contenders) await warmUp(contender);
      await gather(row.subscribers);
    }
    if (row.watchers !== undefined) await watch(row.watchers);
    const [first, second] = row.contenders;
    const samples: [Sample[], Sample[]] = [[], []];
    for (const contender of row.contenders) await warmUp(contender);
    for (let round = 0; round < effort.rounds; round += 1) {
      const turns = [
        async () => samples[0].push(await sample(first, 3 + round)),
        async () => samples[1].push(await sample(second, 3 + round)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    return resultOf(row, samples);
  } finally {
    if (row.subscribers !== undefined || row.watchers !== undefined)
      await load.run({ kind: 'leave' }).catch(() => undefined);
    for (const server of servers.values()) await server.stop();
  }
}

function resultOf(
  { contenders: [first, second], isDifference = false, repetitions }: Row,
  [left, right]: [Sample[], Sample[]],
): RowResult {
  const cpu = ({ cpuMicros }: Sample): number => cpuMicros;
  const summary = (contender: Contender, samples: readonly Sample[]): Measured => ({
    ...contender,
    cpuMicros: spreadOf(samples.map(cpu)),
    requestsPerSecond: spreadOf(samples.map(({ requestsPerSecond }) => requestsPerSecond)),
    busy: spreadOf(samples.map(({ busy }) => busy)),
    ...lagOf(samples),
  });
  const [lefts, rights] = [left.map(cpu), right.map(cpu)];
  return {
    value:
      repetitions === undefined
        ? (isDifference ? differenceOf : ratioOf)(lefts, rights)
        : shareOf(lefts, rights, repetitions),
    contenders: [summary(first, left), summary(second, right)],
  };
}

function lagOf(samples: readonly Sample[]): Pick<Measured, 'lag'> {
  const lags = samples.flatMap(({ lag }) => lag ?? []);
  if (lags.length === 0) return {};
  return { lag: { p50: spreadOf(lags.map(({ p50 }) => p50)), p99: spreadOf(lags.map(({ p99 }) => p99)) } };
}

/**
 * The load process needs an open file for each connection to both servers. Node itself raises the soft limit of open
 * files to the hard limit. So only the hard limit is compared.
 */
function requireOpenFiles(connections: number): void {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { hard: unknown } } };
  const most = userLimits?.open_files?.hard;
  const wanted = connections + SPARE_FILES;
  if (typeof most !== 'number' || most >= wanted) return;
  throw new Error(
    `This row needs ${wanted} open files, and ${most} are allowed: raise the limit (ulimit -n ${wanted}), or leave this row out (--except).`,
  );
}
