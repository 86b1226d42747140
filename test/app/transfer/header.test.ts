import { expect, it } from 'vitest';
import { requireColumns } from '../../../src/store/transfer/header.js';

const MANY = 2_000;
/** The number of times for which each name may be read. A search for each name would read each name 2,000 times. */
const MOST_READS = 10;

it('reads each name of a header only a few times', () => {
  let reads = 0;
  const header = new Proxy(
    Array.from({ length: MANY }, (_, index) => `column ${index}`),
    {
      get: (names, key, self) => {
        reads += 1;
        return Reflect.get(names, key, self) as unknown;
      },
    },
  );
  const last = { column: `column ${MANY - 1}`, place: 'mapping' };
  requireColumns(
    'file',
    header,
    Array.from({ length: MANY }, () => last),
    null,
    ',',
  );
  expect(reads).toBeGreaterThan(MANY);
  expect(reads).toBeLessThan(MOST_READS * MANY);
});

it('names each repeated column once', () => {
  expect(() => requireColumns('file', ['a', 'b', 'a', 'c', 'a', 'b'], [], null, ',')).toThrow(
    'file has columns «a», «b» more than once.',
  );
});
