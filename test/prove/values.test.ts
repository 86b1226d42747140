import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../testkit/random.js';
import { OMIT, Values } from '../../prove/contract/values.ts';

describe('a made-up object', () => {
  const schema = {
    type: 'object',
    minProperties: 1,
    properties: { name: { type: 'string' }, password: { type: 'string' } },
  };

  it('has enough members even if a request leaves some of them out', () => {
    const values = new Values(randomFrom(7));
    const made = Array.from({ length: 100 }, () =>
      values.valid(schema, (name) => (name === 'password' ? OMIT : undefined)),
    );
    expect(new Set(made.map((each) => Object.keys(each as object).join()))).toEqual(new Set(['name']));
  });
});
