import type { IncomingHttpHeaders } from 'node:http';
import { CONTRACT_DIGEST } from '../../generated/operations.js';
import { codingsIn } from './codings.js';
import { Precondition } from './context.js';
import { readHttpDate } from './http-date.js';

/** The members of a row that its tag contains. A stock is identified by its product. */
export interface Tagged {
  readonly id?: number;
  readonly productId?: number;
  readonly version: number;
}

/**
 * The strong entity tag (RFC 9110, section 8.8.3) of a row in one representation:
 * `"<version of the row>-<version of the interface>-<id>-<digest>"`, and the format if it is not JSON. The tag contains
 * the id because the credential selects the row at `/users/me`, and one cache may keep the copies of all users. It
 * contains the digest of the contracts so that old copies become invalid when a release changes a representation.
 */
export function entityTag(row: Tagged, apiVersion: string, format?: string): string {
  const tag = `${row.version}-${apiVersion}-${row.id ?? row.productId ?? ''}-${CONTRACT_DIGEST}`;
  return format === undefined ? `"${tag}"` : `"${tag}-${format}"`;
}

const CODED = /\.(?:br|zstd|gzip)"$/;

/**
 * Returns the tag in `If-None-Match` that matches `tag`, by weak comparison (RFC 9110, section 13.1.2); null if no tag
 * matches. The tag of a compressed answer has a suffix, such as `.br`. Such a tag matches if the client still accepts
 * this compression.
 */
export function heldTag(header: string, tag: string, codings: string | undefined): string | null {
  if (header === tag || header.trim() === '*') return tag;
  const held = tagsIn(header).map((candidate) => candidate.replace(/^W\//, ''));
  if (held.includes(tag)) return tag;
  const isTaken = (candidate: string): boolean =>
    candidate.replace(CODED, '"') === tag && codingsIn(codings).taken.has(candidate.slice(tag.length, -1));
  return held.find(isTaken) ?? null;
}

/**
 * The precondition of a change. Only the version of the row in a tag is compared, because the change is the same for
 * any representation that the client read. `If-Match` compares strongly (RFC 9110, section 13.1.1), so a weak tag never
 * matches. `If-Match: *` only requires that the row exists, which every change requires anyway. If the request has
 * `If-Match`, its `If-Unmodified-Since` is ignored. The headers must have been validated.
 *
 * @param isRequired whether the service requires `If-Match` or `If-Unmodified-Since`
 */
export function preconditionOf(headers: IncomingHttpHeaders, isRequired: boolean): Precondition {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  const unmodifiedSince = readHttpDate(headers['if-unmodified-since'] ?? '');
  if (match === undefined && noneMatch === undefined && unmodifiedSince === null && !isRequired) {
    return Precondition.NONE;
  }
  return new Precondition({
    ...(match !== undefined && match !== '*' && { match: versionsIn(match) }),
    ...(noneMatch !== undefined && { isBarred: barredBy(noneMatch) }),
    ...(match === undefined && unmodifiedSince !== null && { unmodifiedSince }),
    isRequired: isRequired && match === undefined && unmodifiedSince === null,
  });
}

/** Compares weakly (RFC 9110, section 13.1.2). */
function barredBy(header: string): (version: number) => boolean {
  if (header === '*') return () => true;
  const versions = versionsIn(header.replaceAll('W/', ''));
  return (version) => versions.has(version);
}

function versionsIn(header: string): ReadonlySet<number> {
  const versions = tagsIn(header)
    .map((tag) => /^"(\d{1,15})-/.exec(tag)?.[1])
    .filter((version) => version !== undefined);
  return new Set(versions.map(Number));
}

function tagsIn(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
