import type { IncomingHttpHeaders } from 'node:http';
import { SCHEMES, type Scheme } from '../../generated/operations.js';

const BEARER = 'Bearer realm="store"';

export const BASIC_CHALLENGE = 'Basic realm="store", charset="UTF-8"';

const CHALLENGES: Readonly<Record<Scheme, string>> = {
  apiKey: 'ApiKey realm="store", header="X-API-Key"',
  oauth: BEARER,
  jwt: BEARER,
  basic: BASIC_CHALLENGE,
};

/**
 * The value of `WWW-Authenticate` in an answer with 401: the challenges of all schemes of the contract. If the client
 * sent a token, the `Bearer` challenge says what is wrong with the token (RFC 6750, section 3).
 *
 * The `Basic` challenge makes a browser open its own dialog over the page. So this challenge is left out in two cases:
 *
 * - A script of a page sent the request.
 * - The answer is a page that asks for a credential itself, and the browser sent no password. If it sent a password,
 *   the visitor has used the dialog before.
 */
export function challengesFor(asked: IncomingHttpHeaders, detail: string, isPage: boolean): string {
  const asks = (isPage && !isBasic(asked)) || asked['sec-fetch-dest'] === 'empty';
  const offered = SCHEMES.filter((scheme) => scheme !== 'basic' || !asks);
  const challenges = [...new Set(offered.map((scheme) => CHALLENGES[scheme]))];
  if (!isBearer(asked)) return challenges.join(', ');
  const told = `${BEARER}, error="invalid_token", error_description="${quotable(detail)}"`;
  return challenges.map((challenge) => (challenge === BEARER ? told : challenge)).join(', ');
}

/** The value of `WWW-Authenticate` in an answer with 403. The caller needs only one of the scopes. */
export function lackOf(scopes: readonly string[], asked: IncomingHttpHeaders): string {
  const scheme = isBearer(asked) ? 'Bearer' : 'ApiKey';
  return `${scheme} realm="store", error="insufficient_scope", scope="${scopes.join(' ')}"`;
}

/** Whether the client sent an e-mail address and a password. */
export function isBasic({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && /^basic /i.test(authorization);
}

function isBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && /^bearer( |$)/i.test(authorization);
}

/** Puts a space in the place of each character that `error_description` must not have. */
function quotable(text: string): string {
  return text.replace(/["\\]|[^\x20-\x7e]/g, ' ');
}
