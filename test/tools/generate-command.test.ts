import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const RECORD = 'tools/contract/copies.json';

describe('the command npm run codegen', () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'store-codegen-'));
    for (const name of ['tools', 'src', 'openapi.yaml', 'schema.graphql', 'package.json'])
      cpSync(join(TOP, name), join(copy, name), { recursive: true });
    symlinkSync(join(TOP, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** Runs the command with a change of one file, and returns its errors. */
  const errorsWith = (name: string, from: string | RegExp, to: string) => {
    const file = join(copy, name);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(from);
    writeFileSync(file, text.replace(from, to));
    const { status, stderr } = spawnSync(process.execPath, ['tools/generate.ts'], {
      cwd: copy,
      encoding: 'utf8',
    });
    writeFileSync(file, text);
    expect(status).toBe(1);
    return stderr.trim().split('\n');
  };

  it('reports the fault of a contract, and not its consequence for the record of the copied descriptions', () => {
    expect(errorsWith('openapi.yaml', /\bmaxLength: /, 'maxLengthh: ')).toEqual([
      expect.stringMatching(/^openapi\.yaml:\d+ .*: the keyword maxLengthh is not supported/),
      'Faults in the contracts: 1. Nothing was written.',
    ]);
  });

  it('refuses a record of the copied descriptions that is out of date', () => {
    expect(errorsWith(RECORD, /": "\w+"/, '": "0"')).toEqual([
      expect.stringMatching(/^tools\/contract\/copies\.json: .* npm run contract writes them$/),
      'Faults in the contracts: 1. Nothing was written.',
    ]);
  });
});
