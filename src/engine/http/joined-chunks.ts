import { Readable } from 'node:stream';

/** The bytes of a joined chunk. */
const BLOCK = 16_384;

/**
 * The same bytes in chunks that are not small. For each chunk of a body with `Transfer-Encoding: chunked`, Node makes a
 * Buffer. A Buffer of one byte takes some hundred bytes of memory, so a body of small chunks could take hundreds of
 * times its size until it is complete.
 */
export function joinedChunks(source: Readable): Readable {
  const joined = new Readable({ read: () => {} });
  // The reader may have left already, because the body is too large. An error without a listener would end the process.
  joined.on('error', () => {});
  let block = Buffer.allocUnsafe(BLOCK);
  let used = 0;
  const flush = (): void => {
    if (used > 0) joined.push(block.subarray(0, used));
    block = Buffer.allocUnsafe(BLOCK);
    used = 0;
  };
  source.on('data', (chunk: Buffer) => {
    if (used + chunk.length > BLOCK) flush();
    if (chunk.length > BLOCK) joined.push(chunk);
    else used += chunk.copy(block, used);
  });
  source.on('end', () => {
    flush();
    joined.push(null);
  });
  source.on('error', (error) => joined.destroy(error));
  return joined;
}
