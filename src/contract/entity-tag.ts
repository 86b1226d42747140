import { CONTRACT_DIGEST } from '../generated/operations.js';
import { Precondition } from './context.js';

/**
 * The strong entity tag (RFC 9110, section 8.8.3) of a row in one representation: `"<row>-<version>-<digest>"`, and the
 * format where it is not JSON. The digest of the contracts is in it, so that a new release which shows a row otherwise
 * does not revive old copies.
 */
export function entityTag(rowVersion: number, apiVersion: string, format?: string): string {
  const tag = `${rowVersion}-${apiVersion}-${CONTRACT_DIGEST}`;
  return format === undefined ? `"${tag}"` : `"${tag}-${format}"`;
}

/** `If-None-Match` compares weakly (RFC 9110, section 13.1.2). */
export function matchesNone(header: string, tag: string): boolean {
  return header.trim() === '*' || tagsIn(header).some((candidate) => candidate.replace(/^W\//, '') === tag);
}

/**
 * `If-Match` compares strongly (RFC 9110, section 13.1.1), by the version of the row alone: which representation of
 * it the client read makes no difference to what it changes. A weak tag never matches. `*` asks only that the row
 * exists, which every change does by itself. The header has been validated.
 */
export function preconditionOf(header: string | undefined): Precondition {
  if (header === undefined || header === '*') return Precondition.NONE;
  const versions = tagsIn(header)
    .map((tag) => /^"(\d{1,15})-/.exec(tag)?.[1])
    .filter((version) => version !== undefined);
  return new Precondition(new Set(versions.map(Number)));
}

function tagsIn(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
