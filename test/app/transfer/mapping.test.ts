import { describe, expect, it } from 'vitest';
import { applyRules } from '../../../src/store/transfer/apply.js';
import type { Fault, RawRow } from '../../../src/store/transfer/raw-row.js';
import { parseMapping } from '../../../src/store/transfer/mapping-file.js';
import { MEMBERS, type Kind } from '../../../src/store/transfer/members.js';

const FIELDS = { id: 'a', name: 'a', price: 'a', email: 'a', user_id: 'a' };

/** The value that the given YAML rule reads for one member of a row, or the reasons why it is refused. */
function read(member: string, rule: string, row: RawRow, kind: Kind = 'products') {
  const others = Object.entries(FIELDS).filter(([name]) => name !== member && name in MEMBERS[kind]);
  const text = [
    'source: test',
    "absent: ['', 'NULL']",
    'fields:',
    `  ${member}: ${rule}`,
    ...others.map(([name, column]) => `  ${name}: ${column}`),
  ].join('\n');
  const mapping = parseMapping('map.yaml', text, kind);
  const faults: Fault[] = [];
  const rules = { [member]: mapping.fields[member] } as typeof mapping.fields;
  const form = { absent: mapping.absent, isGuarded: false, leavesOut: false };
  const mapped = applyRules(row, rules, MEMBERS[kind], form, faults);
  return faults.length > 0 ? faults.map(({ reason }) => reason) : mapped[member];
}

describe('a rule of a mapping', () => {
  it.each([
    ['a column', 'name', 'x', { x: ' Chai ' }, ' Chai '],
    ['a constant', 'name', '{ value: 12 }', {}, '12'],
    ['a default', 'name', '{ column: x, default: none }', { x: 'NULL' }, 'none'],
    [
      'conversions, one after the other',
      'name',
      '{ column: x, convert: [trim, lower, { replace: a, with: o }] }',
      { x: ' AAB ' },
      'oob',
    ],
    [
      'a replacement that is not a pattern',
      'name',
      "{ column: x, convert: [{ replace: '.', with: '$&' }] }",
      { x: 'a.b' },
      'a$&b',
    ],
    ['a template', 'name', "{ template: '{x|lower}-{y}@z' }", { x: 'ABC', y: 'D' }, 'abc-D@z'],
    ['a slug', 'name', '{ column: x, convert: slug }', { x: ' Crème & Brûlée! ' }, 'creme.brulee'],
    [
      'a condition that is true',
      'name',
      '{ if: { column: x, present: true }, then: y, else: { value: z } }',
      { x: '1', y: 'Y' },
      'Y',
    ],
    [
      'a condition that is false',
      'name',
      '{ if: { column: x, present: true }, then: y, else: { value: z } }',
      { x: 'NULL', y: 'Y' },
      'z',
    ],
    [
      'a condition for one of several texts',
      'name',
      '{ if: { column: x, is: [a, b] }, then: { value: yes }, else: { value: no } }',
      { x: 'b' },
      'yes',
    ],
    [
      'a condition that excludes several texts',
      'name',
      '{ if: { column: x, is_not: [a, b] }, then: { value: yes }, else: { value: no } }',
      { x: 'b' },
      'no',
    ],
    ['a flag by its words', 'in_stock', "{ column: x, true: ['0', no], false: '1' }", { x: '0' }, true],
    ['a flag as it is in JSON', 'in_stock', 'x', { x: false }, false],
    ['a decimal comma', 'price', "{ column: x, decimal_mark: ',' }", { x: '12,50' }, '12.50'],
    ['a number as it is in JSON', 'price', 'x', { x: 34.8 }, '34.8'],
    ['a whole number', 'stock', 'x', { x: ' 12 ' }, 12],
    ['an absent value', 'stock', 'x', { x: 'NULL' }, null],
    ['a date without a time', 'created_at', 'x', { x: '1996-07-04' }, Date.UTC(1996, 6, 4)],
    ['a time without a zone', 'created_at', 'x', { x: '1996-07-04 00:00:00.000' }, Date.UTC(1996, 6, 4)],
    [
      'a time with a zone',
      'created_at',
      'x',
      { x: '1996-07-04T02:00:00.5+02:00' },
      Date.UTC(1996, 6, 4, 0, 0, 0, 500),
    ],
    [
      'a date of another form',
      'created_at',
      '{ column: x, date: M/D/YYYY hh:mm }',
      { x: '7/4/1996 13:05' },
      Date.UTC(1996, 6, 4, 13, 5),
    ],
    [
      'hours of one digit or two, with AM or PM',
      'created_at',
      '{ column: x, date: "M/D/YYYY h:mm A" }',
      { x: '7/4/1996 9:05 pm' },
      Date.UTC(1996, 6, 4, 21, 5),
    ],
    [
      'the first hour of a day, with AM',
      'created_at',
      '{ column: x, date: "M/D/YYYY h:mm A" }',
      { x: '7/4/1996 12:05 AM' },
      Date.UTC(1996, 6, 4, 0, 5),
    ],
    [
      'words and a zone in a date',
      'created_at',
      '{ column: x, date: "DD.MM.YYYY [um] H.mm [Uhr] Z" }',
      { x: '04.07.1996 um 9.05 Uhr +02:00' },
      Date.UTC(1996, 6, 4, 7, 5),
    ],
    ['a single replacement', 'name', '{ column: x, convert: { replace: a, with: o } }', { x: 'aa' }, 'oo'],
    [
      'a date in a branch',
      'created_at',
      '{ if: { column: x, present: true }, then: { column: x, date: DD.MM.YYYY } }',
      { x: '04.07.1996' },
      Date.UTC(1996, 6, 4),
    ],
  ])('reads %s', (_what, member, rule, row: RawRow, expected) => {
    expect(read(member, rule, row)).toEqual(expected);
  });

  it.each([
    [
      'a word that is neither true nor false',
      'in_stock',
      "{ column: x, true: '0', false: '1' }",
      { x: '2' },
      /must be "0" or "1"/,
    ],
    ['a thousands separator', 'price', 'x', { x: '1,234.50' }, /must be a number such as 18\.50/],
    ['an exponent', 'price', 'x', { x: 1e21 }, /must be a number/],
    ['a day that does not exist', 'created_at', 'x', { x: '1997-02-29' }, /must be a date that exists/],
    [
      'a date of another form',
      'created_at',
      '{ column: x, date: DD.MM.YYYY }',
      { x: '1996-07-04' },
      /written as DD\.MM\.YYYY/,
    ],
    [
      'a date of another form in a branch',
      'created_at',
      '{ if: { column: x, present: true }, then: { column: x, date: DD.MM.YYYY } }',
      { x: '1996-07-04' },
      /written as DD\.MM\.YYYY/,
    ],
    [
      'a decimal point in a branch with a decimal comma',
      'price',
      "{ if: { column: x, present: false }, then: { value: '0' }, else: { column: x, decimal_mark: ',' } }",
      { x: '12.50' },
      /must be a number such as 18,50/,
    ],
    [
      'a word that is neither true nor false in a branch of a branch',
      'in_stock',
      '{ if: { column: x, present: true }, then: { if: { column: x, is: z }, then: y, else: { column: x, true: j, false: n } } }',
      { x: 'yes' },
      /must be "j" or "n"/,
    ],
    ['a missing value that is required', 'name', 'x', { x: '' }, /must not be absent/],
    ['a template with a missing part', 'name', "{ template: '{x}@y' }", { x: 'NULL' }, /must not be absent/],
    ['a list', 'name', 'x', { x: ['a'] }, /must be a text, a number, true or false/],
  ])('refuses %s', (_what, member, rule, row: RawRow, reason) => {
    expect(read(member, rule, row)).toEqual([expect.stringMatching(reason)]);
  });
});

