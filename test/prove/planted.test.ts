import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const LONG_MS = 60_000;

const isTraceable = !spawnSync('strace', ['--version']).error;
if (!isTraceable) {
  const HOW_TO = 'install strace, which is for Linux only';
  if (process.env['TEST_REQUIRE_SERVERS'] === '1') throw new Error(`Flushes cannot be seen: ${HOW_TO}`);
  process.stderr.write(`The test of prove:flush is skipped: ${HOW_TO}.\n`);
}

/** Runs a proof of a service that has a fault. */
async function prove(proof: string, fault: string, options: readonly string[]) {
  const child = spawn(
    process.execPath,
    ['--import', `./test/support/${fault}.mjs`, `prove/${proof}.ts`, ...options],
    { cwd: TOP, env: { PATH: process.env['PATH'] } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

it('the proof by kill -9 fails when a service answers before it commits', { timeout: LONG_MS }, async () => {
  const { code, output } = await prove('crash', 'late-commit', ['--engine', 'sqlite', '--kills', '1']);
  expect(output).toMatch(
    /^BROKEN: sqlite, --seed \d+: .*(were both given|though it was acknowledged|Acknowledged was)/,
  );
  expect(code).toBe(1);
});

it.skipIf(!isTraceable)(
  'the proof by system calls fails when a service does not flush what it commits',
  { timeout: LONG_MS },
  async () => {
    const { code, output } = await prove('flush', 'no-flush', ['--answers', '3']);
    expect(output).toMatch(
      /^BROKEN: The answer to prove-flush-0 was sent before the write-ahead log was flushed/,
    );
    expect(code).toBe(1);
  },
);
