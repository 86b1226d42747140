import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const files = globSync('test/**/*.test.ts');

describe('the name of a test file', () => {
  it('says that the file needs a process of its own', async () => {
    const replacing: string[] = [];
    for (const file of files) {
      // It replaces a module, or adds tables: another file in the same process would see that.
      if (/^ *vi\.mock\(|\.forFeature\(/m.test(await readFile(file, 'utf8'))) replacing.push(file);
    }
    expect(replacing.filter((file) => !file.endsWith('.alone.test.ts'))).toEqual([]);
    expect(replacing.length).toBeGreaterThan(2);
  });
});
