import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatOf } from '../formats/formats.js';
import type { Encode, Format } from '../formats/format.js';
import { json } from '../formats/json.js';
import { viewOf } from '../formats/site.js';
import { BODIES } from '../../generated/bodies.js';
import type { Operation } from '../../generated/operations.js';
import type { AnyRequest } from './any-request.js';

/** Writes the answers of one operation in one format. */
export interface Codec {
  readonly format: Format;
  readonly encode: Encode;
}

/**
 * Compiles the formats that an operation offers besides JSON.
 *
 * @returns a function that finds the codec for a request. This function returns null for JSON, and for an unknown
 *   format.
 */
export function codecsOf(row: Operation): (request: AnyRequest) => Codec | null {
  const codecs = new Map<string, Codec>();
  const body = BODIES[row.id];
  for (const mediaType of row.answer.mediaTypes) {
    const format = formatOf(mediaType);
    if (format && format !== json && body) codecs.set(mediaType, { format, encode: format.compile(body) });
  }
  return ({ answerType }) => (answerType === null ? null : (codecs.get(answerType) ?? null));
}

/** The suffix that distinguishes the entity tags of a format from the entity tags of JSON. */
export function formatTag(codec: Codec | null, { server }: AnyRequest): string | undefined {
  return codec === null
    ? undefined
    : (codec.format.tag?.(server.site, server.pageMaker) ?? codec.format.name);
}

/**
 * Writes an answer in a format, and sets the headers of this format. The request is always a request of Fastify,
 * because JSON is the only format in front of Fastify.
 */
export function write(
  { format, encode }: Codec,
  value: unknown,
  request: AnyRequest,
  reply: FastifyReply,
): string {
  reply.headers(format.headers).type(`${format.mediaType}; charset=utf-8`).serializer(asItIs);
  return encode(value, viewOf(request as FastifyRequest, reply));
}

// A serialiser for Fastify. It changes nothing, because these bodies are already serialised.
export const asItIs = (text: unknown): string => text as string;
