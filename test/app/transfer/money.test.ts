import { describe, expect, it } from 'vitest';
import { decimalOf, lineTotal, minorOf } from '../../../src/store/transfer/money.js';

describe('lineTotal', () => {
  it.each([
    // In floating point, 1005 × (1 − 0.9) is 100.49999…, and not 100.5.
    [1005, 1, '0.9', 101],
    [1230, 1, '0.5', 615],
    [15, 1, '0.1', 14],
    [35, 3, '0.05', 100],
    [1, 1, '0.5', 1],
    [1, 1, '0.51', 0],
    [3480, 5, '0', 17_400],
    [980, 10, '0.15', 8_330],
    [3480, 5, '0.03', 16_878],
    [1, 1, '1', 0],
    [1_000_000_000, 10_000, '0.00000000000006', 9_999_999_999_999],
    [1_000_000_000, 10_000, '0', 10_000_000_000_000],
  ])(
    'returns for %i × %i with the discount %s the total %i, rounded half-up',
    (price, quantity, discount, total) => {
      expect(lineTotal(price, quantity, discount)).toBe(total);
    },
  );
});

describe('minorOf', () => {
  it.each([
    ['18', 100, 1800],
    ['18.5', 100, 1850],
    ['18.500', 100, 1850],
    ['0.29', 100, 29],
    ['99999999999.99', 100, 9_999_999_999_999],
    ['1.005', 100, null],
    ['180', 1, 180],
    ['180.0', 1, 180],
    ['0.5', 1, null],
    ['-0.5', 100, -50],
  ])('reads %s, with %i minor units in a major unit, as %s', (text, minorPerMajor, minor) => {
    expect(minorOf(text, minorPerMajor)).toBe(minor);
  });
});

describe('decimalOf', () => {
  it.each([
    [0, 100, '0.00'],
    [5, 100, '0.05'],
    [1850, 100, '18.50'],
    [9_999_999_999_999, 100, '99999999999.99'],
    [180, 1, '180'],
  ])('writes %i, with %i minor units in a major unit, as %s', (minor, minorPerMajor, text) => {
    expect(decimalOf(minor, minorPerMajor)).toBe(text);
  });
});
