import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Page } from '../../generated/contract.js';
import { CONTRACT_DIGEST, type Operation } from '../../generated/operations.js';
import { heldTag } from './entity-tag.js';
import { httpDate, readHttpDate } from './http-date.js';
import type { AnyRequest } from './any-request.js';

/** The request headers that select one of several answers at the same address. */
export const VARY = 'Accept, Accept-Encoding';
/**
 * Like `VARY`, for answers that depend on a credential. This list also has the headers with credentials, because one
 * cache may serve several callers.
 */
export const PRIVATE_VARY = `${VARY}, Authorization, X-API-Key`;

/** Sets what caches may do with an answer to a read (RFC 9111). */
export type Caching = (request: AnyRequest, reply: FastifyReply) => void;

/**
 * An answer that depends on a credential is private, whether the credential is in `Authorization` or in `X-API-Key`.
 * (RFC 9111, section 3.5, is only about `Authorization`.) Every cache may store a public answer. A private cache has to
 * ask the service each time before it uses the answer again. A shared cache has to ask after `sharedSeconds`.
 *
 * @param sharedSeconds the number of seconds for which a shared cache may use an answer without asking the service
 */
export function cachingOf(row: Operation, sharedSeconds: number): Caching {
  // s-maxage and must-revalidate are not combined, because some caches then ignore s-maxage. After the time of
  // s-maxage, a shared cache has to ask the service even without must-revalidate.
  const shared = `public, max-age=0, ${sharedSeconds > 0 ? `s-maxage=${sharedSeconds}` : 'must-revalidate'}`;
  return ({ principal }, reply) => {
    const isPublic = row.security.length === 0 && principal.kind === 'anonymous';
    reply.header('cache-control', isPublic ? shared : 'private, no-cache');
    reply.header('vary', isPublic ? VARY : PRIVATE_VARY);
  };
}

/** The rule for answers to changes, for secrets, and for answers that differ each time. */
export const notStored: Caching = (_request, reply) => {
  reply.header('cache-control', 'no-store');
};

interface Row {
  readonly id: number;
  readonly version: number;
}

/**
 * Returns a function that makes the strong entity tag of a page. The tag is a hash of the total, and of the ids and
 * versions of the rows as one statement read them. So the tag is correct for any filter and any caller, and a change of
 * a row costs nothing extra. See ADR 21. The tag of a slice also depends on the cursors of the slices before and after
 * it (`more`).
 */
export function pageTags(apiVersion: string): (page: Page<object>, format?: string, more?: string) => string {
  // The items of a page that several requests share are frozen. They always belong to the same total, so their tag can
  // be kept.
  const tags = new WeakMap<readonly object[], string>();
  const opaque = ({ items, total }: Page<object>, more = ''): string => {
    const known = tags.get(items);
    if (known !== undefined) return known;
    const numbers = [total];
    for (const { id, version } of items as readonly Row[]) numbers.push(id, version);
    // JSON.stringify() writes numbers without the cache of V8 for the texts of numbers. This cache would keep the text
    // of each id until another id takes its place.
    const tag = `p${hash('sha1', JSON.stringify(numbers) + more, 'base64url')}-${apiVersion}-${CONTRACT_DIGEST}`;
    if (Object.isFrozen(items)) tags.set(items, tag);
    return tag;
  };
  return (page, format, more) => {
    const tag = opaque(page, more);
    return format === undefined ? `"${tag}"` : `"${tag}-${format}"`;
  };
}

/**
 * Returns the entity tag of the client's copy if the copy is current, otherwise null (RFC 9110, section 13.2.2).
 * `If-None-Match` decides. `If-Modified-Since` decides only if the request has no `If-None-Match`.
 *
 * @param updatedAt undefined if the date of the last change is not known
 */
export function matchingTag({ headers }: AnyRequest, tag: string, updatedAt?: Date): string | null {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return heldTag(tags, tag, headers['accept-encoding']);
  if (since === undefined || updatedAt === undefined) return null;
  const at = readHttpDate(since);
  return at !== null && endOfSecond(updatedAt) <= at ? tag : null;
}

/**
 * The value of `Last-Modified` for a row. An HTTP date has no milliseconds, so it cannot tell apart several changes
 * within one second. While the second of the last change lasts, the value is the beginning of this second. A client
 * that sends this value back is treated like a client with an old copy. After the second, the value is the end of the
 * second. A client that sends this value in `If-Unmodified-Since` has read the present state of the row.
 */
export function lastModified(updatedAt: Date): string {
  const end = endOfSecond(updatedAt);
  return httpDate(end >= Date.now() ? updatedAt.getTime() : end);
}

function endOfSecond(moment: Date): number {
  return Math.ceil(moment.getTime() / 1000) * 1000;
}

/**
 * Answers 304. Fastify serialises every payload, but an answer with 304 has no body. So this function sets a serialiser
 * that returns null. For HEAD, the serialiser returns an empty string, because Fastify then needs a string.
 *
 * @param headers the headers that every answer in this format has. An answer with 304 has them too, because a cache
 *   replaces its stored headers by those of this answer.
 */
export function notModified(
  request: AnyRequest,
  reply: FastifyReply,
  tag: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  reply
    .code(304)
    .headers(headers)
    .header('etag', tag)
    .serializer(request.method === 'HEAD' ? empty : nothing);
}

// An answer with 304 must not have a Content-Length, except the Content-Length of the full answer (RFC 9110, section
// 8.6).
const nothing = (): string => null as unknown as string;
const empty = (): string => '';
