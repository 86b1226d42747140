import type { IncomingHttpHeaders } from 'node:http';
import { SCHEMES, type Scheme } from '../../generated/operations.js';

const BEARER = 'Bearer realm="store"';

const CHALLENGES: Readonly<Record<Scheme, string>> = {
  apiKey: 'ApiKey realm="store", header="X-API-Key"',
  oauth: BEARER,
  jwt: BEARER,
  basic: 'Basic realm="store", charset="UTF-8"',
};

/**
 * The value of `WWW-Authenticate` with 401: all schemes of the contract. Basic is not offered to the scripts of a page,
 * nor with a page that asks for a credential itself, since the browser would open its own dialog over the page. A
 * client that sent a token is told what was wrong with it (RFC 6750, section 3).
 */
export function challengesFor(asked: IncomingHttpHeaders, detail: string, isPage: boolean): string {
  const asks = isPage || asked['sec-fetch-dest'] === 'empty';
  const offered = SCHEMES.filter((scheme) => scheme !== 'basic' || !asks);
  const challenges = [...new Set(offered.map((scheme) => CHALLENGES[scheme]))];
  if (!isBearer(asked)) return challenges.join(', ');
  const told = `${BEARER}, error="invalid_token", error_description="${quotable(detail)}"`;
  return challenges.map((challenge) => (challenge === BEARER ? told : challenge)).join(', ');
}

/** The value of `WWW-Authenticate` with 403, where any of these scopes would be enough. */
export function lackOf(scopes: readonly string[], asked: IncomingHttpHeaders): string {
  const scheme = isBearer(asked) ? 'Bearer' : 'ApiKey';
  return `${scheme} realm="store", error="insufficient_scope", scope="${scopes.join(' ')}"`;
}

function isBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && /^bearer( |$)/i.test(authorization);
}

/** Keeps only the characters that a description may have. */
function quotable(text: string): string {
  return text.replace(/["\\]|[^\x20-\x7e]/g, ' ');
}
