import { describe, expect, it } from 'vitest';
import { RecordCipher } from '../../../src/engine/idempotency/record-cipher.js';

const RESULT = {
  id: 7,
  at: new Date(1_700_000_000_123),
  none: null,
  lines: [{ text: 'é\u{1F600}', left: undefined }],
};

describe('a result that is sealed with an Idempotency-Key', () => {
  const mine = new RecordCipher('key', 'user 1', 'createOrder');

  it('is opened with the same key, caller and operation, and its dates are dates again', () => {
    const sealed = mine.seal(RESULT);
    expect(new RecordCipher('key', 'user 1', 'createOrder').open(sealed)).toEqual(RESULT);
    expect(sealed).not.toBe(mine.seal(RESULT));
  });

  it('is not opened with another key, caller or operation, or after a change', () => {
    const sealed = mine.seal(RESULT);
    const others = [
      new RecordCipher('Key', 'user 1', 'createOrder'),
      new RecordCipher('key', 'user 2', 'createOrder'),
      new RecordCipher('key', 'user 1', 'createUser'),
    ];
    for (const other of others) {
      expect(() => other.open(sealed)).toThrow('unable to authenticate data');
      expect([other.id === mine.id, other.fingerprintOf(1) === mine.fingerprintOf(1)]).toEqual([
        false,
        false,
      ]);
    }
    const bytes = Buffer.from(sealed, 'base64url');
    for (const at of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => mine.open(changed.toString('base64url'))).toThrow('unable to authenticate data');
    }
  });

  it('has a fingerprint of its request, which depends on all values, but not on the order of members', () => {
    const input = [{ id: 1 }, { a: 1, b: [{ c: 2, d: 'x' }] }, undefined];
    const same = [{ id: 1 }, { b: [{ d: 'x', c: 2 }], a: 1, e: undefined }, null];
    expect(mine.fingerprintOf(same)).toBe(mine.fingerprintOf(input));
    const others = [
      [{ id: 2 }, { a: 1, b: [{ c: 2, d: 'x' }] }, undefined],
      [{ id: 1 }, { a: 1, b: [{ c: '2', d: 'x' }] }, undefined],
      [
        { id: 1 },
        {
          a: 1,
          b: [
            { c: 2, d: 'x' },
            { c: 2, d: 'x' },
          ],
        },
        undefined,
      ],
      [{ id: 1 }, { a: 1, b: [{ c: 2, d: 'x' }] }, '*'],
      [{ id: 1 }, { a: null, b: [{ c: 2, d: 'x' }] }, undefined],
    ];
    expect(new Set([input, ...others].map((each) => mine.fingerprintOf(each))).size).toBe(6);
  });

  it('has a number for its lock that PostgreSQL accepts', () => {
    const numbers = Array.from({ length: 100 }, (_, n) => BigInt(new RecordCipher(`${n}`, '', '').lockId));
    expect(numbers.every((number) => number >= 0n && number < 2n ** 63n)).toBe(true);
    expect(new Set(numbers).size).toBe(100);
  });
});