function product(more: string): string {
  return `source: test\nfields:\n  id: a\n  name: b\n  price: c\n${more}`;
}

function parse(text: string, kind: Kind = 'products') {
  return () => parseMapping('map.yaml', text, kind);
}

it('the absent texts of a mapping are a set, so that their number does not slow each cell of a file', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `none ${index}`);
  const text = JSON.stringify({ source: 'x', absent: many, fields: { id: 'a', name: 'b', price: 'c' } });
  expect(parseMapping('map.yaml', text, 'products').absent).toEqual(new Set(many));
});

describe('a mapping', () => {
  it.each([
    [
      'an unknown key',
      product('felds: x'),
      'map.yaml, line 6: felds is not known here. The known names are: source',
    ],
    [
      'an unknown member',
      product('  colour: x'),
      'line 6: fields.colour is not known here. The known names are: id, name',
    ],
    [
      'a member that is missing',
      'source: test\nfields:\n  id: a\n  name: b',
      'line 2: fields must have price.',
    ],
    [
      'an option of another type',
      product('  stock: { column: x, date: YYYY-MM-DD }'),
      'line 6: fields.stock.date is not known here',
    ],
    [
      'a column and a fixed value for one member',
      product('  stock: { column: x, value: 1 }'),
      'line 6: fields.stock must have exactly one of column, value',
    ],
    [
      'an unknown conversion',
      product('  description: { column: x, convert: [trim, shout] }'),
      '«shout», which does not exist. The conversions are: trim',
    ],
    [
      'a flag without the words for false',
      product("  in_stock: { column: x, true: '1' }"),
      'line 6: fields.in_stock.true is allowed only with «false»',
    ],
    [
      'a flag without the words for true',
      product("  in_stock: { column: x, false: '0' }"),
      'line 6: fields.in_stock.false is allowed only with «true»',
    ],
    [
      'a condition without a rule',
      product('  description: { if: { column: x, present: true }, else: { value: y } }'),
      'line 6: fields.description must have «then» with «if»',
    ],
    [
      'a pattern without a year',
      product('  created_at: { column: x, date: DD.MM }'),
      'fields.created_at.date must have YYYY, MM and DD',
    ],
    [
      'an unknown part of a date',
      product('  created_at: { column: x, date: DD.MM.YY hh:nn }'),
      'line 6: fields.created_at.date has «YY», which is not a part of a pattern. The parts are YYYY, MM or M',
    ],
    [
      'a part of a date twice',
      product('  created_at: { column: x, date: MM/DD/YYYY hh:MM }'),
      'fields.created_at.date has «MM», but that part is already there',
    ],
    [
      'parts of a date without a separator',
      product('  created_at: { column: x, date: YYYYMD }'),
      'has «D» directly after «M», so it is not clear where the first part ends. Write MM',
    ],
    [
      'minutes without an hour',
      product('  created_at: { column: x, date: YYYY-MM-DD mm }'),
      'has mm without hh',
    ],
    [
      'AM or PM together with 24 hours',
      product('  created_at: { column: x, date: YYYY-MM-DD HH:mm A }'),
      'AM or PM with hours up to 23',
    ],
    [
      'an open brace',
      product("  description: { template: '{x' }"),
      'fields.description.template has a { at character',
    ],
    [
      'braces without a column',
      product("  description: { template: 'a {} b' }"),
      'fields.description.template has {} at character 3 without the name of a column.',
    ],
    [
      'braces with only a conversion',
      product("  description: { template: '{a}{ |trim}' }"),
      'fields.description.template has { |trim} at character 4 without the name of a column.',
    ],
    [
      'a list instead of a text',
      product('  description: { column: [x] }'),
      'fields.description.column must be a text',
    ],
    [
      'a required member that is made optional',
      product('').replace('name: b', 'name: { column: b, required: false }'),
      'fields.name.required cannot be false',
    ],
    ['lines of products', product('items: { fields: {} }'), 'line 6: items is not known here'],
    ['a duplicate key', product('  id: z'), 'map.yaml, line 6: Map keys must be unique'],
    ['text that is not YAML', 'source: [', 'map.yaml, line 1:'],
    [
      'brackets that close nothing',
      `source: x\n${']'.repeat(7_000)}`,
      'map.yaml, line 2: the bracket «]» closes nothing.',
    ],
    ['braces that close nothing', '{ source: x }}', 'map.yaml, line 1: the bracket «}» closes nothing.'],
    ['no source', 'fields: { id: a, name: b, price: c }', 'must name the source of the data'],
    [
      'a bad source',
      product('').replace('source: test', 'source: Not A Name'),
      'line 1: source must be a name',
    ],
    ['a long delimiter', product('delimiter: "||"'), 'delimiter must be one character'],
  ])('with %s is refused, and the message names the fault', (_what, text, words) => {
    expect(parse(text)).toThrow(words);
  });

  it.each([
    ['? ', 'a: '],
    ['', '? a: '],
    ['', '- a: '],
    ['? ', '"a": '],
    ['', '? {}: '],
    ['[', 'a: '],
    ['[', 'a:\n'],
    ['{', '"a": '],
  ])(
    'with %j, and then thousands of %j, is refused, because too many levels begin in one place',
    (begin, level) => {
      expect(parse(begin + level.repeat(2_000))).toThrow(
        'more than 9 levels begin in one line, or in one entry between brackets.',
      );
    },
  );

  it('with thousands of brackets that are never closed is refused, because it has too many levels', () => {
    expect(parse('[[]: '.repeat(2_000))).toThrow('line 1: it has more than 50 levels.');
  });

  it('reports all faults at once', () => {
    expect(parse(product('  colour: x\n  stock: { }\nmore: 1'))).toThrow(/colour[^]*fields\.stock[^]*more/);
  });

  it('lists the columns that it needs, with the places where it names them', () => {
    const { columns } = parseMapping(
      'map.yaml',
      product("  description: { template: '{x} {y|trim}' }"),
      'products',
    );
    expect(columns.map(({ column }) => column)).toEqual(['a', 'b', 'x', 'y', 'c']);
    expect(columns.find(({ column }) => column === 'y')?.place).toBe(
      'map.yaml, line 6, fields.description.template',
    );
  });

  it('uses the source that the caller gives instead of the source in its file', () => {
    expect(parseMapping('map.yaml', product(''), 'products', 'other').source).toBe('other');
  });
});
