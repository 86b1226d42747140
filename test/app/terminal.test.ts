import { globSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { print, tell } from '../../src/app/terminal.js';
import { shown } from '../../src/engine/values/shown.js';
import { anyCharacter } from '../support/faults/nasty.js';

describe('the output of the command line', () => {
  it('is written by terminal.ts, except for one text of main.ts', () => {
    const files = globSync(['src/app/{cli,transfer}/**/*.ts', 'src/app/terminal.ts']).filter((file) =>
      /process\.std(?:out|err)\.write|console\./.test(readFileSync(file, 'utf8')),
    );
    // `main.ts` writes one text itself, before any import.
    expect(files.toSorted()).toEqual(['src/app/cli/main.ts', 'src/app/terminal.ts']);
  });

  it('shows data without control characters, invisible characters and lone surrogates', () => {
    const obeyed = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(shown(text)).not.toMatch(obeyed);
        expect(shown(text) === text).toBe(!obeyed.test(text));
      }),
      { numRuns: 2_000 },
    );
    expect(shown('a\u001b[2J\nb\u{E0001}\ud800')).toBe('a\\u001b[2J\\u000ab\\udb40\\udc01\\ud800');
    expect(shown('Crème 鶏 👩‍🍳 می‌خواهم')).toBe('Crème 鶏 👩‍🍳 می‌خواهم');
  });

  it('keeps the line breaks of the command, and does not change the meaning of JSON', () => {
    const written: unknown[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((text) => written.push(text) > 0),
    );
    try {
      tell('one\ntwo\u001b[2J\n');
      print(`${JSON.stringify({ name: '\u009b31m\u202e\u{E0001}' })}\n`);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(written[0]).toBe('one\ntwo\\u001b[2J\n');
    expect(JSON.parse(String(written[1]))).toEqual({ name: '\u009b31m\u202e\u{E0001}' });
  });
});
