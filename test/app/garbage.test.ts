import { execFileSync } from 'node:child_process';
import v8 from 'node:v8';
import { expect, it, onTestFinished, vi } from 'vitest';
import { setGarbageOptions } from '../../src/app/garbage.js';

const GROWING = '--heap-growing-percent=20';
const YOUNG = '--no-allocation-site-pretenuring';

/** The options that the service sets if its command line has the given ones. */
function setWith(given: readonly string[]): readonly string[] {
  const set = vi.spyOn(v8, 'setFlagsFromString').mockReturnValue();
  onTestFinished(() => set.mockRestore());
  setGarbageOptions(given);
  return set.mock.calls.map(([option]) => option);
}

it('a service sets options for the collection of garbage, and V8 has these options', () => {
  expect(setWith([])).toEqual([GROWING, YOUNG]);
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const name of ['heap-growing-percent', 'allocation-site-pretenuring'])
    expect(options).toMatch(new RegExp(String.raw`^ {2}--${name} `, 'm'));
});

it.each([
  ['--heap-growing-percent=80', YOUNG],
  ['--heap_growing_percent=80', YOUNG],
  ['--allocation-site-pretenuring', GROWING],
  ['--no-allocation-site-pretenuring', GROWING],
  ['--noallocation_site_pretenuring', GROWING],
])('the option %s of the command line is kept', (given, other) => {
  expect(setWith(['--enable-source-maps', given, '--max-semi-space-size=4'])).toEqual([other]);
});
