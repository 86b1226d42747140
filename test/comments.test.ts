import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const MOST_CHARACTERS = 120;
const SOURCES = ['bench', 'pages', 'prove', 'src', 'test', 'testkit', 'tools'].map(
  (folder) => `${folder}/**/*.{ts,tsx,mjs}`,
);
/** A line that has only a comment. Prettier does not wrap such lines. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;

/** The lines of a comment that are too wide, each after the name of the file. */
function wideComments(file: string, text: string): string[] {
  return text
    .split('\n')
    .filter((line) => COMMENT.test(line) && line.length > MOST_CHARACTERS)
    .map((line) => `${file}: ${line}`);
}

it('no line of a comment is wider than 120 characters', () => {
  const files = globSync(SOURCES, { exclude: ['pages/dist/**', 'src/generated/**'] });
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap((file) => wideComments(file, readFileSync(file, 'utf8')))).toEqual([]);
});

it('the code that a guide tells its reader to write has no comment wider than 120 characters', () => {
  const blocks = ['CONTRIBUTING.md', 'docs/second-resource.md'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
      ([, code = '']) => [file, code] as const,
    ),
  );
  expect(blocks.length).toBeGreaterThan(10);
  expect(blocks.flatMap(([file, code]) => wideComments(file, code))).toEqual([]);
});
