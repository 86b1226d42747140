import { lendableScopes } from '../accounts/lending.js';

/**
 * The client of our own pages. It is part of the service and in no table, so nobody can change or revoke it. Other
 * clients have ids that begin with `c_`.
 */
export const PAGES_CLIENT_ID = 'pages';

/** The page to which the authorization server redirects a browser, and which keeps the token. */
export const SIGN_IN_PATH = '/sign-in';

/** The scopes that the pages ask for: all that a user can lend. */
export const PAGES_SCOPES = lendableScopes();

/**
 * The metadata for the library (RFC 7591). Only the address of this service is a redirect URI, so no other program can
 * get a token of this client. The client gets no refresh token: while the sign-in lasts, the pages get the next token
 * with `prompt=none`.
 */
export function pagesClient(issuer: string): Record<string, unknown> {
  const { origin } = new URL(issuer);
  return {
    client_id: PAGES_CLIENT_ID,
    client_name: 'the pages of this store',
    redirect_uris: [origin + SIGN_IN_PATH],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: ['openid', ...PAGES_SCOPES].join(' '),
    // The client is not native. A native client may use http without TLS only on loopback addresses, and may use any
    // port there (RFC 8252, section 7.3).
    application_type: 'web',
    id_token_signed_response_alg: 'ES256',
    token_endpoint_auth_method: 'none',
  };
}
