/**
 * The page to which the authorization server redirects the visitor. A client for the REST reference must have this page
 * as a redirect URI.
 */
export const REDIRECT_PATH = '/docs/oauth2-redirect';

/** The channel on which the reference receives the answer. */
export const ANSWERS = 'store:docs-sign-in';
