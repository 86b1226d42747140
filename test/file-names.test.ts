import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const files = globSync('test/**/*.test.ts');

describe('the name of a test file', () => {
  it('ends with .alone.test.ts if the file needs a separate process', async () => {
    const replacing: string[] = [];
    for (const file of files) {
      // The file replaces a module or adds tables, which would affect other files in the same process.
      if (/^ *vi\.mock\(|\.forFeature\(/m.test(await readFile(file, 'utf8'))) replacing.push(file);
    }
    expect(replacing.filter((file) => !file.endsWith('.alone.test.ts'))).toEqual([]);
    expect(replacing.length).toBeGreaterThan(2);
  });

  it('ends with .sampled.test.ts if the quick tests run only a part of the file', async () => {
    const parted: string[] = [];
    for (const file of files) {
      if (/support\/sampled\.js'/.test(await readFile(file, 'utf8'))) parted.push(file);
    }
    expect(parted).toEqual(files.filter((file) => file.endsWith('.sampled.test.ts')));
    expect(parted.length).toBeGreaterThan(2);
  });
});
