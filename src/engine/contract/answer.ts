import type { FastifyReply } from 'fastify';
import { OPERATIONS, type Operation } from '../../generated/operations.js';
import type { Answer, AnswerPlan } from './answer-plan.js';
import { cachingOf, matchingTag, lastModified, notModified, notStored } from './caching.js';
import { asItIs, codecsOf, formatTag, write } from './codec.js';
import { pageAnswer, sliceAnswer } from './list-answers.js';
import { encodeOnce } from './encode-once.js';
import { entityTag, type Tagged } from './entity-tag.js';
import { exportAnswer } from './export-answer.js';
import { applyPreference } from './preference.js';
import type { Representations } from './representation.js';

/**
 * Makes the function that answers the requests for an operation at one of its addresses.
 *
 * @param address in the router's syntax, such as `/api/v1/products/:id`
 */
export function answerOf(
  row: Operation,
  address: string,
  representations: Representations,
  publicUrl: string | null,
  sharedSeconds: number,
): Answer {
  const { shape, entity } = row.answer;
  const codecOf = codecsOf(row);
  // For `sharedSeconds` seconds, shared caches may reuse resources of the store without asking the service. They must
  // always ask before they reuse any other answer, such as a contract or the public keys for tokens.
  const setCaching = row.method === 'GET' ? cachingOf(row, shape === 'plain' ? 0 : sharedSeconds) : notStored;
  if (shape === 'none' || shape === 'plain') {
    const isStored = row.tag !== 'health' && row.method === 'GET';
    // The text is a Buffer, so that the service holds the bytes only once, even if a client sends many requests without
    // reading the answers.
    const encode = encodeOnce((value: object) => Buffer.from(JSON.stringify(value)));
    return (request, reply, result) => {
      if (isStored) setCaching(request, reply);
      else notStored(request, reply);
      if (request.idempotencyKey?.isReplayed) reply.header('idempotent-replayed', 'true');
      const codec = codecOf(request);
      if (codec) return write(codec, result, request, reply);
      if (typeof result !== 'object' || !Object.isFrozen(result)) return result;
      reply.serializer(asItIs);
      return encode(result as object);
    };
  }
  if (!entity || !row.version) throw new Error(`${row.id} answers with an entity outside of a version.`);
  const plan: AnswerPlan = {
    row,
    version: row.version,
    address,
    origin: publicUrl ?? '',
    present: representations.of(row.version, entity),
    setCaching,
  };
  if (shape === 'slice') return sliceAnswer(plan);
  if (shape === 'export') return exportAnswer(plan);
  return shape === 'page' ? pageAnswer(plan) : entityAnswer(plan);
}

function entityAnswer({ row, version, address, origin, present, setCaching }: AnswerPlan): Answer {
  const { key } = row.answer;
  const path = locationAt(row, address);
  const location = path === null ? null : origin + path;
  const isRead = row.method === 'GET';
  const isDated = row.answer.headers.includes('Last-Modified');
  // At an address like `/users/me`, the credential selects the row. The date of the client may then belong to another
  // row, so only the tag decides.
  const isToldByDate = isDated && row.path !== null;
  const takesPreference = row.headers !== null && 'Prefer' in row.headers.kinds;
  const codecOf = codecsOf(row);
  const encode = encodeOnce((entity: object) => JSON.stringify(present(entity)));
  return (request, reply, result) => {
    const entity = result as Tagged & { readonly updatedAt?: Date };
    const { updatedAt } = entity;
    const codec = codecOf(request);
    const tag = entityTag(entity, version, formatTag(codec, request));
    setCaching(request, reply);
    if (isDated && updatedAt) reply.header('last-modified', lastModified(updatedAt));
    const held = isRead ? matchingTag(request, tag, isToldByDate ? updatedAt : undefined) : null;
    if (held !== null) {
      notModified(request, reply, held, codec?.format.headers);
      return result;
    }
    reply.header('etag', tag);
    if (request.idempotencyKey?.isReplayed) reply.header('idempotent-replayed', 'true');
    if (location) reply.header('location', filled(location, present(entity)));
    if (takesPreference && applyPreference(request, reply)) return withoutBody(reply);
    if (codec)
      return write(codec, key === null ? present(entity) : { [key]: present(entity) }, request, reply);
    reply.serializer(asItIs);
    const body = encode(entity);
    return key === null ? body : `{${JSON.stringify(key)}:${body}}`;
  };
}

/**
 * Makes an answer without a body. The status 201 is kept, because it says that a resource was created. `Location` says
 * where the resource is.
 */
function withoutBody(reply: FastifyReply): undefined {
  if (reply.statusCode !== 201) reply.code(204);
  reply.removeHeader('content-type');
}

/**
 * The address at which the created resource is shown, in the router's syntax. If the operation was called at its short
 * address (such as `/api/users`), this address is short too.
 */
function locationAt(row: Operation, address: string): string | null {
  if (row.answer.locationOf === null) return null;
  const { paths } = OPERATIONS[row.answer.locationOf];
  return paths[row.paths.indexOf(address)] ?? (paths[0] as string);
}

function filled(pattern: string, members: Readonly<Record<string, unknown>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_match, name: string) => String(members[name]));
}
