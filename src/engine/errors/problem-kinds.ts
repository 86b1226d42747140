/**
 * The kinds of problems that the service answers with, for all protocols. Codes are added, never renamed; each is
 * described at `/problems/<code>`.
 */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Says when the problem occurs, and what a client can do about it; served at `/problems/<code>`. */
  readonly description: string;
}

function conflict(title: string, description: string) {
  return { status: 409, title, description } as const;
}

export const PROBLEMS = {
  MALFORMED_REQUEST: {
    status: 400,
    title: 'Malformed request',
    description:
      'The service cannot read the request, because its syntax is wrong. `detail` says what is wrong and where. Correct the request and send it again.',
  },
  VALIDATION_FAILED: {
    status: 400,
    title: 'Validation failed',
    description:
      'The service can read the request, but its content is not allowed. `errors` lists every fault, and says which member or parameter has the fault. Correct all faults and send the request again.',
  },
  CURSOR_INVALID: {
    status: 400,
    title: 'Cursor not valid',
    description:
      'The cursor is not valid for this request. A cursor of a list is valid only with the same filter, the same sort order and the same rights of the caller. Send it exactly as you received it, or leave it out to start at the first page. A cursor of events is a number that you received with an event or as `latestCursor`. It must not be ahead of the newest event.',
  },
  GRAPHQL_PARSE_FAILED: {
    status: 400,
    title: 'GraphQL syntax error',
    description: 'The text of the operation is not valid GraphQL. `locations` says where the fault is.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    status: 400,
    title: 'GraphQL validation failed',
    description: 'The operation does not fit the schema. The schema is served at `/schema.graphql`.',
  },
  GRAPHQL_LIMIT_EXCEEDED: {
    status: 400,
    title: 'GraphQL limit exceeded',
    description:
      'The operation is larger than this service allows. `message` names the limit. Request less data, or divide the operation into several operations.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    status: 400,
    title: 'Persisted query not supported',
    description:
      'This service stores no operations. Send the text of the operation in `query`, without the extension `persistedQuery`.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 400,
    title: 'Persisted query not found',
    description: 'This service has no document with this hash. Send the text of the document in `query`.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Not authenticated',
    description:
      'The request needs a credential, but has none; or the credential of the request is not valid. `detail` says which of the two is the case.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Forbidden',
    description:
      'The caller is known, but is not allowed to do this. `detail` says why, for example which scope is missing.',
  },
  DOCUMENT_NOT_TRUSTED: {
    status: 403,
    title: 'Document not trusted',
    description:
      'This service executes only trusted GraphQL documents, for every caller. `message` has the hash of the document that was sent.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    description: 'There is nothing at this address, or the caller may not see it.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    description:
      'The address exists, but does not support the method of the request. The header `Allow` lists the methods that the address supports.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'Not acceptable',
    description:
      'The service cannot answer in any of the media types in `Accept`. `detail` lists the media types that are available.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    description: 'The complete request did not arrive in time. Send the request again.',
  },
  PATCH_CONFLICT: conflict(
    'Patch does not fit',
    'The JSON patch does not fit the present state of the resource: a `test` failed, or a pointer leads to no value. Nothing was written. `errors` names the operation of the patch that failed. Read the resource again and make a new patch.',
  ),
  EMAIL_TAKEN: conflict(
    'E-mail address taken',
    'Another user already has this e-mail address. Use a different e-mail address, or first change the e-mail address of the other user.',
  ),
  USER_HAS_ORDERS: conflict(
    'User has orders',
    'The user has orders, so the user can be deleted only with `anonymise`. With `anonymise`, the orders stay, without a reference to the user.',
  ),
  OUT_OF_STOCK: conflict(
    'Out of stock',
    'At least one item cannot be delivered, so nothing was ordered. `errors` names every such item.',
  ),
  ILLEGAL_STATUS: conflict(
    'Illegal status',
    'The order cannot change from its present status to this status. `detail` names the statuses that are possible.',
  ),
  API_KEY_ENDED: conflict(
    'API key ended',
    'The API key was revoked or has expired, so it cannot get a new secret. Make another API key.',
  ),
  IDEMPOTENCY_KEY_IN_USE: conflict(
    'Idempotency key in use',
    'A request with the same Idempotency-Key is still running. Send this request again after the time in `Retry-After`.',
  ),
  CLIENT_ENDED: conflict(
    'Client ended',
    'The OAuth client was revoked, or it is a public client, which has no secret. So the client cannot get a new secret. Make another client.',
  ),
  IDENTITY_TAKEN: conflict(
    'Identity taken',
    'This pair of issuer and subject is already an identity of a user. Delete that identity before you create a new one.',
  ),
  IMPORT_STARTED: conflict(
    'Import started',
    'The import has all parts of its file, or has ended, so it accepts no more parts. Read the import to see its state. Begin another import for another file.',
  ),
  IMPORT_INCOMPLETE: conflict(
    'Import incomplete',
    'The last part of the file came, but parts before it are missing. `detail` names the first of them. Send the missing parts, and then the last part again.',
  ),
  CURSOR_EXPIRED: {
    status: 410,
    title: 'Cursor expired',
    description:
      'Events after this cursor are no longer stored, so a client that continues from it would miss events. Read `latestCursor`, then read the present data again, and continue from `latestCursor`.',
  },
  VERSION_GONE: {
    status: 410,
    title: 'Version gone',
    description:
      'This version of the interface has ended. The header `Link` with `rel="successor-version"` leads to the version that replaces this one.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'Precondition failed',
    description:
      'The resource does not have the state that the request requires. Nothing was written. Read the resource again before you change it.',
  },
  CONTENT_TOO_LARGE: {
    status: 413,
    title: 'Content too large',
    description:
      'The body is larger than this service accepts, or stored data, such as the file of an import, would become too large with it. `detail` names the limit.',
  },
  URI_TOO_LONG: {
    status: 414,
    title: 'URI too long',
    description: 'The request target is longer than this service accepts.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    description:
      'The operation does not accept the format of the body. `detail` lists the formats that it accepts.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    title: 'Expectation failed',
    description:
      'The `Expect` header asks for something that this service does not support. Leave the header out.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency key reused',
    description:
      'The Idempotency-Key was already used for a different request, so the service did not execute this request. Use a new Idempotency-Key for each new request.',
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    title: 'Precondition required',
    description:
      'This service accepts this change only with `If-Match` or `If-Unmodified-Since`, so that no client overwrites the change of another client. Read the resource, and send its `ETag` in `If-Match` with the change.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    description:
      'The caller has reached a limit: of requests in a period, or of requests, connections or subscriptions that are open at the same time. Callers without a credential are counted together by their address. `detail` names the limit. Try again after the time in `Retry-After`, or after a few seconds if there is no such header. In successful answers, the header `RateLimit` says how many requests are left.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Header fields too large',
    description: 'The header section, or the credential in it, is larger than this service accepts.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    description: 'The service failed. Its log has the details under the request id.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Unavailable',
    description:
      'The service cannot serve this request now, for example because its database is not available. Try again after the time in `Retry-After`.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The codes with the status 409. */
export type ConflictCode = {
  [C in ProblemCode]: (typeof PROBLEMS)[C]['status'] extends 409 ? C : never;
}[ProblemCode];
