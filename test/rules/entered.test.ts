import { describe, expect, it } from 'vitest';
import {
  amountText,
  changedIn,
  entered,
  isBlank,
  isContested,
  pathPart,
  type Json,
} from '../../src/rules/entered.js';

const read = (control: string, text: string, decimals = 2, currency?: string): Json =>
  entered(control, text, { decimals, currency, moment: (moment) => `at ${moment}` });

describe('an entry of a form', () => {
  it.each([
    ['integer', ' 12 ', 12],
    ['number', '-0.5', -0.5],
    ['reference', '7', 7],
    ['reference', 'Ada', 'Ada'],
    ['integer', '1e3', '1e3'],
    ['integer', '1234567890123456', '1234567890123456'],
    ['boolean', 'true', true],
    ['boolean', 'yes', 'yes'],
    ['texts', ' a \n\n b', ['a', 'b']],
    ['text', ' a ', ' a '],
    ['time', '2026-01-01T00:00', 'at 2026-01-01T00:00'],
  ] as const)('of the kind %s: %j means %j', (control, text, value) => {
    expect(read(control, text)).toEqual(value);
  });

  it.each([
    ['18,5', 2, 'USD', { amount: 1850, currency: 'USD' }],
    ['0.07', 2, 'USD', { amount: 7, currency: 'USD' }],
    ['18', 0, 'JPY', { amount: 18, currency: 'JPY' }],
    ['18.5', 0, 'JPY', '18.5'],
    ['18.555', 2, 'USD', '18.555'],
    ['-1', 2, 'USD', '-1'],
    ['18.50', 2, undefined, 18.5],
  ] as const)(
    'for money: %j, with %i decimals and the currency %s, means %j',
    (text, decimals, currency, value) => {
      expect(read('money', text, decimals, currency)).toEqual(value);
    },
  );

  it('is blank if it has only white space; a secret is blank only if it is empty', () => {
    expect([isBlank('text', ' \n'), isBlank('secret', ' '), isBlank('secret', '')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    [{ amount: 7, currency: 'USD' }, 2, '0.07'],
    [{ amount: 123_450, currency: 'USD' }, 2, '1234.50'],
    [{ amount: 18, currency: 'JPY' }, 0, '18'],
    [18.5, 2, '18.50'],
    [null, 2, ''],
  ])('shows the amount %j with %i decimals as %j', (value, decimals, text) => {
    expect(amountText(value, decimals)).toBe(text);
  });

  it.each([
    [7, '7'],
    ['a/b?c', 'a%2Fb%3Fc'],
    ['', null],
    ['.', null],
    ['..', null],
    [null, null],
    [undefined, null],
  ])('with the value %j becomes the part %j of an address; null means none', (value, part) => {
    expect(pathPart(value)).toBe(part);
  });
});

describe('the entries of a form', () => {
  it('are sent if they differ from the earlier values', () => {
    expect(changedIn({ name: 'a', tags: ['x'], note: 'n' }, { name: 'a', tags: ['x', 'y'] })).toEqual({
      tags: ['x'],
      note: 'n',
    });
  });

  it('are contested if somebody else entered another value', () => {
    const base = { name: 'a', price: 1, note: null };
    const theirs = { name: 'b', price: 2, note: null };
    const mine = { name: 'c', price: 2 };
    expect(
      ['name', 'price', 'note', 'other'].filter((name) => isContested(name, theirs, mine, base)),
    ).toEqual(['name']);
  });
});
