import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/engine/contract/validate.js';
import type { Fault } from '../../../src/engine/errors/errors.js';
import {
  GetProductPath,
  ListProductsQuery,
  MutationUpdateProductArgs,
  ProductCreate,
  ProductUpdate,
  QueryProductArgs,
  QueryProductsArgs,
} from '../../../src/generated/dto.js';

const faults = (result: { faults: Fault[] } | { value: object }): Fault[] =>
  'faults' in result ? result.faults : [];
const codes = (result: { faults: Fault[] } | { value: object }): string[] =>
  faults(result).map(({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`);

describe('validate', () => {
  it('returns an instance with the given members and the defaults, and with no other members', () => {
    const result = validate(ProductCreate, { name: 'Chai', price: 18 }, 'body') as { value: ProductCreate };
    expect(result.value).toBeInstanceOf(ProductCreate);
    expect(Object.fromEntries(Object.entries(result.value))).toEqual({
      name: 'Chai',
      price: 18,
      in_stock: true,
    });
    const query = validate(ListProductsQuery, {}, 'query') as { value: ListProductsQuery };
    expect(Object.keys(query.value)).toEqual(['page', 'limit']);
  });

  it('reports one fault for each member; a value of a wrong type gets no fault about its bounds', () => {
    expect(validate(ProductCreate, { name: '', price: 'free', colour: 'red' }, 'body')).toEqual({
      faults: [
        {
          pointer: '#/colour',
          code: 'UNKNOWN_MEMBER',
          detail: 'must not be given: there is no such member (the known names are name, price, in_stock)',
        },
        { pointer: '#/name', code: 'TOO_SHORT', detail: 'must not be empty' },
        { pointer: '#/price', code: 'WRONG_TYPE', detail: 'must be a number' },
      ],
    });
    expect(codes(validate(ProductCreate, {}, 'body'))).toEqual(['#/name REQUIRED', '#/price REQUIRED']);
  });

  it.each([
    [null, 'WRONG_TYPE', 'must not be null'],
    ['1', 'WRONG_TYPE', 'must be a number'],
    [Number.NaN, 'WRONG_TYPE', 'must be a number'],
    [-0.01, 'TOO_SMALL', 'must be at least 0'],
    [10_000_000.01, 'TOO_LARGE', 'must be at most 10000000'],
    [0.001, 'NOT_A_MULTIPLE', 'must be a multiple of 0.01'],
  ])('refuses the price %s as %s', (price, code, detail) => {
    expect(faults(validate(ProductUpdate, { price }, 'body'))).toEqual([
      { pointer: '#/price', code, detail },
    ]);
  });

  it.each([null, undefined, 'x', 1, [], [{ name: 'x' }]])(
    'refuses the body %j, which is not an object',
    (body) => {
      expect(validate(ProductCreate, body, 'body')).toEqual({
        faults: [{ pointer: '#', code: 'WRONG_TYPE', detail: 'must be an object' }],
      });
    },
  );

  it('counts characters, not code units', () => {
    const fits = { name: '🫖'.repeat(200), price: 1 };
    expect(validate(ProductCreate, fits, 'body')).toHaveProperty('value');
    expect(codes(validate(ProductCreate, { ...fits, name: `${fits.name}x` }, 'body'))).toEqual([
      '#/name TOO_LONG',
    ]);
  });

  it('refuses a name with a control character or a lone surrogate, and a name that has only blanks', () => {
    for (const name of ['\u0000', 'a\u0007', ' \t ', '\uD83E', 'a\uDED6b']) {
      expect(codes(validate(ProductCreate, { name, price: 1 }, 'body'))).toEqual(['#/name PATTERN']);
    }
  });

  it('describes the rule of a pattern in words', () => {
    const [fault] = faults(validate(ProductCreate, { name: ' ', price: 1 }, 'body'));
    expect(fault?.detail).toMatch(/^must have a character that is not blank/);
    const [argument] = faults(validate(QueryProductsArgs, { q: ' ' }, 'args'));
    const [parameter] = faults(validate(ListProductsQuery, { q: ' ' }, 'query'));
    expect(argument?.detail).toBe(parameter?.detail);
    expect(argument?.detail).toMatch(/^must have a character/);
  });

  it('refuses a body with fewer members than the minimum', () => {
    expect(faults(validate(ProductUpdate, {}, 'body'))).toEqual([
      { pointer: '#', code: 'TOO_FEW', detail: 'must have at least 1 member' },
    ]);
  });

  it('treats members such as __proto__ and constructor as unknown members, and ignores inherited members', () => {
    const body: unknown = JSON.parse(
      '{"name":"x","price":1,"__proto__":{"in_stock":false},"constructor":{},"hasOwnProperty":1}',
    );
    expect(codes(validate(ProductCreate, body, 'body'))).toEqual([
      '#/__proto__ UNKNOWN_MEMBER',
      '#/constructor UNKNOWN_MEMBER',
      '#/hasOwnProperty UNKNOWN_MEMBER',
    ]);
    const inherited = Object.create({ name: 'x', price: 1 }) as object;
    expect(codes(validate(ProductCreate, inherited, 'body'))).toEqual([
      '#/name REQUIRED',
      '#/price REQUIRED',
    ]);
    expect(
      validate(ProductCreate, Object.assign(Object.create(null), { name: 'x', price: 1 }), 'body'),
    ).toHaveProperty('value');
  });

  it('stops after a hundred faults', () => {
    const extra = Array.from({ length: 200 }, (_, number) => [`x${number}`, 1]);
    expect(faults(validate(ProductCreate, Object.fromEntries(extra), 'body'))).toHaveLength(100);
  });

  it('escapes names in pointers', () => {
    const body = { name: 'x', price: 1, 'a/b~c d%é': 1, '\uD83E': 2, '': 3 };
    expect(faults(validate(ProductCreate, body, 'body')).map(({ pointer }) => pointer)).toEqual([
      '#/a~1b~0c%20d%25%C3%A9',
      '#/%EF%BF%BD',
      '#/',
    ]);
  });

  it('reports one fault for each parameter, with its name, even for a fault inside a list', () => {
    const query = { page: 0, limit: 101, sort: ['id', 'size', 'colour'], in_stock: 'true', colour: 'red' };
    expect(codes(validate(ListProductsQuery, query, 'query'))).toEqual([
      'colour UNKNOWN_PARAMETER',
      'page TOO_SMALL',
      'limit TOO_LARGE',
      'sort NOT_ALLOWED',
      'in_stock WRONG_TYPE',
    ]);
    expect(codes(validate(ListProductsQuery, { sort: ['id', 'id'], fields: [] }, 'query'))).toEqual([
      'sort NOT_UNIQUE',
      'fields TOO_FEW',
    ]);
    expect(codes(validate(GetProductPath, { id: 1.5 }, 'path'))).toEqual(['id WRONG_TYPE']);
  });

  it('points to the item of a list in arguments', () => {
    expect(codes(validate(QueryProductsArgs, { sort: ['id', 'size'] }, 'args'))).toEqual([
      '#/sort/1 NOT_ALLOWED',
    ]);
    expect(codes(validate(QueryProductsArgs, { sort: ['id', '-id', 'name', 'size'] }, 'args'))).toEqual([
      '#/sort TOO_MANY',
    ]);
  });

  it('reads ids of GraphQL from texts and numbers', () => {
    expect(validate(QueryProductArgs, { id: '17' }, 'args')).toEqual({ value: { id: 17 } });
    expect(validate(QueryProductArgs, { id: 17 }, 'args')).toEqual({ value: { id: 17 } });
    for (const id of ['017', '1e3', ' 1', '-1', 'x', '']) {
      expect(codes(validate(QueryProductArgs, { id }, 'args'))).toEqual(['#/id WRONG_TYPE']);
    }
    expect(codes(validate(QueryProductArgs, { id: '0' }, 'args'))).toEqual(['#/id TOO_SMALL']);
    expect(codes(validate(QueryProductArgs, { id: '9007199254740992' }, 'args'))).toEqual(['#/id TOO_LARGE']);
  });

  it.each([
    { name: 'Chai', price: 18 },
    { name: '', price: 18.001, in_stock: 'yes' },
    { price: -1, in_stock: null },
    { name: 7 },
  ])('finds faults in the same members of %j as class-validator does for the same class', (value) => {
    const verdict = validateSync(Object.assign(Object.create(ProductCreate.prototype) as object, value));
    const pointers = faults(validate(ProductCreate, value, 'body')).map(({ pointer }) => pointer);
    expect(pointers).toEqual(verdict.map(({ property }) => `#/${property}`));
  });

  it('accepts null for an argument only if the tied members of REST accept null', () => {
    const args = { id: 1, name: null, inStock: null, description: null };
    expect(faults(validate(MutationUpdateProductArgs, args, 'args'))).toEqual([
      { pointer: '#/name', code: 'WRONG_TYPE', detail: 'must not be null' },
      { pointer: '#/inStock', code: 'WRONG_TYPE', detail: 'must not be null' },
    ]);
  });
});
