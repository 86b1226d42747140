import { describe, expect, it } from 'vitest';
import { SourceFile, type Format } from '../../../src/store/transfer/source-file.js';

const MOST = 20;
/** Shorter than a row of `MOST` bytes. */
const SHORT = 7;

/** Reads a file with this text, in chunks of `size` bytes. Returns the number of rows without a fault. */
async function rowsOf(
  format: Format,
  text: string,
  { size = Infinity, most = MOST }: { size?: number; most?: number } = {},
): Promise<number> {
  const bytes = Buffer.from(text);
  const source = {
    bytes: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
  const file = new SourceFile('rows', format, ',', source, { most });
  let rows = 0;
  for await (const { fault } of file.rows({ isOwn: false }, [], [])) rows += Number(fault === null);
  return rows;
}

describe.each([
  ['in one piece', Infinity],
  ['in several pieces', SHORT],
])('a row that is read %s', (_how, size) => {
  it.each([
    ['NDJSON', 'ndjson', '', `{"a":"${'x'.repeat(MOST - 8)}"}`],
    ['NDJSON with characters of two bytes', 'ndjson', '', `{"a":"${'é'.repeat(MOST / 2 - 4)}"}`],
    ['CSV', 'csv', 'a,b\n', `${'x'.repeat(MOST - 2)},y`],
    ['CSV with characters of two bytes', 'csv', 'a,b\n', `${'é'.repeat(MOST / 2 - 1)},y`],
  ] as const)('is refused only if it has too many bytes (%s)', async (_what, format, head, row) => {
    const longer = row.replace(/x|é/, '$&z');
    expect(Buffer.byteLength(longer)).toBeGreaterThan(MOST);
    expect(await rowsOf(format, `${head}${row}\n${row}\n${row}`, { size })).toBe(3);
    const line = head === '' ? 2 : 3;
    for (const end of ['', '\n', `\n${row}\n`]) {
      await expect(rowsOf(format, `${head}${row}\n${longer}${end}`, { size })).rejects.toMatchObject({
        line,
        fault: expect.stringContaining(`more than ${MOST / 1_024} KiB`) as string,
      });
    }
  });

  it('does not count quotes, line breaks, empty lines, or a broken row before it (CSV)', async () => {
    const row = 'x'.repeat(MOST - 2);
    const text = `a,b\r\n"${row}","y"\r\n${'\r\n'.repeat(MOST)}"${row}","y"\r\nbro"ken,${'z'.repeat(MOST - 8)}\r\n${row},y`;
    expect(await rowsOf('csv', text, { size })).toBe(3);
  });
});

it('a row of CSV is refused before all of its delimiters are read', async () => {
  let read = 0;
  const source = {
    bytes: 0,
    async *open() {
      yield Buffer.from('a,b\n');
      for (; read < 1_000; read += 1) yield Buffer.from(','.repeat(65_536));
    },
  };
  const file = new SourceFile('rows', 'csv', ',', source, { most: 65_536 });
  await expect(file.rows({ isOwn: false }, [], []).next()).rejects.toThrow(
    'rows, line 2: the row that begins there has more than 64 KiB',
  );
  expect(read).toBeLessThan(10);
});
