import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findPostgres } from '../../testkit/postgres-server.ts';
import { needing } from '../support/needs.js';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const LONG_MS = 180_000;

const onServers = needing(
  'the servers of PostgreSQL and Redis',
  findPostgres() !== null && !spawnSync('redis-server', ['--version']).error,
  'install them; npm run prove:resume says how',
);

describe('the proof that instances are one store', onServers, () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-proof-'));
    // If root runs this test, PostgreSQL runs as another user, who must be able to enter the folder.
    await chmod(folder, 0o755);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs the proof, perhaps with a fault, in a new process group and with a new folder for temporary files. */
  function prove(kills: number, fault?: string, path = process.env['PATH']) {
    const options = fault === undefined ? [] : ['--import', `./test/support/faults/${fault}.mjs`];
    const child = spawn(
      process.execPath,
      [...options, 'prove/resume.ts', '--instances', '2', '--kills', String(kills)],
      { cwd: TOP, env: { PATH: path, TMPDIR: folder }, detached: true },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'exit').then(([code]) => ({ code: code as unknown, output }));
    return { pid: child.pid as number, ended, output: () => output };
  }

  async function requireNothingLeft(pid: number): Promise<void> {
    await vi.waitFor(() => expect(() => process.kill(-pid, 0)).toThrow('ESRCH'), { timeout: 60_000 });
    expect(await readdir(folder)).toEqual([]);
  }

  it('fails when a subscriber does not send its last cursor', { timeout: LONG_MS }, async () => {
    const { pid, ended } = prove(1, 'forget-cursor');
    const { code, output } = await ended;
    expect(output).toMatch(
      // The subscriber misses an event, or receives an event twice from an instance that is slightly behind.
      /^BROKEN: --seed \d+: the early WebSocket \d (has order \d+ at the position \d+\. The log has order|was told of order \d+ at the position \d+, after)/m,
    );
    expect(code).toBe(1);
    await requireNothingLeft(pid);
  });

  it('fails when each act takes the number of its event from a sequence', { timeout: LONG_MS }, async () => {
    const { pid, ended } = prove(2, 'bare-sequence');
    const { code, output } = await ended;
    expect(output).toMatch(/^Kill 1 of 2, instance /m);
    expect(output).toMatch(/^BROKEN: --seed \d+: (.* The log has |The next position in the log is)/m);
    expect(code).toBe(1);
    await requireNothingLeft(pid);
  });

  it('leaves nothing behind when it is interrupted', { timeout: LONG_MS }, async () => {
    const { pid, ended, output } = prove(9);
    await Promise.race([ended, vi.waitUntil(() => output().includes('2 instances'), { timeout: LONG_MS })]);
    process.kill(pid, 'SIGINT');
    expect(await ended).toMatchObject({ code: 2, output: expect.stringContaining('Interrupted') });
    await requireNothingLeft(pid);
  });

  it('reports a missing server, and exits with 2', async () => {
    const { code, output } = await prove(1, undefined, folder).ended;
    expect(output).toContain('There is no Redis server here: apt-get install redis-server');
    expect(code).toBe(2);
  });
});
