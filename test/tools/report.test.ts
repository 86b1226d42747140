import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

/** The files of a run. The first file passes, and each of the others fails in a different way. */
const FILES = {
  'good.test.ts': `it('passes', () => {});`,
  'wrong.test.ts': `it('fails', () => { throw new Error('a wrong test'); });`,
  'group.test.ts': `describe('group', () => { beforeAll(() => { throw new Error('a wrong hook'); }); it('is left', () => {}); });`,
  'load.test.ts': `throw new Error('a wrong file');`,
  'later.test.ts': `it('passes first', async () => {
    void Promise.reject(new Error('a rejection that nobody handles'));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`,
};

it('the report of a run names each file to run again, even for an error outside of the tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-report-'));
  try {
    const report = join(folder, 'report');
    await mkdir(join(folder, 'tests'));
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, 'tests', name), text);
    const vitest = join(TOP, 'node_modules/vitest/vitest.mjs');
    const run = spawn(
      process.execPath,
      [
        vitest,
        'run',
        '--globals',
        '--root',
        join(folder, 'tests'),
        '--reporter',
        join(TOP, 'test/support/report.ts'),
      ],
      { cwd: TOP, env: { PATH: process.env['PATH'], TEST_REPORT: report }, stdio: 'ignore' },
    );
    expect(await once(run, 'exit')).toEqual([1, null]);
    const read = (name: string): Promise<string> => readFile(join(report, name), 'utf8');
    expect(await read('counts')).toBe('2 1\n');
    const wrong = ['group', 'later', 'load', 'wrong'];
    expect((await read('files')).trim().split('\n').toSorted()).toEqual(
      wrong.map((name) => join(folder, 'tests', `${name}.test.ts`)),
    );
    const failures = await read('failures');
    for (const reason of ['a wrong test', 'a wrong hook', 'a wrong file', 'a rejection that nobody handles'])
      expect(failures).toContain(reason);
  } finally {
    await rm(folder, { recursive: true });
  }
});
