import { globSync, readFileSync } from 'node:fs';
import { buildSchema, Kind, isInputObjectType, isObjectType, type ConstDirectiveNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../src/generated/operations.js';
import { patternOf } from '../src/engine/http/addresses.js';
import { datePattern } from '../src/store/transfer/date-pattern.js';
import { faultOfPattern, slownessOf } from '../tools/patterns.ts';
import { expressionsIn, type Found } from './support/fixtures/regular-expressions.js';
import { DOCUMENT } from './support/fixtures/schema.js';

/** Files that compose expressions at run time. */
const MADE = [
  // A test below checks the expressions that this file composes.
  'src/engine/http/addresses.ts',
  // These files compose expressions from patterns of the contracts. A test below checks these patterns.
  'tools/emit/rules.ts',
  'tools/patterns.ts',
  // These files compose expressions from names of the contracts. Only the generator runs these expressions.
  'tools/emit/forms.ts',
  'tools/emit/graphql.ts',
];

function judged({ place, source, flags }: Found): string[] {
  const slowness = slownessOf(source, flags);
  return slowness === null ? [] : [`${place} /${source}/${flags}: ${slowness}`];
}

/** Every `pattern` of a document, at any place. */
function patternsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = Object.entries(node).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : [],
  );
  return [...own, ...Object.values(node).flatMap(patternsIn)];
}

function patternsOfSdl(text: string): string[] {
  const types = Object.values(buildSchema(text).getTypeMap());
  const inputs = types.flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  });
  const directives = inputs.flatMap(
    ({ astNode }): readonly ConstDirectiveNode[] => astNode?.directives ?? [],
  );
  return directives
    .flatMap((directive) => directive.arguments ?? [])
    .flatMap(({ name, value }) =>
      name.value === 'pattern' && value.kind === Kind.STRING ? [value.value] : [],
    );
}

describe('regular expressions', () => {
  const files = globSync(['src/**/*.ts', 'tools/**/*.ts', 'pages/**/*.{ts,tsx}'], {
    exclude: ['pages/dist/**'],
  });
  const read = files.map((file) => expressionsIn(file, readFileSync(file, 'utf8')));

  it('run in linear time in the sources', () => {
    const found = read.flatMap((each) => each.found);
    expect(found.length).toBeGreaterThan(300);
    expect(found.flatMap(judged)).toEqual([]);
  });

  it('are composed only of constant texts of the same file, except in the files of MADE', () => {
    const unknown = read.flatMap((each) => each.unknown).map((place) => place.replace(/:\d+$/, ''));
    expect([...new Set(unknown)].toSorted()).toEqual(MADE.toSorted());
  });

  it('run in linear time if they are composed of the paths of the contract, or of the dates of a mapping', () => {
    const paths = Object.values(OPERATIONS).flatMap((row) => [...row.paths]);
    const dates = ['YYYY-MM-DD', 'D.M.YYYY hh:mm:ss', 'DD/MM/YYYY   h:mm A Z', 'YYYYMMDD*'].map(datePattern);
    const made = [
      ...paths.map(patternOf),
      ...dates.flatMap((date) => (typeof date === 'string' ? [] : date.expression)),
    ];
    expect(made.length).toBeGreaterThan(100);
    expect(made.flatMap(({ source, flags }) => judged({ place: '', source, flags }))).toEqual([]);
  });

  it.each([
    ['openapi.yaml', patternsIn(DOCUMENT), 50],
    ['schema.graphql', patternsOfSdl(readFileSync('schema.graphql', 'utf8')), 10],
  ])('run in linear time in %s', (_name, patterns, least) => {
    expect(patterns.length).toBeGreaterThan(least);
    expect(patterns.map((pattern) => faultOfPattern(pattern)).filter(Boolean)).toEqual([]);
  });

  it.each([
    [
      String.raw`const isJwt = (text: string) => /^bearer +[^.]+\.[^.]*\.[^.]*$/i.test(text);`,
      /« \+» and «\[\^\.\]\+»/,
    ],
    [String.raw`const charset = /^\s*charset="?([^"]*)"?\s*$/.exec(text);`, /«\[\^"\]\*» and «\\s\*»/],
    [String.raw`text.replace(/\s+$/, '')`, /«\\s\+» is tried again from each place/],
    [String.raw`const WORD = '\\w+'; new RegExp(${'`^(?:${WORD} ?)+$`'}, 'u');`, /«\\w\+»/],
    [String.raw`const ANY = String.raw${'`\\d*`'}; RegExp([ANY, ANY, '$'].join(''))`, /«\\d\*»/],
  ])('that do not run in linear time are found: %s', (text, expected) => {
    const { found, unknown } = expressionsIn('planted.ts', text);
    expect(unknown).toEqual([]);
    expect(found.flatMap(judged).join()).toMatch(expected);
  });

  it('that are composed of other texts are reported with their place', () => {
    expect(expressionsIn('planted.ts', 'new RegExp(text)').unknown).toEqual(['planted.ts:1']);
  });
});
