import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

it('the build removes only the compiled migrations without a source, and reports only on the standard error', () => {
  const copy = mkdtempSync(join(tmpdir(), 'store-built-'));
  try {
    for (const name of ['tools', 'src', 'dist']) {
      cpSync(join(TOP, name), join(copy, name), { recursive: true, preserveTimestamps: true });
    }
    const compiled = (name: string): string => join(copy, 'dist', 'engine', 'database', 'migrations', name);
    const stale = ['.js', '.js.map'].map((ending) => compiled(`1600000000000-of-another-branch${ending}`));
    for (const file of stale) writeFileSync(file, '');
    const tool = join(copy, 'tools', 'build-if-outdated.ts');
    const run = () => spawnSync(process.execPath, [tool], { encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(stale.filter((file) => existsSync(file))).toEqual([]);
    expect(existsSync(compiled('1763700000000-products.js'))).toBe(true);
    expect(existsSync(compiled('1763700000000-products.js.map'))).toBe(true);
    // The text about the wait goes to the standard error, because the standard output may be piped.
    rmSync(join(copy, 'dist', 'main.js'));
    symlinkSync(join(TOP, 'node_modules'), join(copy, 'node_modules'));
    for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
      cpSync(join(TOP, name), join(copy, name));
    expect(run()).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Compiling the service.*about 3 s …\n$/) as string,
    });
    expect(existsSync(join(copy, 'dist', 'main.js'))).toBe(true);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
