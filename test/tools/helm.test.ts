import { expect, it } from 'vitest';
import { FUNCTIONS } from '../../tools/helm/functions.ts';

it('the function trunc of the chart refuses a negative length, with which Helm keeps the end of the text', () => {
  const trunc = FUNCTIONS.get('trunc');
  expect(trunc?.([3, 'store'])).toBe('sto');
  expect(trunc?.([0, 'store'])).toBe('');
  expect(() => trunc?.([-3, 'store'])).toThrow('-3 is not a length of at least 0');
});
