import { describe, expect, it } from 'vitest';
import { fieldPolicy, operationPolicy, type Policy } from '../../../src/engine/access/policy.js';
import { ANONYMOUS, type Principal } from '../../../src/engine/access/principal.js';
import { RowAccess } from '../../../src/engine/access/row-access.js';
import { FIELDS, type Field } from '../../../src/generated/fields.js';
import { OPERATIONS, type Operation } from '../../../src/generated/operations.js';

const KNOWN: Principal = {
  kind: 'client',
  scheme: 'apiKey',
  id: 'key 1',
  name: 'test',
  scopes: new Set(),
  userId: null,
  delegated: null,
  expiresAt: null,
};
const WRITER: Principal = { ...KNOWN, scopes: new Set(['products:write']) };

const passes = (policy: Policy): boolean[] =>
  [ANONYMOUS, KNOWN, WRITER].map((principal) => {
    try {
      policy.rowAccessOf(principal);
      return true;
    } catch {
      return false;
    }
  });

const key = (...scopes: 'products:write'[]) => ({ scheme: 'apiKey' as const, scopes });
const ofSecurity = (security: Operation['security']): boolean[] =>
  passes(operationPolicy({ ...OPERATIONS.createProduct, security }));
const owned = (owner: string): Policy =>
  operationPolicy({ ...OPERATIONS.createProduct, security: [[key('products:write')]], owner });

describe('operationPolicy', () => {
  it('accepts the callers that the contract names: everybody, every known caller, or callers with the scopes', () => {
    expect(ofSecurity([])).toEqual([true, true, true]);
    expect(ofSecurity([[], [key('products:write')]])).toEqual([true, true, true]);
    expect(ofSecurity([[key()]])).toEqual([false, true, true]);
    expect(ofSecurity([[key('products:write')]])).toEqual([false, false, true]);
  });
});

describe('an owner', () => {
  const USER: Principal = { ...KNOWN, kind: 'user', userId: 7 };

  it('can reach its own rows, and a caller with the scope can reach all rows', () => {
    const policy = owned('path.id');
    expect(passes(policy)).toEqual([false, false, true]);
    expect([policy.rowAccessOf(USER), policy.rowAccessOf(WRITER)]).toEqual([
      RowAccess.of(7),
      RowAccess.EVERYTHING,
    ]);
    expect(policy.rowAccessOf({ ...USER, scopes: WRITER.scopes })).toBe(RowAccess.EVERYTHING);
  });

  it('hides the row of a path from other users', () => {
    const policy = owned('path.id');
    expect([7, 8, null, undefined].map((id) => policy.isThere(RowAccess.of(7), id))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(policy.isThere(RowAccess.EVERYTHING, 8)).toBe(true);
    expect(policy.isThere(RowAccess.NOTHING, undefined)).toBe(false);
  });

  it('of a body is the caller by default, and may not be another user', () => {
    const policy = owned('body.user_id');
    expect([7, null, undefined].map((id) => policy.isThere(RowAccess.of(7), id))).toEqual([true, true, true]);
    expect(() => policy.isThere(RowAccess.of(7), 8)).toThrow('products:write');
  });

  it('of a public operation is refused', () => {
    const row = { ...OPERATIONS.createProduct, security: [], owner: 'path.id' };
    expect(() => operationPolicy(row)).toThrow('public, so it must not name an owner');
  });
});

describe('fieldPolicy', () => {
  const field = FIELDS['Mutation.createProduct'] as Field;

  it('accepts everybody, or callers with the scope', () => {
    expect(passes(fieldPolicy({ ...field, access: 'public' }))).toEqual([true, true, true]);
    expect(passes(fieldPolicy(field))).toEqual([false, false, true]);
  });

  it('refuses a field that is not public and has neither a scope nor an owner', () => {
    expect(() => fieldPolicy({ ...field, access: { scopes: [], owner: null } })).toThrow(
      'neither a scope nor an owner',
    );
  });
});
