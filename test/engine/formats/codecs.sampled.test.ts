import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../../src/engine/formats/formats.js';
import { BODIES } from '../../../src/generated/bodies.js';
import { nastyNumber, nastyText } from '../../support/faults/nasty.js';
import { valueIn } from '../../../testkit/contract/formats.js';
import { schemaNamed } from '../../support/fixtures/schema.js';
import { times } from '../../support/sampled.js';

const item = fc.record({
  product_id: fc.option(nastyNumber),
  name: nastyText,
  unit_price: nastyNumber,
  quantity: fc.integer(),
  total: nastyNumber,
});
const order = fc.record({
  id: nastyNumber,
  user_id: fc.option(nastyNumber),
  status: nastyText,
  total: nastyNumber,
  created_at: nastyText,
  items: fc.array(item, { maxLength: 3 }),
});
const ORDERS = schemaNamed('OrderList');
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;

/** A value without the characters that XML cannot represent. */
const inXml = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_name, inner: unknown) =>
      typeof inner === 'string' ? inner.replaceAll(NOT_IN_XML, '\uFFFD') : inner,
    ),
  );

describe.each(['json', 'xml', 'yaml', 'csv'])('a value written as %s', (name) => {
  const format = formatNamed(name);
  if (!format) throw new Error(`There is no format ${name}.`);
  const encode = format.compile(BODIES.listOrders ?? { name: 'list' });

  it('is read back as the same value', () => {
    fc.assert(
      fc.property(fc.array(order, { maxLength: 4 }), (orders) => {
        const text = encode(orders, { url: '/' });
        expect(valueIn(format.mediaType, text, ORDERS)).toEqual(name === 'xml' ? inXml(orders) : orders);
      }),
      { numRuns: times(300, 60) },
    );
  });

  it('is read back as the same value if it has null, the text `null`, blanks, an empty text and an empty list', () => {
    const orders = [
      { id: 1, user_id: null, status: '', total: 0, created_at: ' ', items: [] },
      {
        id: 2,
        user_id: 1,
        status: 'null',
        total: 0,
        created_at: '\t',
        items: [{ product_id: null, name: '', unit_price: 0, quantity: 1, total: 0 }],
      },
    ];
    expect(valueIn(format.mediaType, encode(orders, { url: '/' }), ORDERS)).toEqual(orders);
  });
});

describe('an envelope', () => {
  const items = {
    name: 'thing',
    members: {
      price: { name: 'money', members: { amount: { name: 'item' } } },
      tags: { name: 'tags', items: { name: 'tag' } },
    },
  };
  const body = { name: 'thing_list', members: { data: { name: 'data', items }, page: { name: 'page' } } };
  const value = { data: [{ price: { amount: -5 }, tags: ['=1', 'b'] }], page: { next: null } };
  const written = (name: string) => formatNamed(name)?.compile(body)(value, { url: '/' });

  it('is written to CSV as the rows of its list: inner objects become columns, and an inner list is one cell', () => {
    expect(written('csv')).toBe('price.amount,tags\r\n-5,"[""=1"",""b""]"\r\n');
  });

  it('is written to XML as a whole', () => {
    expect(written('xml')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<thing_list xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
        '<data><thing><price><amount>-5</amount></price><tags><tag>=1</tag><tag>b</tag></tags></thing></data>' +
        '<page><next xsi:nil="true"/></page></thing_list>\n',
    );
  });
});

describe('CSV', () => {
  const csv = formatNamed('csv')?.compile({
    name: 'x_list',
    items: { name: 'x', members: { a: { name: 'a' }, b: { name: 'b' } } },
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\ta', "'\ta"],
    ['\ra', `"'\ra"`],
    ["'=1", "''=1"],
    ['a=1', 'a=1'],
    [-1, '-1'],
    [' a', '" a"'],
    ['', '""'],
    [null, ''],
    [true, 'true'],
  ])('writes %j as %s', (value, cell) => {
    expect(csv?.([{ a: value, b: 0 }], { url: '/' })).toBe(`a,b\r\n${cell},0\r\n`);
  });

  it('has a header row even without rows, and only the requested columns', () => {
    expect(csv?.([], { url: '/' })).toBe('a,b\r\n');
    expect(csv?.([{ b: 1 }], { url: '/', fields: ['b'] })).toBe('b\r\n1\r\n');
  });
});
