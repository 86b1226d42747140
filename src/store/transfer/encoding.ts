import { isUtf8 } from 'node:buffer';
import { WrongUsage } from './failure.js';

const LINE_FEED = 0x0a;

/**
 * @param chunk a part of the file that is not valid UTF-8
 * @param line the line of the file in which the chunk begins
 */
export function notUtf8(name: string, chunk: Buffer, line: number): WrongUsage {
  const isWide = line === 1 && /^(?:fffe|feff)/.test(chunk.toString('hex', 0, 2));
  const encoding = isWide ? 'utf-16' : 'windows-1252';
  const wrong = line + linesBefore(chunk);
  const what = isWide ? 'is UTF-16' : `is not UTF-8 text: see line ${wrong}`;
  const detail = `${name} ${what}. Convert it, for example by iconv -f ${encoding} -t utf-8.`;
  return new WrongUsage(detail, '', wrong);
}

/** The number of valid lines of the chunk before the first invalid one. */
function linesBefore(chunk: Buffer): number {
  let lines = 0;
  // The first character may begin in the previous chunk.
  let start = chunk.subarray(0, 3).findIndex((byte) => byte < 0x80 || byte > 0xbf);
  for (start = Math.max(start, 0); ; lines += 1) {
    const end = chunk.indexOf(LINE_FEED, start);
    if (end === -1 || !isUtf8(chunk.subarray(start, end))) return lines;
    start = end + 1;
  }
}
