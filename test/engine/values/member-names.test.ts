import { describe, expect, it } from 'vitest';
import { inputReaderOf, snakeCase } from '../../../src/engine/values/member-names.js';

describe('snakeCase', () => {
  it.each([
    ['parentId', 'parent_id'],
    ['q', 'q'],
    ['minPriceMinor', 'min_price_minor'],
  ])('makes the REST name of %s', (name, expected) => {
    expect(snakeCase(name)).toBe(expected);
  });
});

describe('inputReaderOf', () => {
  it.each([
    ['the arguments of a field', { inStock: false, minPrice: 0, first: 3 }],
    ['the query of an operation', { in_stock: false, min_price: 0, page: 3 }],
  ])('reads only the listed members from %s', (_what, input) => {
    expect(inputReaderOf(['inStock', 'minPrice', 'q'])(input)).toEqual({
      inStock: false,
      minPrice: 0,
      q: undefined,
    });
  });
});
