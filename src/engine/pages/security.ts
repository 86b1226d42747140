const STRICT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What each page may load and do (Content Security Policy, level 3): nothing from elsewhere, and no script but our
 * own files. Swagger UI and Monaco write style elements of their own, hence 'unsafe-inline' for styles there.
 */
export const POLICIES = {
  overview: `${STRICT}; style-src 'self'; img-src 'self'`,
  docs: `${STRICT}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'`,
  docsRedirect: `${STRICT}; script-src 'self'; img-src 'self'`,
  graphiql: `${STRICT}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'`,
  // Forms lead to our own addresses only, and its script asks nobody else.
  browse:
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
  // A worker has the policy of its own file; and an image may be opened as a document.
  asset: STRICT,
} as const;

/** On every page and file, besides what every answer has. */
export const SECURITY_HEADERS = { 'cross-origin-opener-policy': 'same-origin' } as const;
