import type { ConflictCode, ProblemCode } from './problem-kinds.js';

/**
 * The errors that several parts throw on purpose. Features throw these errors and know no protocol; `error.filter.ts`
 * and `engine/graphql/errors.ts` convert them to answers.
 */

/**
 * One fault of a request: in its body (`pointer`: a JSON pointer in the form of a URI fragment, RFC 6901) or in a
 * parameter.
 */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

/**
 * The maximum number of faults of one error. More faults would not help a client, so the search for faults stops at
 * this number.
 */
export const MOST_FAULTS = 100;

/** The base class of errors with a code of `PROBLEMS`. The message is public; the cause is only for the log. */
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

/** The credential is longer than the service accepts. */
export class CredentialTooLong extends StoreError {
  readonly code = 'HEADERS_TOO_LARGE';
}

export class Forbidden extends StoreError {
  readonly code = 'FORBIDDEN';

  /**
   * @param scopes one of these scopes would be enough; empty when no scope would help
   * @param faults the values of the request that are the reason
   */
  constructor(
    readonly scopes: readonly string[],
    message = `This needs the scope ${scopes.join(' or ')}.`,
    override readonly faults: readonly Fault[] = [],
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
    super(`This address supports the methods ${allowed.join(', ')}.`);
  }
}

export class NotAcceptable extends StoreError {
  readonly code = 'NOT_ACCEPTABLE';

  constructor(offered: readonly string[]) {
    super(`The answer is available as ${offered.join(', ')}.`);
  }
}

export class UnsupportedMediaType extends StoreError {
  readonly code = 'UNSUPPORTED_MEDIA_TYPE';

  constructor(taken: readonly string[]) {
    super(`Send the body as ${taken.join(', ')}.`);
  }
}

/** The body is too large, or stored data would become too large with it. The message names the limit. */
export class ContentTooLarge extends StoreError {
  readonly code = 'CONTENT_TOO_LARGE';
}

export class PreconditionFailed extends StoreError {
  readonly code = 'PRECONDITION_FAILED';
}

/** The service requires a condition, and the request has neither `If-Match` nor `If-Unmodified-Since`. */
export class PreconditionRequired extends StoreError {
  readonly code = 'PRECONDITION_REQUIRED';
}

/** The present state of the store does not allow the change. `code` says why; `PROBLEMS` describes each code. */
export class Conflict extends StoreError {
  constructor(
    readonly code: ConflictCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The resource does not have the state that a JSON patch requires. */
export class PatchConflict extends StoreError {
  readonly code = 'PATCH_CONFLICT';

  constructor(override readonly faults: readonly Fault[]) {
    super(`The patch does not fit the resource: ${listed(faults)}.`);
  }
}

/** Names every line of the order that cannot be delivered, not only the first. */
export class OutOfStock extends StoreError {
  readonly code = 'OUT_OF_STOCK';

  constructor(override readonly faults: readonly Fault[]) {
    super(`${faults.length} of the items cannot be delivered: ${listed(faults)}.`);
  }
}

/** Another request with the same `Idempotency-Key` is still running. */
export class IdempotencyKeyInUse extends StoreError {
  readonly code = 'IDEMPOTENCY_KEY_IN_USE';
}

/** The `Idempotency-Key` was sent before, with a different request. */
export class IdempotencyKeyReused extends StoreError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';
}

/** Events after the cursor were purged, so a reader that continues from this cursor would miss events. */
export class CursorExpired extends StoreError {
  readonly code = 'CURSOR_EXPIRED';
}

/** The text is not a cursor, belongs to another list, or names a position after the newest event. */
export class CursorInvalid extends StoreError {
  readonly code = 'CURSOR_INVALID';

  constructor(
    message: string,
    override readonly faults: readonly Fault[] = [],
  ) {
    super(message);
  }
}

/** This version of the interface is no longer served. */
export class VersionGone extends StoreError {
  readonly code = 'VERSION_GONE';
}

/** A subscriber takes events more slowly than they happen. */
export class TooSlow extends Error {
  constructor() {
    super('Too slow');
  }
}

export class UriTooLong extends StoreError {
  readonly code = 'URI_TOO_LONG';
}

export class GraphqlLimitExceeded extends StoreError {
  readonly code = 'GRAPHQL_LIMIT_EXCEEDED';
}

/** The message names the limit. */
export class RateLimited extends StoreError {
  readonly code = 'RATE_LIMITED';

  /** @param retryAfterSeconds the time after which the client should try again (`Retry-After`) */
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

export class Unavailable extends StoreError {
  readonly code = 'UNAVAILABLE';

  readonly retryAfterSeconds: number;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/** The client no longer waits for the answer. */
export class ClientLeft extends Unavailable {
  constructor() {
    super('The client closed the connection.');
  }
}

function summaryOf(faults: readonly Fault[]): string {
  return `The request has ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}: ${listed(faults)}.`;
}

function listed(faults: readonly Fault[]): string {
  const named = faults
    .slice(0, 5)
    .map((fault) => `${fault.parameter ?? fault.pointer ?? ''} ${fault.detail}`);
  return `${named.join('; ')}${faults.length > 5 ? '; …' : ''}`;
}

/**
 * Returns the row that was looked up.
 *
 * @throws NotFound when there is no such row
 */
export function found<T>(row: T | null, kind: string, id: number): T {
  if (row === null) throw new NotFound(`There is no ${kind} with the id ${id}.`);
  return row;
}
