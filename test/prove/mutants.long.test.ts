import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const LONG_MS = 5 * 60_000;
const LINE =
  /^\d+\. (?:openapi\.yaml|schema\.graphql):\d+ .+: (noticed by codegen: |equivalent, because |HOLE)/gm;

/** Starts the proof with a folder of its own for copies of the project. */
async function start(...options: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['prove/mutants.ts', '--workers', '1', ...options], {
    cwd: TOP,
    env: { PATH: process.env['PATH'], TMPDIR: folder },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return { folder, child, closed, output: () => output };
}

it(
  'the proof of mutants tries each change, lists the holes and leaves nothing behind',
  { timeout: LONG_MS },
  async () => {
    const { folder, closed, output } = await start('--seed', '1', '--count', '5', '--until', 'codegen');
    const [code] = await closed;
    const verdicts = [...output().split('\n\n')[0]!.matchAll(LINE)].map(([, verdict]) => verdict);
    expect(verdicts).toHaveLength(5);
    expect(verdicts).toContain('noticed by codegen: ');
    expect(code).toBe(verdicts.includes('HOLE') ? 1 : 0);
    expect(output().includes('\nHoles:\n')).toBe(code === 1);
    expect(await readdir(folder)).toEqual([]);
  },
);

it('the proof of mutants ends on SIGINT, and leaves nothing behind', { timeout: LONG_MS }, async () => {
  const { folder, child, closed, output } = await start('--count', '50');
  await expect.poll(() => readdir(folder), { timeout: LONG_MS }).toHaveLength(1);
  child.kill('SIGINT');
  expect(await closed).toEqual([2, null]);
  expect(output()).toContain('Interrupted: nothing was proved.');
  expect(await readdir(folder)).toEqual([]);
});
