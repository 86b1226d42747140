import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { hasPgBouncer } from '../../testkit/pgbouncer.ts';
import { findPostgres } from '../../testkit/postgres-server.ts';
import { needing } from '../support/needs.js';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
/** This limit only ends a proof that hangs. A proof takes about a minute on a machine without other work. */
const LONG_MS = 300_000;

const onStrace = needing(
  'strace',
  !spawnSync('strace', ['--version']).error,
  'install it; it is for Linux only',
);
// Only Linux reports the processor time of a thread.
const onLinux = needing('Linux', existsSync('/proc/self/schedstat'), 'run the tests there');

const onServers = needing(
  'the servers of PostgreSQL and Redis, and PgBouncer',
  findPostgres() !== null && hasPgBouncer && !spawnSync('redis-server', ['--version']).error,
  'install them; npm run prove:rolling says how',
);

/** Runs a proof on a service that has a fault. */
async function prove(proof: string, fault: string, options: readonly string[]) {
  const child = spawn(
    process.execPath,
    ['--import', `./test/support/faults/${fault}.mjs`, `prove/${proof}.ts`, ...options],
    { cwd: TOP, env: { PATH: process.env['PATH'] } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

// These tests mostly wait for the services that they start.
it.concurrent(
  'the proof by kill -9 fails when a service answers before it commits',
  { timeout: LONG_MS },
  async () => {
    const { code, output } = await prove('crash', 'late-commit', ['--engine', 'sqlite', '--kills', '1']);
    expect(output).toMatch(
      /^BROKEN: sqlite, --seed \d+: .*(were both answered with|though it was acknowledged|The answer showed the order)/,
    );
    expect(code).toBe(1);
  },
);

it.concurrent(
  'the proof by system calls fails when a service does not flush what it commits',
  { ...onStrace, timeout: LONG_MS },
  async () => {
    const { code, output } = await prove('flush', 'no-flush', ['--answers', '3']);
    expect(output).toMatch(
      /^BROKEN: The answer to prove-flush-0 was sent before the write-ahead log was flushed/,
    );
    expect(code).toBe(1);
  },
);

it.concurrent.each([
  [
    'loses an event',
    'lost-event',
    /^BROKEN: SSE \d+ has order \d+ at the position \d+\. The log has order \d+ at the position \d+\.$/m,
  ],
  [
    'sends an event twice',
    'doubled-event',
    /^BROKEN: SSE \d+ was told of order \d+ at the position \d+, after the position \d+\.$/m,
  ],
])(
  'the proof by restarts fails when a service %s while it stops',
  { ...onServers, timeout: 2 * LONG_MS },
  async (_what, fault, message) => {
    const options = ['--subscribers', '6', '--seconds', '1', '--rate', '20'];
    const { code, output } = await prove('rolling', fault, options);
    expect(output).toMatch(message);
    expect(code).toBe(1);
  },
);

it.each([
  [
    'a pattern that is slow for many blanks',
    'quadratic-bearer',
    'WebSocket',
    /WebSocket, connection_init: .* bytes cost/,
    'quadratic-bearer.mjs',
  ],
  [
    'a list of faults of variables that has no bound',
    'unbounded-variables',
    'GraphQL',
    /GraphQL, createOrder: .* bytes cost/,
    'node_modules/graphql/',
  ],
])(
  'the search for costs finds %s',
  { ...onLinux, timeout: 2 * LONG_MS },
  async (_what, fault, door, message, place) => {
    const options = ['--engine', 'sqlite', '--requests', '1500', '--seed', '2', '--doors', door];
    const { code, output } = await prove('cost', fault, options);
    expect(output).toMatch(message);
    expect(output).toContain(place);
    expect(output).toMatch(/^BROKEN: sqlite, --seed 2: /m);
    expect(code).toBe(1);
  },
);
