import { parse, type DocumentNode } from 'graphql';
import { expect, it } from 'vitest';
import { ParsedTexts } from '../../../src/engine/graphql/parsed-texts.js';

const usual = (n: number) => `{ __typename } # ${n} ${'x'.repeat(980)}`;
const document = (n: number) => parse(`{ __typename } # ${n} ${'x'.repeat(60_000)}`);

/** Sets a text so often that it is kept. */
function keep(texts: ParsedTexts, text: string, parsed: DocumentNode): void {
  texts.set(text, parsed);
  texts.set(text, parsed);
}

it('ParsedTexts keeps a text that is set for the second time, and no text that is set once', () => {
  const texts = new ParsedTexts();
  const tree = parse('{ __typename }');
  for (let n = 0; n < 2000; n++) {
    texts.set(`{ a${n}: __typename }`, tree);
    expect(texts.get(`{ a${n}: __typename }`)).toBeUndefined();
  }
  const again = parse('{ a1999: __typename }');
  texts.set('{ a1999: __typename }', again);
  expect(texts.get('{ a1999: __typename }')).toBe(again);
});

it('ParsedTexts counts the bytes of comments too, and keeps a text that is used again and again', () => {
  const texts = new ParsedTexts();
  for (let n = 0; n < 100; n++) {
    keep(texts, String(n), document(n));
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
      keep(texts, usual(n), parse(usual(n)));
    }
  }
  expect(missed).toBe(110);
});
