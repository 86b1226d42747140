import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { ParsedTexts } from '../../../src/engine/graphql/parsed-texts.js';

const document = (n: number) => parse(`{ __typename } # ${n} ${'x'.repeat(60_000)}`);

it('ParsedTexts counts the text, comments included, and lets go what was not used for longest', async () => {
  const texts = new ParsedTexts();
  for (let n = 0; n < 100; n++) {
    await texts.set(String(n), document(n));
    await texts.get('0');
  }
  expect(await texts.get('99')).toBeDefined();
  expect(await texts.get('0')).toBeDefined();
  expect(await texts.get('1')).toBeUndefined();
});
