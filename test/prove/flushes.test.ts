import { expect, it } from 'vitest';
import { readFlushes } from '../../prove/flushes.ts';

const write = (text = '', thread = 7) =>
  `${thread} pwrite64(22</tmp/store.sqlite-wal>, "${text}", 4096, 56) = 4096`;
const flush = (name = 'fdatasync') => `7 ${name}(22</tmp/store.sqlite-wal>) = 0`;
const answer = (mark: string) =>
  `7 write(28<socket:[582115]>, "HTTP/1.1 201 Created\\r\\nx-request-id: ${mark}\\r\\n", 300) = 300`;
const read = (...lines: string[]) => readFlushes(lines, /mark-\d+/g);

it('the proof of flushes counts answers, commits and writes', async () => {
  await expect(
    read(write('mark-1 mark-2'), write(), flush(), answer('mark-1'), answer('mark-2'), flush('fsync')),
  ).resolves.toEqual({ answers: 2, commits: 1, writes: 2 });
});

it.each([
  ['is not written', [write(), flush(), answer('mark-1')], 'before its commit was written'],
  ['is written afterwards', [answer('mark-1'), write('mark-1'), flush()], 'before its commit was written'],
  ['is not flushed', [write('mark-1'), answer('mark-1')], 'was flushed'],
  ['is flushed in part', [write('mark-1'), flush(), write(), answer('mark-1')], 'was flushed'],
  ['is flushed to another file', [write('mark-1'), flush().replace('-wal', ''), answer('mark-1')], 'flushed'],
  [
    'could not be flushed',
    [write('mark-1'), flush().replace('= 0', '= -1 EIO (I/O error)'), answer('mark-1')],
    'flushed',
  ],
  [
    'is still being flushed',
    [write('mark-1'), '8 fdatasync(22</tmp/store.sqlite-wal> <unfinished ...>', answer('mark-1')],
    'was flushed',
  ],
  [
    'is written while a flush is under way',
    [
      '8 fdatasync(22</tmp/store.sqlite-wal> <unfinished ...>',
      write('mark-1'),
      '8 <... fdatasync resumed>) = 0',
      answer('mark-1'),
    ],
    'was flushed',
  ],
])('the proof of flushes finds an answer whose commit %s', async (_how, lines, message) => {
  await expect(read(...lines)).rejects.toThrow(message);
});

it('the proof of flushes accepts an answer that is sent after the end of a flush', async () => {
  const lines = [
    write('mark-1'),
    '8 fdatasync(22</tmp/store.sqlite-wal> <unfinished ...>',
    '8 <... fdatasync resumed>) = 0',
  ];
  await expect(read(...lines, answer('mark-1'))).resolves.toMatchObject({ answers: 1 });
});
