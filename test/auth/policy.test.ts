import { describe, expect, it } from 'vitest';
import { fieldPolicy, operationPolicy } from '../../src/auth/policy.js';
import { ANONYMOUS, type Principal } from '../../src/auth/principal.js';
import { FIELDS, type Field } from '../../src/generated/fields.js';
import { OPERATIONS, type Operation } from '../../src/generated/operations.js';

const KNOWN: Principal = { kind: 'client', name: 'test', scopes: new Set(), userId: null };
const WRITER: Principal = { ...KNOWN, scopes: new Set(['products:write']) };

const passes = (policy: (principal: Principal) => void): boolean[] =>
  [ANONYMOUS, KNOWN, WRITER].map((principal) => {
    try {
      policy(principal);
      return true;
    } catch {
      return false;
    }
  });

const key = (...scopes: 'products:write'[]) => ({ scheme: 'apiKey', scopes });
const ofSecurity = (security: Operation['security']): boolean[] =>
  passes(operationPolicy({ ...OPERATIONS.createProduct, security }));

describe('operationPolicy', () => {
  it('lets in anybody, any known caller, or who has the scopes', () => {
    expect(ofSecurity([])).toEqual([true, true, true]);
    expect(ofSecurity([[], [key('products:write')]])).toEqual([true, true, true]);
    expect(ofSecurity([[key()]])).toEqual([false, true, true]);
    expect(ofSecurity([[key('products:write')]])).toEqual([false, false, true]);
  });
});

describe('fieldPolicy', () => {
  const field = FIELDS['Mutation.createProduct'] as Field;

  it('lets in anybody, or who has one of the scopes', () => {
    expect(passes(fieldPolicy({ ...field, access: 'public' }))).toEqual([true, true, true]);
    expect(passes(fieldPolicy(field))).toEqual([false, false, true]);
  });

  it('is none where nothing is asked for without being public', () => {
    expect(() => fieldPolicy({ ...field, access: { scopes: [], owner: null } })).toThrow('no scope');
  });
});
