import { expect, it } from 'vitest';
import type { Reads } from '../../../src/engine/database/reads.js';
import { fileOf } from '../../../src/store/imports/import-file.js';
import type { Import } from '../../../src/store/imports/import.entity.js';

it('the parser gets at most 4 KiB of a file at once, because each fault of CSV takes processor time', async () => {
  const text = 'a"b\n'.repeat(10_000);
  const reads = { one: () => Promise.resolve({ text }) } as unknown as Reads;
  const chunks: Buffer[] = [];
  const file = fileOf({ id: 1, bytes: 2 * text.length, parts: 2 } as Import, reads);
  for await (const chunk of file.open()) chunks.push(Buffer.from(chunk as Uint8Array));
  expect(Math.max(...chunks.map(({ length }) => length))).toBe(4_096);
  expect(Buffer.concat(chunks).toString()).toBe(text + text);
});
