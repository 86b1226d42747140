import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/engine/contract/json.js';

const read = (text: string) => readJson(Buffer.from(text));

describe('readJson', () => {
  it.each([
    'null',
    '0',
    '"a"',
    '[]',
    '{}',
    '{"a":[{"b":"}"},"]",{"a":1}],"b":{"a":{"a":","}}}',
    '{"\\"":1,"\\\\":2}',
    ' { "a" : [ 1 , 2 , { "b" : "x,y:{}" } ] } ',
  ])('reads %s like JSON.parse, without a fault', (text) => {
    expect(read(text)).toEqual({ value: JSON.parse(text) as unknown, faults: [] });
  });

  it.each([
    ['{"a":1,"a":2}', '#/a'],
    ['{"a":1,"\\u0061":2}', '#/a'],
    ['[0,{"b":{"x/y~z":1,"x/y~z":2}}]', '#/1/b/x~1y~0z'],
    ['{"":1,"":2}', '#/'],
    ['{"a":[[1,{"ü":1,"ü":1}]]}', '#/a/0/1/%C3%BC'],
    // Objects with many members.
    ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"a":2}', '#/a'],
    ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"j":2}', '#/j'],
  ])('finds the duplicate member in %s', (text, pointer) => {
    expect(read(text).faults).toEqual([expect.objectContaining({ code: 'DUPLICATE_MEMBER', pointer })]);
  });

  it('stops at a hundred faults', () => {
    expect(read(`{${'"a":1,'.repeat(200)}"b":1}`).faults).toHaveLength(100);
    // The first name has one fault, and each of the others has two.
    expect(read(`{${'"__proto__":1,'.repeat(200)}"b":1}`).faults).toHaveLength(100);
  });

  it('accepts members of the same name in different objects', () => {
    expect(read('[{"a":1},{"a":1},{"b":{"a":1},"a":1}]').faults).toEqual([]);
  });

  it('reports a member named __proto__ as a fault, and changes no prototype', () => {
    const { value, faults } = read('{"__proto__":{"polluted":true}}');
    expect(faults).toEqual([expect.objectContaining({ pointer: '#/__proto__' })]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('accepts 32 levels, and refuses more', () => {
    expect(read('['.repeat(32) + ']'.repeat(32)).faults).toEqual([]);
    expect(read('['.repeat(33) + ']'.repeat(33)).faults).toEqual([
      expect.objectContaining({ code: 'TOO_DEEP' }),
    ]);
  });

  it.each(['', '{', '{"a":}', "{'a':1}", '01', 'NaN', '[1,]', '{"a":1}x', '"\n"'])(
    'refuses %j, which is not JSON',
    (text) => {
      expect(() => read(text)).toThrow(/body/i);
    },
  );

  it('refuses invalid UTF-8 instead of repairing it', () => {
    expect(() => readJson(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('UTF-8');
  });
});
