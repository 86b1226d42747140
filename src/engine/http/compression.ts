import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { CODINGS, codingsIn, type Coding } from '../contract/codings.js';
import { NotAcceptable } from '../errors/errors.js';
import type { Step } from './steps.js';
import type { AnyRequest } from '../contract/any-request.js';

// At these levels of the three codings, compressing an answer takes about as much time as making it.
const BR = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
const ZSTD = { [constants.ZSTD_c_compressionLevel]: 3 };
const GZIP = { level: 6 };

const COMPRESS: Readonly<Record<Coding, (text: string | Buffer) => Promise<Buffer>>> = {
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: { ...BR, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    }),
  zstd: (text) => promisify(zstdCompress)(text, { params: ZSTD }),
  gzip: (text) => promisify(gzip)(text, GZIP),
};
/** For streams. */
const COMPRESSING: Readonly<Record<Coding, () => Transform>> = {
  br: () => createBrotliCompress({ params: BR }),
  zstd: () => createZstdCompress({ params: ZSTD }),
  gzip: () => createGzip(GZIP),
};
/** Shorter texts would hardly become smaller. They are compressed only for a client that refuses `identity`. */
const FROM_BYTES = 1024;
const MOST_KEPT = 128;
const LONGEST_KEPT = 32_768;

/** The compressed forms of texts that were sent lately. Repeated requests get the same text. */
const kept: Readonly<Record<Coding, Map<string, Promise<Buffer>>>> = {
  br: new Map(),
  zstd: new Map(),
  gzip: new Map(),
};

/** Refuses a client that accepts neither `identity` nor any of the codings. */
export const requireCoding: Step = ({ headers }) => {
  const { best, identity } = codingsIn(headers['accept-encoding']);
  if (best === null && !identity) {
    throw new NotAcceptable(CODINGS.map((name) => `Content-Encoding: ${name}`));
  }
};

/**
 * Compresses an answer for a client that accepts a coding. An answer with `no-store` is not compressed, because it may
 * hold secrets, and the length of the compressed bytes would reveal them (BREACH).
 */
export function compress(
  { headers }: AnyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void | Promise<Buffer> {
  const header = headers['accept-encoding'];
  if (header === undefined) return done(null, payload);
  if (payload instanceof Readable) return done(null, streamed(payload, codingsIn(header).best, reply));
  // An export may fail after `Content-Encoding` was set, but before its first byte is sent. The client then gets a
  // problem instead. The problem is not compressed.
  if (reply.statusCode >= 500) reply.removeHeader('content-encoding');
  if (!isText(payload) || payload.length === 0) return done(null, payload);
  const { best, identity } = codingsIn(header);
  if (best === null || (identity && payload.length < FROM_BYTES) || isSecret(reply))
    return done(null, payload);
  return inCoding(payload, best, reply);
}

async function inCoding(text: string | Buffer, coding: Coding, reply: FastifyReply): Promise<Buffer> {
  const bytes = await compressed(text, coding);
  reply.header('content-encoding', coding);
  reply.removeHeader('content-length');
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string') reply.header('etag', `${tag.slice(0, -1)}.${coding}"`);
  return bytes;
}

/**
 * Compresses an export of any length. If reading the rows fails, the stream stops before its end, and the connection is
 * cut. So the client notices that the export is not complete.
 */
function streamed(text: Readable, coding: Coding | null, reply: FastifyReply): Readable {
  if (coding === null) return text;
  reply.header('content-encoding', coding);
  return pipeline(text, COMPRESSING[coding](), () => {
    // The reader of the output gets the error.
  });
}

/** Also true for an answer that already has a coding, because it is not compressed again. */
function isSecret(reply: FastifyReply): boolean {
  return reply.hasHeader('content-encoding') || reply.getHeader('cache-control') === 'no-store';
}

/** A text may be a string or its bytes. */
function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

function compressed(text: string | Buffer, coding: Coding): Promise<Buffer> {
  if (typeof text !== 'string' || text.length > LONGEST_KEPT) return COMPRESS[coding](text);
  const texts = kept[coding];
  const known = texts.get(text);
  if (known !== undefined) return known;
  const bytes = COMPRESS[coding](text);
  if (texts.size >= MOST_KEPT) texts.delete(texts.keys().next().value as string);
  texts.set(text, bytes);
  bytes.catch(() => texts.delete(text));
  return bytes;
}
