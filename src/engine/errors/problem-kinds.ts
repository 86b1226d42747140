/**
 * The kinds of problems that the service answers with, for all protocols. Codes are added, never renamed; each is
 * described at `/problems/<code>`.
 */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** When the problem occurs, and what a client can do about it; served at `/problems/<code>`. */
  readonly description: string;
}

export const PROBLEMS = {
  MALFORMED_REQUEST: {
    status: 400,
    title: 'Malformed request',
    description:
      'The request could not be read: its syntax is wrong. Correct it; `detail` says what and where.',
  },
  VALIDATION_FAILED: {
    status: 400,
    title: 'Validation failed',
    description:
      'The request can be read, but what it says is not allowed. `errors` lists every fault with its place.',
  },
  CURSOR_INVALID: {
    status: 400,
    title: 'Cursor not valid',
    description:
      'This is no cursor of what was asked for. One of a list belongs to its filter, its order and the rights of the caller: take it as it came, or begin without one. One of events is a number that came with an event, or as `latestCursor`, and not ahead of all that ever happened.',
  },
  GRAPHQL_PARSE_FAILED: {
    status: 400,
    title: 'GraphQL syntax error',
    description: 'The text of the operation is not GraphQL. `locations` says where.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    status: 400,
    title: 'GraphQL validation failed',
    description: 'The operation does not fit the schema, which is served at `/schema.graphql`.',
  },
  GRAPHQL_LIMIT_EXCEEDED: {
    status: 400,
    title: 'GraphQL limit exceeded',
    description:
      'The operation is larger than this service executes. Ask for less, or in several operations.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    status: 400,
    title: 'Persisted query not supported',
    description:
      'No operations are kept here. Send the text in `query`, without the extension `persistedQuery`.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 400,
    title: 'Persisted query not found',
    description: 'No document with this hash is kept here. Send its text in `query`.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Not authenticated',
    description: 'A credential is needed and was not sent, or the one that was sent is not valid.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Forbidden',
    description: 'The caller is known but may not do this. `detail` names the scope that is needed.',
  },
  DOCUMENT_NOT_TRUSTED: {
    status: 403,
    title: 'Document not trusted',
    description:
      'This service executes only the GraphQL documents that it knows, whoever asks. `message` has the hash of the one that was sent.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    description: 'There is nothing at this address, or nothing that this caller may see.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    description: 'The address exists but has no such method. `Allow` lists those that it has.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'Not acceptable',
    description: 'None of the media types in `Accept` can be produced. `detail` lists those that can.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    description: 'The request did not arrive whole in time. Send it again, faster.',
  },
  PATCH_CONFLICT: {
    status: 409,
    title: 'Patch does not fit',
    description:
      'The resource is not as the JSON patch supposes: a `test` failed, or a pointer leads to nothing. Nothing was written; `errors` names the operation. Read the resource, and make the patch anew.',
  },
  EMAIL_TAKEN: {
    status: 409,
    title: 'E-mail address taken',
    description: 'Another user has this e-mail address. Use another one, or change that user.',
  },
  USER_HAS_ORDERS: {
    status: 409,
    title: 'User has orders',
    description:
      'A user who ordered is not simply removed. Say `anonymise` to keep the orders without saying whose they were.',
  },
  OUT_OF_STOCK: {
    status: 409,
    title: 'Out of stock',
    description:
      'Not everything that was ordered can be had; nothing was ordered. `errors` names every line.',
  },
  ILLEGAL_STATUS: {
    status: 409,
    title: 'Illegal status',
    description:
      'The order cannot move to this status from where it stands. `detail` names those that can be next.',
  },
  API_KEY_ENDED: {
    status: 409,
    title: 'API key ended',
    description: 'The API key was revoked or has expired, and gets no new secret. Make another one.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    title: 'Idempotency key in use',
    description:
      'A request with the same Idempotency-Key is still being served. Send it again after the time in `Retry-After`.',
  },
  CLIENT_ENDED: {
    status: 409,
    title: 'Client ended',
    description: 'The client was revoked, or is public, and gets no new secret. Make another one.',
  },
  IDENTITY_TAKEN: {
    status: 409,
    title: 'Identity taken',
    description: 'This subject of the issuer is linked to a user already. Remove that link first.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    title: 'Cursor expired',
    description:
      'Events after this cursor are no longer kept, so that going on from there would leave a gap. Read what there is anew, and go on from `latestCursor`.',
  },
  VERSION_GONE: {
    status: 410,
    title: 'Version gone',
    description:
      'This version of the interface is served no more. `Link` with `rel="successor-version"` leads to what took its place.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'Precondition failed',
    description:
      'The resource is not as the client believed. Read it again, then decide; nothing was written.',
  },
  CONTENT_TOO_LARGE: {
    status: 413,
    title: 'Content too large',
    description: 'The body is larger than this service takes.',
  },
  URI_TOO_LONG: {
    status: 414,
    title: 'URI too long',
    description: 'The request target is longer than this service takes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    description:
      'The body is in a format that this operation does not take. `detail` lists those that it takes.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    title: 'Expectation failed',
    description: 'The `Expect` header asks for something that this service does not do. Leave it out.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency key reused',
    description:
      'The Idempotency-Key was sent before with another request, and nothing was done now. Use a new key for each request.',
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    title: 'Precondition required',
    description:
      'This service takes changes only with `If-Match`, so that nobody overwrites what others did. Read the resource, and send its `ETag` with the change.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    description:
      'More was asked for, or is open at a time, than the limit allows: by this caller, or from this address by those who do not prove who they are. Try again after the time in `Retry-After`; `RateLimit` says beforehand what is left. `detail` names the limit.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Header fields too large',
    description: 'The header section, or the credential in it, is larger than this service takes.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    description: 'The service failed. Its log knows more under the request id.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Unavailable',
    description: 'The service cannot do this right now. Try again after the time in `Retry-After`.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;
