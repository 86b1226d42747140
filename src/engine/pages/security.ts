const STRICT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The Content Security Policy (level 3) of each page: nothing from other origins, and no scripts except our own files.
 * Swagger UI and Monaco write style elements of their own, so their pages allow 'unsafe-inline' for styles.
 */
export const POLICIES = {
  overview: `${STRICT}; script-src 'self'; style-src 'self'; img-src 'self'`,
  guide: `${STRICT}; style-src 'self'; img-src 'self'`,
  docs: `${STRICT}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'`,
  docsRedirect: `${STRICT}; script-src 'self'; img-src 'self'`,
  graphiql: `${STRICT}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'`,
  // Forms and requests of the script go only to our own addresses.
  browse:
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
  // The files need a policy too: a worker has the policy of its own file, and an image may be opened as a page.
  asset: STRICT,
} as const;

/** The headers of every page and file, besides those of every answer. */
export const SECURITY_HEADERS = { 'cross-origin-opener-policy': 'same-origin' } as const;
