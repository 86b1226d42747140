import { describe, expect, it } from 'vitest';
import { isAllowed, licenceOf } from '../../tools/licences.ts';

const component = (licenses?: object[]) => ({ name: 'x', version: '1.0.0', ...(licenses && { licenses }) });

describe('npm run licences', () => {
  it.each([
    [component([{ license: { id: 'MIT' } }]), 'MIT', true],
    [component([{ expression: '(MIT AND BSD-3-Clause)' }]), '(MIT AND BSD-3-Clause)', true],
    [component([{ license: { id: 'MIT' } }, { license: { id: 'ISC' } }]), 'MIT AND ISC', true],
    [{ name: 'pause', version: '0.0.1' }, 'MIT', true],
    [component([{ license: { id: 'GPL-3.0-only' } }]), 'GPL-3.0-only', false],
    [component([{ expression: 'MIT OR GPL-2.0' }]), 'MIT OR GPL-2.0', false],
    [component([{ license: { name: 'SEE LICENSE IN eula.txt' } }]), 'SEE LICENSE IN eula.txt', false],
    [component([]), 'none', false],
    [component(), 'none', false],
  ])('finds the licence of %j: %s (allowed: %s)', (given, licence, allowed) => {
    expect([licenceOf(given), isAllowed(licenceOf(given))]).toEqual([licence, allowed]);
  });
});
