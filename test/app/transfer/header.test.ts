import { expect, it } from 'vitest';
import { requireColumns } from '../../../src/store/transfer/header.js';

/** With a search of the whole header for each of its names, this number would take more than ten seconds. */
const MANY = 60_000;

it('checks a header in a time that grows only with its length', () => {
  const header = Array.from({ length: MANY }, (_, index) => `column ${index}`);
  const begun = performance.now();
  requireColumns('file', header, [{ column: `column ${MANY - 1}`, place: 'mapping' }], null, ',');
  expect(performance.now() - begun).toBeLessThan(5_000);
});

it('names each repeated column once', () => {
  expect(() => requireColumns('file', ['a', 'b', 'a', 'c', 'a', 'b'], [], null, ',')).toThrow(
    'file has columns «a», «b» more than once.',
  );
});
