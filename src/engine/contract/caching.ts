import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../../generated/contract.js';
import { CONTRACT_DIGEST, type Operation } from '../../generated/operations.js';
import { heldTag } from './entity-tag.js';
import { httpDate, readHttpDate } from './http-date.js';

/** What decides between answers at one address. */
export const VARY = 'Accept, Accept-Encoding';
/** The same of what a credential decided: one cache may serve several callers. */
export const PRIVATE_VARY = `${VARY}, Authorization, X-API-Key`;

/** Sets what caches may do with an answer to a read (RFC 9111). */
export type Caching = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * What a credential decided is not for shared caches, whatever header it came in (RFC 9111, section 3.5, knows one
 * only). What anybody may see is, but has to be asked about each time, by shared caches from time to time.
 *
 * @param sharedSeconds for how long shared caches need not ask
 */
export function cachingOf(row: Operation, sharedSeconds: number): Caching {
  // Beside must-revalidate some caches never get to s-maxage, which says the same of them once it is over.
  const shared = `public, max-age=0, ${sharedSeconds > 0 ? `s-maxage=${sharedSeconds}` : 'must-revalidate'}`;
  return ({ principal }, reply) => {
    const isPublic = row.security.length === 0 && principal.kind === 'anonymous';
    reply.header('cache-control', isPublic ? shared : 'private, no-cache');
    reply.header('vary', isPublic ? VARY : PRIVATE_VARY);
  };
}

/** For what is no read, for secrets, and for what is another one at any moment. */
export const notStored: Caching = (_request, reply) => {
  reply.header('cache-control', 'no-store');
};

interface Row {
  readonly id: number;
  readonly version: number;
}

/**
 * The strong entity tag of a page: of what rows it has in which versions, as one statement read them, and of the
 * total. It is right for any filter and any caller, and costs those who write nothing. See ADR 21. A slice adds
 * where its neighbours begin (`more`).
 */
export function pageTags(apiVersion: string): (page: Page<object>, format?: string, more?: string) => string {
  // Pages that are shared between requests are frozen, and belong to one total.
  const tags = new WeakMap<readonly object[], string>();
  const opaque = ({ items, total }: Page<object>, more = ''): string => {
    const known = tags.get(items);
    if (known !== undefined) return known;
    let text = `${total}${more}`;
    for (const { id, version } of items as readonly Row[]) text += ` ${id}.${version}`;
    const tag = `p${hash('sha1', text, 'base64url')}-${apiVersion}-${CONTRACT_DIGEST}`;
    if (Object.isFrozen(items)) tags.set(items, tag);
    return tag;
  };
  return (page, format, more) => {
    const tag = opaque(page, more);
    return format === undefined ? `"${tag}"` : `"${tag}-${format}"`;
  };
}

/**
 * The tag of the copy that the client holds, if that is good (RFC 9110, section 13.2.2): by its tags, and only without
 * any by its date.
 *
 * @param updatedAt absent where nobody knows when it changed
 */
export function matchingTag({ headers }: FastifyRequest, tag: string, updatedAt?: Date): string | null {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return heldTag(tags, tag, headers['accept-encoding']);
  if (since === undefined || updatedAt === undefined) return null;
  const at = readHttpDate(since);
  return at !== null && endOfSecond(updatedAt) <= at ? tag : null;
}

/** Dates that will not be another one any more. */
const settled = new WeakMap<Date, string>();

/**
 * A date of HTTP has no milliseconds, so that a second in which a row changed is told from the one after only when it
 * is over: until then the date is too early to be taken for a validator, later it is the end of the second. Whoever
 * sends it back with `If-Unmodified-Since` has read no less than the row is.
 */
export function lastModified(updatedAt: Date): string {
  const known = settled.get(updatedAt);
  if (known !== undefined) return known;
  const end = endOfSecond(updatedAt);
  if (end >= Date.now()) return httpDate(updatedAt.getTime());
  const text = httpDate(end);
  settled.set(updatedAt, text);
  return text;
}

function endOfSecond(moment: Date): number {
  return Math.ceil(moment.getTime() / 1000) * 1000;
}

/**
 * Fastify serialises what it is given; here there is nothing. HEAD wants a text.
 *
 * @param headers of the format: whoever holds the copy puts those of this answer in the place of those that it has
 */
export function notModified(
  request: FastifyRequest,
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

// RFC 9110, section 8.6: no Content-Length with 304, unless it is that of the full answer.
const nothing = (): string => null as unknown as string;
const empty = (): string => '';
