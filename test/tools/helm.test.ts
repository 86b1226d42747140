import { expect, it } from 'vitest';
import { FUNCTIONS } from '../../tools/helm/functions.ts';

it('the function trunc of the chart refuses a negative length, because Helm keeps the end of the text in this case', () => {
  const trunc = FUNCTIONS.get('trunc');
  expect(trunc?.([3, 'store'])).toBe('sto');
  expect(trunc?.([0, 'store'])).toBe('');
  expect(() => trunc?.([-3, 'store'])).toThrow('-3 is not a length of at least 0');
});
