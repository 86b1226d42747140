import { bytesOf, textOf, type Head } from './file-head.js';
import { JsonRows } from './json-rows.js';

/**
 * The size of a part. If the file is a list in JSON, it is the number of UTF-16 code units of the rows. Otherwise it is
 * the number of bytes of the file. In the body of a request, each byte or code unit becomes at most six bytes. So a
 * part is always smaller than the largest body.
 */
const PART_SIZE = 160_000;

export interface Part {
  readonly number: number;
  readonly text: string;
  readonly isLast: boolean;
  /** The share of the file that is in this part and in earlier parts. */
  readonly share: number;
}

/** The parts of a file, one after another. The same file always gives the same parts. @throws Unreadable */
export function partsOf(file: File, head: Head): AsyncGenerator<Part> {
  return head.jsonBegin === null ? slices(file) : rows(file, head.jsonBegin);
}

async function* slices(file: File): AsyncGenerator<Part> {
  for (let number = 1; ; number += 1) {
    const at = (number - 1) * PART_SIZE;
    // A character that begins in a part belongs to this part as a whole. It has at most three bytes after the end of
    // the part.
    const bytes = await bytesOf(file, at, at + PART_SIZE + 3);
    const start = number === 1 ? 0 : laterBytes(bytes, 0);
    const end = Math.min(PART_SIZE, bytes.length);
    const later = laterBytes(bytes, end);
    const isLast = at + end + later >= file.size;
    const text = textOf(bytes.subarray(start, end + later));
    yield { number, text, isLast, share: Math.min((at + end) / file.size, 1) };
    if (isLast) return;
  }
}

/** The number of bytes at this place that belong to a character that begins before this place. */
function laterBytes(bytes: Uint8Array, at: number): number {
  let count = 0;
  while (count < 3 && ((bytes[at + count] ?? 0) & 0xc0) === 0x80) count += 1;
  return count;
}

async function* rows(file: File, begin: number): AsyncGenerator<Part> {
  const list = new JsonRows(begin);
  let waiting = '';
  let number = 1;
  const take = (length: number, isLast: boolean, share: number): Part => {
    // A pair of surrogates is not divided.
    const isPair = length < waiting.length && (waiting.charCodeAt(length - 1) & 0xfc00) === 0xd800;
    const text = waiting.slice(0, isPair ? length - 1 : length);
    waiting = waiting.slice(text.length);
    const part = { number, text, isLast, share };
    number += 1;
    return part;
  };
  for await (const { text, share } of slices(file)) {
    waiting += list.add(text);
    while (waiting.length > PART_SIZE) yield take(PART_SIZE, false, share);
  }
  list.end();
  yield take(waiting.length, true, 1);
}
