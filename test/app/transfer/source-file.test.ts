import { describe, expect, it } from 'vitest';
import {
  SourceFile,
  type FileOptions,
  type Format,
  type SourceRow,
} from '../../../src/store/transfer/source-file.js';

const MOST = 20;
/** Shorter than a row of `MOST` bytes. */
const SHORT = 7;

/** Reads a file with this text, in chunks of `size` bytes. */
async function rowsOf(
  format: Format,
  text: string,
  { size = Infinity, ...options }: FileOptions & { size?: number } = {},
): Promise<SourceRow[]> {
  const bytes = Buffer.from(text);
  const source = {
    bytes: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
  const file = new SourceFile('rows', format, ',', source, options);
  const rows: SourceRow[] = [];
  for await (const row of file.rows({ isOwn: false }, [], [])) rows.push(row);
  return rows;
}

/** Reads a file of rows of at most `MOST` bytes. Returns the number of rows without a fault. */
async function countOf(format: Format, text: string, size: number): Promise<number> {
  const rows = await rowsOf(format, text, { size, most: MOST });
  return rows.filter(({ fault }) => fault === null).length;
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
    expect(await countOf(format, `${head}${row}\n${row}\n${row}`, size)).toBe(3);
    const line = head === '' ? 2 : 3;
    for (const end of ['', '\n', `\n${row}\n`]) {
      await expect(countOf(format, `${head}${row}\n${longer}${end}`, size)).rejects.toMatchObject({
        line,
        fault: expect.stringContaining(`more than ${MOST / 1_024} KiB`) as string,
      });
    }
  });

  it('does not count quotes, line breaks, empty lines, or a broken row before it (CSV)', async () => {
    const row = 'x'.repeat(MOST - 2);
    const text = `a,b\r\n"${row}","y"\r\n${'\r\n'.repeat(MOST)}"${row}","y"\r\nbro"ken,${'z'.repeat(MOST - 8)}\r\n${row},y`;
    expect(await countOf('csv', text, size)).toBe(3);
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

describe.each([
  ['in one piece', Infinity],
  ['in several pieces', SHORT],
])('a broken row of CSV that is read %s', (_how, size) => {
  it.each([
    ['after a text with CRLF', 'name,price\r\n"a\r\nb",1\r\nc"d",2\r\ne,3\r\n', 4, 'c"d",2', 5],
    [
      'with CRLF before its fault',
      'name,price\r\n"a\r\nb"c,1\r\nd",2\r\ne,3\r\n',
      2,
      '"a\r\nb"c,1\r\nd",2',
      5,
    ],
    ['with CRLF after its fault', 'name,price\r\n"a"b\r\nc",2\r\ne,3', 2, '"a"b\r\nc",2', 4],
    ['after empty lines', 'name,price\n\n\nc"d",2\n\ne,3\n', 4, 'c"d",2', 6],
    ['after empty lines with CRLF', 'name,price\r\n\r\nc"d",2\r\n\r\ne,3\r\n', 3, 'c"d",2', 5],
    ['with several faults', 'name,price\nc"d",2"2\ne,3\n', 2, 'c"d",2"2', 3],
  ])('is one row with its line and its whole text (%s)', async (_what, text, line, broken, next) => {
    const rows = await rowsOf('csv', text, { size, keepsTexts: true });
    expect(rows.filter(({ line: at }) => at >= line)).toEqual([
      {
        line,
        row: {},
        fault: expect.stringMatching(/^is not CSV \((?!.* at line )/) as string,
        text: broken,
      },
      { line: next, row: { name: 'e', price: '3' }, fault: null, text: 'e,3' },
    ]);
  });
});

it.each([
  ['has too many bytes', 'x'.repeat(200), { most: 50 }],
  ['has too many bytes, but not too many characters', `${'é'.repeat(40)}\r\n`, { most: 50 }],
  ['has too many delimiters', ','.repeat(400), { most: 50, size: SHORT }],
  ['has a quote that is not closed', '"x', {}],
])('a row of CSV that %s is refused with the line in which it begins', async (_what, row, options) => {
  const text = `name,price\r\n"a\r\nb\r\nc",1\r\nok,1\r\n\r\n${row}`;
  await expect(rowsOf('csv', text, options)).rejects.toMatchObject({ line: 7 });
});

const withQuotes = (quotes: number) => `name,price\n${'x'.repeat(1_000)}${'"'.repeat(quotes)},1\n`;

it('a row of CSV with more than 100 wrong quotes ends the import, because each of them takes processor time', async () => {
  await expect(rowsOf('csv', withQuotes(101))).rejects.toMatchObject({ line: 2 });
  await expect(rowsOf('csv', withQuotes(101))).rejects.toThrow(/more than 100 wrong quotes/);
  const [found] = await rowsOf('csv', withQuotes(100));
  expect(found?.fault?.length).toBeLessThan(200);
});

it('a header that is not CSV ends the import, so that no row is taken for the header', async () => {
  await expect(rowsOf('csv', 'na"me,price\nTea,1\n')).rejects.toThrow(/: the header is not CSV \(/);
});
