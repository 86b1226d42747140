import { expect, it } from 'vitest';
import { IdempotencyKey } from '../../../src/engine/idempotency/idempotency-key.js';
import { OPENAPI } from '../../support/fixtures/openapi.js';

interface Contract {
  components: { parameters: { 'Idempotency-Key': { schema: { pattern: string; maxLength: number } } } };
}

it('an Idempotency-Key is read in exactly the forms that the contract allows', () => {
  const { parameters } = (OPENAPI as unknown as Contract).components;
  const { pattern, maxLength } = parameters['Idempotency-Key'].schema;
  const form = new RegExp(pattern, 'u');
  const characters = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code));
  const long = ['x'.repeat(255), 'x'.repeat(256), `"${'\\"'.repeat(255)}"`, `"${'\\"'.repeat(256)}"`];
  const values = [
    '',
    '""',
    '"',
    ...long,
    ...characters.flatMap((each) => [each, `a${each}`, `"${each}"`, `"\\${each}"`, `"a"${each}`]),
  ];
  const read: number[] = [];
  for (const value of values) {
    const passes = form.test(value) && value.length <= maxLength;
    const key = IdempotencyKey.in(value);
    expect([value, key !== null]).toEqual([value, passes]);
    if (key) read.push(key.text.length);
  }
  expect(read.length).toBeGreaterThan(250);
  expect([Math.min(...read), Math.max(...read)]).toEqual([1, 255]);
  expect(IdempotencyKey.in(String.raw`"a\"b\\c"`)?.text).toBe(String.raw`a"b\c`);
  expect(IdempotencyKey.in('"abc"')?.text).toBe(IdempotencyKey.in('abc')?.text);
});
