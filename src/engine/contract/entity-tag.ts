import type { IncomingHttpHeaders } from 'node:http';
import { CONTRACT_DIGEST } from '../../generated/operations.js';
import { codingsIn } from './codings.js';
import { Precondition } from './context.js';
import { readHttpDate } from './http-date.js';

/** What a tag names of a row; of a stock the product is its id. */
export interface Tagged {
  readonly id?: number;
  readonly productId?: number;
  readonly version: number;
}

/**
 * The strong entity tag (RFC 9110, section 8.8.3) of a row in one representation:
 * `"<version of the row>-<version of the interface>-<id>-<digest>"`, and the format where it is not JSON. The id is in it,
 * because at `/users/me` the credential decides which row it is, and a cache keeps the copies of all of them. The digest of the contracts is in it, so that a new release which shows a row otherwise
 * does not revive old copies.
 */
export function entityTag(row: Tagged, apiVersion: string, format?: string): string {
  const tag = `${row.version}-${apiVersion}-${row.id ?? row.productId ?? ''}-${CONTRACT_DIGEST}`;
  return format === undefined ? `"${tag}"` : `"${tag}-${format}"`;
}

const CODED = /\.(?:br|zstd|gzip)"$/;

/**
 * The tag among those that the client holds that is this one, as `If-None-Match` compares, weakly (RFC 9110, section
 * 13.1.2); null: none. A copy in a content coding has a suffix, and is as good as long as the client takes the coding.
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
 * What a change says of the row. Tags are compared by the version of the row alone: which representation of it the
 * client read makes no difference to what it changes. `If-Match` compares strongly (RFC 9110, section 13.1.1), so that a
 * weak tag never matches; its `*` asks only that the row exists, which every change does by itself. Beside `If-Match` a
 * date says nothing. The headers have been validated.
 *
 * @param isRequired whether the service is set to refuse changes without a condition
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

/** Compared weakly (RFC 9110, section 13.1.2). */
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
