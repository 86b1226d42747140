import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { ParsedTexts } from '../../../src/engine/graphql/parsed-texts.js';

const document = (n: number) => parse(`{ __typename } # ${n} ${'x'.repeat(60_000)}`);

it('ParsedTexts counts the bytes of comments too, and drops the least recently used text first', () => {
  const texts = new ParsedTexts();
  for (let n = 0; n < 100; n++) {
    texts.set(String(n), document(n));
    texts.get('0');
  }
  expect(texts.get('99')).toBeDefined();
  expect(texts.get('0')).toBeDefined();
  expect(texts.get('1')).toBeUndefined();
});
