import { execFileSync } from 'node:child_process';
import v8 from 'node:v8';
import { expect, it, onTestFinished, vi } from 'vitest';
import { boundOldGarbage } from '../../src/app/old-garbage.js';

function watchedFlags() {
  const set = vi.spyOn(v8, 'setFlagsFromString').mockReturnValue();
  onTestFinished(() => set.mockRestore());
  return set;
}

it('a service bounds the garbage of the old generation with an option that V8 has', () => {
  const set = watchedFlags();
  boundOldGarbage([]);
  expect(set).toHaveBeenCalledWith('--heap-growing-percent=30');
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(options).toMatch(/^ {2}--heap-growing-percent /m);
});

it.each(['--heap-growing-percent=80', '--heap_growing_percent=80'])(
  'the option %s of the command line is kept',
  (option) => {
    const set = watchedFlags();
    boundOldGarbage(['--enable-source-maps', option]);
    expect(set).not.toHaveBeenCalled();
  },
);
