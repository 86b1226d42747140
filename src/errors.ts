/**
 * Every kind of error that the service answers with on purpose. Features throw these and know no protocol;
 * `error.filter.ts` and `graphql/errors.ts` say what becomes of them. Codes are added, never renamed.
 */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** When it occurs and what can be done about it; served at `/problems/<code>`. */
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
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Header fields too large',
    description: 'The header section is larger than this service takes.',
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

/** One thing that is wrong with a request: in its body (`pointer`, RFC 6901 as a fragment) or in a parameter. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

/** More faults than these are of no use to anybody: whoever collects them stops there. */
export const MOST_FAULTS = 100;

/** What every error thrown on purpose is. The message is public; the cause is for the log only. */
export abstract class StoreError extends Error {
  abstract readonly code: ProblemCode;
  readonly faults: readonly Fault[] = [];
}

export class MalformedRequest extends StoreError {
  readonly code = 'MALFORMED_REQUEST';
}

/** Carries all faults of a request at once. */
export class ValidationFailed extends StoreError {
  readonly code = 'VALIDATION_FAILED';

  constructor(override readonly faults: readonly Fault[]) {
    super(summaryOf(faults));
  }
}

/** The message does not say which part of a credential was wrong. */
export class Unauthenticated extends StoreError {
  readonly code = 'UNAUTHENTICATED';
}

export class Forbidden extends StoreError {
  readonly code = 'FORBIDDEN';

  /** @param scopes any one of which would do; empty when no scope would help */
  constructor(
    readonly scopes: readonly string[],
    message = `This needs the scope ${scopes.join(' or ')}.`,
  ) {
    super(message);
  }
}

export class NotFound extends StoreError {
  readonly code = 'NOT_FOUND';
}

export class MethodNotAllowed extends StoreError {
  readonly code = 'METHOD_NOT_ALLOWED';

  constructor(readonly allowed: readonly string[]) {
    super(`This address has the methods ${allowed.join(', ')}.`);
  }
}

export class NotAcceptable extends StoreError {
  readonly code = 'NOT_ACCEPTABLE';

  constructor(offered: readonly string[]) {
    super(`This can be had as ${offered.join(', ')}.`);
  }
}

export class UnsupportedMediaType extends StoreError {
  readonly code = 'UNSUPPORTED_MEDIA_TYPE';

  constructor(taken: readonly string[]) {
    super(`Send the body as ${taken.join(', ')}.`);
  }
}

export class PreconditionFailed extends StoreError {
  readonly code = 'PRECONDITION_FAILED';
}

export class UriTooLong extends StoreError {
  readonly code = 'URI_TOO_LONG';
}

export class GraphqlLimitExceeded extends StoreError {
  readonly code = 'GRAPHQL_LIMIT_EXCEEDED';
}

export class Unavailable extends StoreError {
  readonly code = 'UNAVAILABLE';
}

function summaryOf(faults: readonly Fault[]): string {
  const named = faults
    .slice(0, 5)
    .map((fault) => `${fault.parameter ?? fault.pointer ?? ''} ${fault.detail}`);
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return `The request has ${count}: ${named.join('; ')}${faults.length > 5 ? '; …' : ''}.`;
}

/**
 * Passes on what was looked for.
 *
 * @throws NotFound when it is not there
 */
export function found<T>(row: T | null, kind: string, id: number): T {
  if (row === null) throw new NotFound(`There is no ${kind} with the id ${id}.`);
  return row;
}
