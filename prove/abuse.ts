import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type Service } from '../testkit/process.ts';
import { QUICK, SLOW } from './attacks.ts';
import { IN_PIECES, REPLAYS } from './piece-attacks.ts';
import { ON_METRICS } from './metrics-attacks.ts';
import { HonestClient } from './honest.ts';
import { prove, requireThat, tell } from './options.ts';
import { Target } from './target.ts';

const KEY = 'proof-'.repeat(6);
const WARM_UP = 100;
const ROUNDS = 60;
/**
 * The factor by which a round of the honest client may be slower after the attacks than before. It is above 1 because
 * other programs run on the machine too.
 */
const MOST_SLOWER = 4;
/**
 * The factor by which the memory may be larger after the attacks than before. The service first gets time for its
 * garbage collection.
 */
const MOST_MEMORY = 2;
const RECOVERY_MS = 60_000;
/**
 * The bound of the heap. V8 collects garbage late if there is room, also after the attacks. With this bound, V8 must
 * collect garbage in time. If the service still holds too much memory, it ends.
 */
const HEAP_MIB = 192;
/** Warnings and errors in the log of the service, answers with 5xx, and errors in the output of Node itself. */
const LOUD = /"level":"(warn|error|fatal)"|"status":5\d\d|^\(node:\d+\)|^\s+at |^\w*Error\b/;
/**
 * The service warns if its event loop was held for 200 ms. Profiles showed that a busy machine needs up to 300 ms for
 * some writes to sockets and for garbage collection. So only a hold of more than 500 ms is a fault.
 */
const MOST_HELD_MS = 500;
const HELD = /"heldMs":(\d+).*"the event loop was held"/;

const HELP = `npm run prove:abuse -- [options]

Proves that a bad client cannot hurt the service or other clients. The proof attacks the built service with slow headers
and bodies, idle sockets, bodies of 60 MB, JSON with 100,000 levels, huge GraphQL, hundreds of resets, pipelining,
requests in single bytes, replays of the log of events, upgrades to unusual paths, broken frames and random bytes. The
proof attacks the port of the metrics too. During the attacks, the service must serve an honest client. After the
attacks, requests of the honest client may take at most ${MOST_SLOWER} times as long as before, the memory of the service may be at
most ${MOST_MEMORY} times as large as before, and the log must have no error. At the first violation, the proof ends with the exit
code 1. The proof takes at least half a minute, because the service waits up to 30 s for a slow request.

  --rounds N      the number of rounds of all attacks except the slow ones (5)
`;

await prove(HELP, { rounds: { fallback: 5, least: 1, most: 1_000 } }, async ({ rounds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'store-abuse-'));
  const service = await serve({
    STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    STORE_ADMIN_KEY: KEY,
    STORE_RATE_LIMIT: 'off',
    STORE_ACCESS_LOG: 'errors',
    STORE_METRICS_PORT: '0',
  });
  try {
    await attack(service, rounds);
    const { code } = await service.stop('SIGTERM');
    requireThat(
      code === 0,
      () => `After the attacks, the service did not stop as usual, but with the exit code ${code}.`,
    );
    requireQuietLog(service);
  } finally {
    service.process.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

async function attack(service: Service, rounds: number): Promise<void> {
  const honest = new HonestClient(service.url, KEY);
  await honest.pace(WARM_UP);
  const before = { pace: await honest.pace(ROUNDS), memory: memoryOf(service) };
  const target = new Target(service.url, KEY);
  const [, metrics = ''] = /"metricsAddress":"([^"]+)"/.exec(service.output()) ?? [];
  honest.begin();
  const onMetrics = async () => {
    const port = new Target(metrics, KEY);
    for (const [name, run] of Object.entries(ON_METRICS)) tell(`${name}: ${await run(port)}`);
  };
  const slow = Promise.all([
    onMetrics(),
    ...Object.entries(SLOW).map(async ([name, run]) => tell(`${name}: ${await run(target)}`)),
  ]);
  const quick = async () => {
    for (let round = 1; round <= rounds; round++) {
      for (const [name, run] of Object.entries({ ...QUICK, ...IN_PIECES, ...REPLAYS })) {
        const done = await run(target);
        tell(`${name}, round ${round} of ${rounds}: ${done}`);
        // During an attack, the client in the background fails if an answer takes too long. After the attack, one more
        // round of this client must work.
        await honest.round();
      }
    }
  };
  await Promise.race([Promise.all([slow, quick()]), honest.disappointed]);
  await honest.end();
  requireThat(
    service.process.exitCode === null,
    () => `The service ended: ${service.output().slice(-1_000)}`,
  );
  const after = await recovered(service, honest, before);
  tell(
    `${honest.answers} answers for the honest client; a round took ${before.pace.toFixed(1)} ms before and ${after.pace.toFixed(1)} ms ` +
      `after, the memory was ${megabytes(before.memory)} and is ${megabytes(after.memory)}.`,
  );
}

interface Health {
  readonly pace: number;
  readonly memory: number;
}

/**
 * Waits until the time of a round and the memory are within their bounds again. Node collects garbage only when it
 * needs memory. So the honest client continues to send requests, until Node collects the garbage of the attacks.
 */
async function recovered(service: Service, honest: HonestClient, before: Health): Promise<Health> {
  const until = performance.now() + RECOVERY_MS;
  for (;;) {
    const after = { pace: await honest.pace(ROUNDS), memory: memoryOf(service) };
    const isSlow = after.pace > before.pace * MOST_SLOWER;
    const isLarge = after.memory > before.memory * MOST_MEMORY;
    if (!isSlow && !isLarge) return after;
    requireThat(
      performance.now() < until,
      () =>
        `Afterwards a round takes ${after.pace.toFixed(1)} ms (before ${before.pace.toFixed(1)}), and the memory is ` +
        `${megabytes(after.memory)} (before ${megabytes(before.memory)}).`,
    );
  }
}

function requireQuietLog(service: Service): void {
  const loud = service
    .output()
    .split('\n')
    .filter((line) => LOUD.test(line) && !isShortHold(line));
  requireThat(loud.length === 0, () => `The log of the service says: ${loud.slice(0, 5).join('\n')}`);
}

function isShortHold(line: string): boolean {
  const [, heldMs] = HELD.exec(line) ?? [];
  return heldMs !== undefined && Number(heldMs) <= MOST_HELD_MS;
}

function memoryOf({ process: { pid } }: Service): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}
