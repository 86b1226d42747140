import {
  buildSchema,
  GraphQLError,
  Lexer,
  parse,
  Source,
  TokenKind,
  validate,
  type DocumentNode,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import { isPlainlyValid } from '../../../src/engine/graphql/plainly-valid.js';
import { randomFrom } from '../../../testkit/random.js';
import { CORPUS } from '../../support/fixtures/graphql-corpus.js';
import { RandomQueries } from '../../support/fixtures/random-queries.js';
import { times } from '../../support/sampled.js';

const SEED = Number(process.env['VALID_SEED'] ?? 1);
const QUERIES = times(5_000, 500);

const STORE = buildSchema(SCHEMA_GRAPHQL);
const OTHER = buildSchema(`
  scalar Any
  enum Kind { A B }
  input Inner { n: Int! = 1, kinds: [Kind!], any: Any, inner: Inner }
  input Wrapped { inner: Inner!, other: [[Int!]!] }
  input One @oneOf { a: Int, b: Int }
  interface Named { name: String }
  type Dog implements Named { name: String, of(id: ID!, kind: Kind = A): Dog }
  union Pet = Dog
  type Query {
    dog(id: ID!, n: Int, f: Float, is: Boolean, kind: Kind, kinds: [Kind!], any: Any, inner: Inner, one: One): Dog
    wrapped(given: Wrapped!): [Dog!]!
    named: Named
    pet: Pet
    required(n: Int! = 1, kind: Kind!): Int
  }
  type Subscription { dog: Dog, name: String }
`);

/** Valid operations. Together they have every kind of part that `isPlainlyValid` can judge. */
const PLAIN = [
  '{ dog(id: 1) { name } }',
  'query Q { dog(id: "1") { __typename, name } }',
  'query ($id: ID!, $n: Int) { dog(id: $id, n: $n) { name } }',
  'query ($id: ID!, $n: Int!) { a: dog(id: $id, n: $n) { name } b: dog(id: $id) { of(id: $id) { name } } }',
  '{ dog(id: 1, n: null, f: 1, is: true, kind: B, kinds: [A, B], any: "x") { of(id: "2") { name } } }',
  '{ dog(id: 1, inner: {}) { name } }',
  '{ dog(id: 1, inner: { n: 2, kinds: [], inner: { any: 1.5, kinds: null } }) { name } }',
  'query ($n: Int!, $kind: Kind!) { wrapped(given: { inner: { n: $n, kinds: [$kind] }, other: [[1, $n], []] }) { name } }',
  'query ($inner: Inner!) { wrapped(given: { inner: $inner }) { name } }',
  '{ required(kind: A) }',
  '{ __typename }',
  '{ pet { __typename } }',
];

/** Wrong operations, and valid operations that only graphql-js can judge. */
const NOT_PLAIN = [
  '{ dog { name } }',
  '{ dog(id: null) { name } }',
  '{ dog(id: 1) }',
  '{ dog(id: 1) { } }',
  '{ dog(id: 1.5) { name } }',
  '{ dog(id: [1]) { name } }',
  '{ dog(id: 1, id: 2) { name } }',
  '{ dog(id: 1, other: 2) { name } }',
  '{ dog(id: 1, n: 2147483648) { name } }',
  '{ dog(id: 1, n: "2") { name } }',
  '{ dog(id: 1, kind: C) { name } }',
  '{ dog(id: 1, kind: "A") { name } }',
  '{ dog(id: 1, kinds: A) { name } }',
  '{ dog(id: 1, kinds: [null]) { name } }',
  '{ dog(id: 1, kinds: [[A]]) { name } }',
  '{ dog(id: 1, any: { a: $a }) { name } }',
  '{ dog(id: 1, any: [$a]) { name } }',
  'query ($a: Int) { dog(id: 1, any: { a: $a }) { name } }',
  '{ dog(id: 1, inner: { n: null }) { name } }',
  '{ dog(id: 1, inner: { other: 1 }) { name } }',
  '{ dog(id: 1, inner: { n: 1, n: 1 }) { name } }',
  '{ dog(id: 1, inner: 1) { name } }',
  '{ dog(id: 1, one: { a: 1 }) { name } }',
  '{ dog(id: 1, one: { a: 1, b: 2 }) { name } }',
  '{ wrapped { name } }',
  '{ wrapped(given: {}) { name } }',
  '{ wrapped(given: { inner: {}, other: [[null]] }) { name } }',
  '{ required }',
  '{ required(kind: A, n: null) }',
  '{ required(kind: A) { name } }',
  '{ required(kind: A) required(kind: B) }',
  '{ dog(id: 1) { name name } }',
  '{ dog(id: 1) { name: __typename name } }',
  '{ dog(id: 1) { constructor } }',
  '{ toString }',
  '{ dog(id: 1) { name { name } } }',
  '{ dog(id: 1) { __typename { name } } }',
  '{ dog(id: 1) { __typename(a: 1) } }',
  '{ dog(id: 1) { name @skip(if: true) } }',
  '{ dog(id: 1) { ...F } } fragment F on Dog { name }',
  '{ dog(id: 1) { ... { name } } }',
  '{ named { name } }',
  '{ pet { name } }',
  '{ __schema { description } }',
  '{ __type(name: "Dog") { name } }',
  'query @skip(if: true) { dog(id: 1) { name } }',
  'query ($id: ID!) { dog(id: 1) { name } }',
  'query ($id: ID!, $id: ID!) { dog(id: $id) { name } }',
  'query ($id: ID) { dog(id: $id) { name } }',
  'query ($id: ID! = 1) { dog(id: $id) { name } }',
  'query ($id: ID! @skip(if: true)) { dog(id: $id) { name } }',
  'query ($id: Int!) { dog(id: $id) { name } }',
  'query ($id: Dog) { dog(id: $id) { name } }',
  'query ($id: Nothing) { dog(id: $id) { name } }',
  'query ($id: [ID!]!) { dog(id: $id) { name } }',
  'query ($kinds: [Kind]) { dog(id: 1, kinds: $kinds) { name } }',
  '{ dog(id: $id) { name } }',
  'query A { dog(id: 1) { name } } query B { dog(id: 1) { name } }',
  'mutation { dog(id: 1) { name } }',
  'subscription { dog { name } name }',
  'subscription { name }',
  'type T { name: String }',
];

function parsed(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

describe('isPlainlyValid', () => {
  it.each(PLAIN)('accepts: %s', (text) => {
    expect(validate(OTHER, parse(text))).toEqual([]);
    expect(isPlainlyValid(OTHER, parse(text))).toBe(true);
  });

  it.each(NOT_PLAIN)('does not accept: %s', (text) => {
    const document = parsed(text);
    expect(document !== null && isPlainlyValid(OTHER, document)).toBe(false);
  });

  it('accepts only documents that are valid for graphql-js, in the corpus of this suite', () => {
    const plain = Object.values(CORPUS)
      .map(({ query = '' }) => parsed(query))
      .filter((document) => document !== null && isPlainlyValid(STORE, document));
    expect(plain.length).toBeGreaterThan(10);
    expect(plain.flatMap((document) => validate(STORE, document as DocumentNode))).toEqual([]);
  });

  it(`accepts only documents that are valid for graphql-js, among ${QUERIES} random queries of seed ${SEED} with one token changed`, () => {
    const random = randomFrom(SEED);
    const queries = new RandomQueries(STORE, random);
    const seen = { plain: 0, valid: 0, wrong: 0 };
    let tokens = tokensOf(
      Object.values(CORPUS)
        .map(({ query = '' }) => query)
        .join(' '),
    );
    for (let n = 0; n < QUERIES; n += 1) {
      const { query } = queries.next();
      const own = tokensOf(query);
      for (const text of [query, changed(own, tokens, random), changed(own, own, random)]) {
        const document = parsed(text);
        if (document === null) continue;
        const errors = validate(STORE, document);
        seen[errors.length > 0 ? 'wrong' : 'valid'] += 1;
        if (!isPlainlyValid(STORE, document)) continue;
        seen.plain += 1;
        expect({ text, errors }).toEqual({ text, errors: [] });
      }
      tokens = [...tokens.slice(-2_000), ...own];
    }
    expect(seen.wrong).toBeGreaterThan(QUERIES / 2);
    expect(seen.plain / seen.valid).toBeGreaterThan(0.15);
  });
});

/** The text of each token. */
function tokensOf(text: string): readonly string[] {
  const lexer = new Lexer(new Source(text));
  const tokens: string[] = [];
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
      tokens.push(text.slice(token.start, token.end));
  } catch {
    // A text of the generator may be broken. Its beginning is used.
  }
  return tokens;
}

/** A text with one token replaced by one of the others, left out, or repeated. */
function changed(tokens: readonly string[], others: readonly string[], random: () => number): string {
  const copy = [...tokens];
  const place = Math.floor(random() * copy.length);
  const other = others[Math.floor(random() * others.length)] ?? '';
  const kind = random();
  if (kind < 0.6) copy[place] = other;
  else if (kind < 0.8) copy.splice(place, 1);
  else copy.splice(place, 0, copy[place] ?? '');
  return copy.join(' ');
}
