import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { ParsedTexts } from '../../../src/engine/graphql/parsed-texts.js';

const usual = (n: number) => `{ __typename } # ${n} ${'x'.repeat(980)}`;
const document = (n: number) => parse(`{ __typename } # ${n} ${'x'.repeat(60_000)}`);

it('ParsedTexts counts the bytes of comments too, and keeps a text that is used again and again', () => {
  const texts = new ParsedTexts();
  for (let n = 0; n < 100; n++) {
    texts.set(String(n), document(n));
    texts.get('0');
  }
  expect(texts.get('99')).toBeDefined();
  expect(texts.get('0')).toBeDefined();
  expect(texts.get('1')).toBeUndefined();
});

it('ParsedTexts keeps all texts that fit into 30 MB', () => {
  const texts = new ParsedTexts();
  let missed = 0;
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 110; n++) {
      if (texts.get(usual(n)) !== undefined) continue;
      missed += 1;
      texts.set(usual(n), parse(usual(n)));
    }
  }
  expect(missed).toBe(110);
});
