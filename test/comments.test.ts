import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const MOST_CHARACTERS = 120;
const SOURCES = ['bench', 'pages', 'prove', 'src', 'test', 'testkit', 'tools'].map(
  (folder) => `${folder}/**/*.{ts,tsx,mjs}`,
);
/** A line that belongs to a comment alone. Prettier does not wrap such lines. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;

it('no line of a comment is wider than 120 characters', () => {
  const files = globSync(SOURCES, { exclude: ['pages/dist/**', 'src/generated/**'] });
  expect(files.length).toBeGreaterThan(1_000);
  const wide = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        COMMENT.test(line) && line.length > MOST_CHARACTERS ? [`${file}:${index + 1}`] : [],
      ),
  );
  expect(wide).toEqual([]);
});
