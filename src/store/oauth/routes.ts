/** The paths of the library, below the issuer. */
export const ROUTES = {
  authorization: '/auth',
  token: '/token',
  introspection: '/token/introspection',
  revocation: '/token/revocation',
  end_session: '/session/end',
  jwks: '/jwks',
} as const;

/**
 * The addresses of the authorization server that are in no contract, because browsers are sent to them, or RFCs
 * describe them.
 */
export const OAUTH_PATHS: Readonly<Record<string, readonly ('GET' | 'POST')[]>> = {
  '/oauth/auth': ['GET'],
  '/oauth/auth/:uid': ['GET'],
  '/oauth/token': ['POST'],
  '/oauth/token/introspection': ['POST'],
  '/oauth/token/revocation': ['POST'],
  '/oauth/session/end': ['GET'],
  '/oauth/session/end/confirm': ['POST'],
  '/oauth/session/end/success': ['GET'],
};

/** Our own pages within the authorization server. */
export const INTERACTION_PATH = '/oauth/interaction/:uid';
