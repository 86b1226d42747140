import { describe, expect, it } from 'vitest';
import { conflicting } from '../../src/rules/conflicts.js';

const CONFLICTS = { EMAIL_TAKEN: ['email'], '*': ['status'] };

describe('the fields that a conflict is about', () => {
  it.each([
    ['the fields of its code', { status: 409, code: 'EMAIL_TAKEN' }, ['email']],
    ['the fields of `*` for a code without an entry', { status: 409, code: 'ILLEGAL_STATUS' }, ['status']],
    ['none for another status', { status: 403, code: 'EMAIL_TAKEN' }, []],
    ['none if the problem has a list of errors', { status: 409, code: 'OUT_OF_STOCK', errors: [{}] }, []],
    ['none for a key that is in use', { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' }, []],
  ])('are %s', (_what, problem, fields) => {
    expect(conflicting(problem, CONFLICTS)).toEqual(fields);
  });

  it('are none if the form does not know the code', () => {
    expect(conflicting({ status: 409, code: 'CLIENT_ENDED' }, {})).toEqual([]);
  });
});
