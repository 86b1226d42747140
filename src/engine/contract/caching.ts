import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../../generated/contract.js';
import { CONTRACT_DIGEST, type Operation } from '../../generated/operations.js';
import { heldTag } from './entity-tag.js';
import { httpDate, readHttpDate } from './http-date.js';

/** The headers that select between answers at one address. */
export const VARY = 'Accept, Accept-Encoding';
/** The same for answers that depend on a credential, because one cache may serve several callers. */
export const PRIVATE_VARY = `${VARY}, Authorization, X-API-Key`;

/** Sets what caches may do with an answer to a read (RFC 9111). */
export type Caching = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * An answer that depends on a credential is private. The header in which the credential came does not matter. (RFC
 * 9111, section 3.5, covers `Authorization` only.) A public answer may be stored, but must be revalidated: by private
 * caches each time, by shared caches after `s-maxage`.
 *
 * @param sharedSeconds for how long shared caches need not revalidate
 */
export function cachingOf(row: Operation, sharedSeconds: number): Caching {
  // Some caches ignore s-maxage beside must-revalidate. After its time, s-maxage requires revalidation by itself.
  const shared = `public, max-age=0, ${sharedSeconds > 0 ? `s-maxage=${sharedSeconds}` : 'must-revalidate'}`;
  return ({ principal }, reply) => {
    const isPublic = row.security.length === 0 && principal.kind === 'anonymous';
    reply.header('cache-control', isPublic ? shared : 'private, no-cache');
    reply.header('vary', isPublic ? VARY : PRIVATE_VARY);
  };
}

/** For answers to changes, for secrets, and for answers that differ each time. */
export const notStored: Caching = (_request, reply) => {
  reply.header('cache-control', 'no-store');
};

interface Row {
  readonly id: number;
  readonly version: number;
}

/**
 * The strong entity tag of a page. It is made of the ids and versions of the rows, as one statement read them, and of
 * the total. It is correct for any filter and any caller, and writers pay nothing for it. See ADR 21. The tag of a
 * slice also contains the cursors of its neighbours (`more`).
 */
export function pageTags(apiVersion: string): (page: Page<object>, format?: string, more?: string) => string {
  // Pages that are shared between requests are frozen, and each belongs to one total.
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
 * Returns the tag of the client's copy if the copy is current (RFC 9110, section 13.2.2). The tags of the request
 * decide; its date decides only if there are no tags.
 *
 * @param updatedAt undefined if the date of the last change is not known
 */
export function matchingTag({ headers }: FastifyRequest, tag: string, updatedAt?: Date): string | null {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return heldTag(tags, tag, headers['accept-encoding']);
  if (since === undefined || updatedAt === undefined) return null;
  const at = readHttpDate(since);
  return at !== null && endOfSecond(updatedAt) <= at ? tag : null;
}

/** Dates whose text is final. */
const settled = new WeakMap<Date, string>();

/**
 * `Last-Modified`. An HTTP date has no milliseconds, so changes within one second cannot be told apart. While that
 * second lasts, the date is its beginning, which is too early to be used as a validator. Afterwards the date is the end
 * of the second. A client that sends it back in `If-Unmodified-Since` has then read the present state of the row.
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
 * Answers 304. Fastify serialises any payload, but this answer has none. HEAD needs a string.
 *
 * @param headers the headers of the format, because a cache replaces its stored headers by those of this answer
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

// A 304 has no Content-Length, unless it is that of the full answer (RFC 9110, section 8.6).
const nothing = (): string => null as unknown as string;
const empty = (): string => '';
