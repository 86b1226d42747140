import { Readable } from 'node:stream';
import { MalformedRequest } from '../errors/errors.js';

/** The largest size of a joined chunk, in bytes. */
const BLOCK = 16_384;
/** A body may have this number of chunks, and one more for each `BYTES_OF_A_CHUNK` bytes. */
const MOST_CHUNKS = 5_000;
const BYTES_OF_A_CHUNK = 16;

/**
 * Returns the same bytes in chunks that are not small. For each chunk of a body with `Transfer-Encoding: chunked`, Node
 * makes a Buffer. A Buffer of one byte takes some hundred bytes of memory, so a body of small chunks could take
 * hundreds of times its size until it is complete. Each chunk also takes some microseconds, whatever its size. So a
 * body with too many small chunks ends with a `MalformedRequest`, and the rest of it is not read.
 *
 * @param onRefused is called before the error, so that the connection can be closed after the answer
 */
export function joinedChunks(source: Readable, onRefused: () => void): Readable {
  const joined = new Readable({ read: () => {} });
  // The reader may have left already, because the body is too large. An error without a listener would end the process.
  joined.on('error', () => {});
  let block = Buffer.allocUnsafe(BLOCK);
  let used = 0;
  let chunks = 0;
  let bytes = 0;
  const flush = (): void => {
    if (used > 0) joined.push(block.subarray(0, used));
    block = Buffer.allocUnsafe(BLOCK);
    used = 0;
  };
  const take = (chunk: Buffer): void => {
    chunks += 1;
    bytes += chunk.length;
    if (chunks > MOST_CHUNKS + bytes / BYTES_OF_A_CHUNK) {
      source.off('data', take).pause();
      onRefused();
      joined.destroy(tooManyChunks(chunks, bytes));
      return;
    }
    if (used + chunk.length > BLOCK) flush();
    if (chunk.length > BLOCK) joined.push(chunk);
    else used += chunk.copy(block, used);
  };
  source.on('data', take);
  source.on('end', () => {
    flush();
    joined.push(null);
  });
  source.on('error', (error) => joined.destroy(error));
  return joined;
}

function tooManyChunks(chunks: number, bytes: number): MalformedRequest {
  return new MalformedRequest(
    `The first ${bytes} bytes of the body came in ${chunks} chunks. It may have at most ${MOST_CHUNKS} chunks, and one more for each ${BYTES_OF_A_CHUNK} bytes. Send larger chunks, or a Content-Length.`,
  );
}
