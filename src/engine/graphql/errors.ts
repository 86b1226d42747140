import {
  GraphQLError,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import { MalformedRequest, StoreError, UnsupportedMediaType, ValidationFailed } from '../errors/errors.js';
import { problemOf, report, type RequestIds } from '../contract/problem.js';
import { shortened, TextRefused, type TextFault } from './valid-text.js';

/**
 * Gives an error of an operation its public form. `extensions` contains the members `code`, `status` and `type` of
 * problem details. For an error with faults, `extensions` also contains `errors`, and the `pointer` of the first fault.
 *
 * @param formatted the form that graphql-js and Apollo would show
 */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { code, status, type, detail, faults } = problemOf(causeOf(formatted, error));
  return {
    message: detail,
    ...(formatted.locations && { locations: formatted.locations }),
    ...(formatted.path && { path: formatted.path }),
    extensions: {
      code,
      status,
      type,
      ...(faults[0]?.pointer !== undefined && { pointer: faults[0].pointer }),
      ...(faults.length > 0 && { errors: faults }),
    },
  };
}

export function reportErrors(errors: readonly GraphQLError[], requestId: string): void {
  for (const error of errors) report(problemOf(causeOf(error.toJSON(), error)), requestId);
}

/** Returns the public form of a result of graphql-js, and reports its errors. */
export function shown({ errors, ...result }: ExecutionResult, ids: RequestIds): FormattedExecutionResult {
  if (!errors) return result;
  reportErrors(errors, ids.requestId);
  return {
    ...result,
    errors: errors.map((error) => withIds(formatError(error.toJSON(), error), ids)),
  };
}

/** Makes a result in public form from a thrown error, and reports the error. */
export function resultOfThrown(
  error: unknown,
  ids: RequestIds,
): { readonly errors: GraphQLFormattedError[] } {
  if (error instanceof TextRefused) return { errors: error.faults.map((fault) => shownFault(fault, ids)) };
  const cause = error instanceof Error ? error : new Error(String(error));
  const located = new GraphQLError(cause.message, { originalError: cause });
  reportErrors([located], ids.requestId);
  return { errors: [withIds(formatError(located.toJSON(), located), ids)] };
}

function shownFault({ error, locations }: TextFault, ids: RequestIds): GraphQLFormattedError {
  return withIds(formatError({ message: error.message, ...(locations && { locations }) }, error), ids);
}

/**
 * Adds the ids of the request to the errors of an answer, if these errors have no ids. Apollo writes an answer without
 * ids when it refuses a request before it calls the plugins.
 */
export function addRequestIds(answer: string, ids: RequestIds): string {
  if (!answer.startsWith('{"errors":') || answer.includes('"request_id":')) return answer;
  const { errors, ...result } = JSON.parse(answer) as FormattedExecutionResult;
  return JSON.stringify({ errors: errors?.map((error) => withIds(error, ids)), ...result });
}

function withIds(error: GraphQLFormattedError, ids: RequestIds): GraphQLFormattedError {
  return { ...error, extensions: { ...error.extensions, ...membersOf(ids) } };
}

/** The members of `extensions` that name the request. */
export function membersOf({ requestId, trace }: RequestIds): {
  readonly request_id: string;
  readonly trace_id?: string;
} {
  return { request_id: requestId, ...(trace !== null && { trace_id: trace.id }) };
}

/**
 * The answer to a request with only the hash of a query. Clients recognise this code and this message, and send the
 * text of the query instead.
 */
class PersistedQueryNotSupported extends StoreError {
  readonly code = 'PERSISTED_QUERY_NOT_SUPPORTED';
}

/**
 * The cause of an error: the error that a resolver threw. If Apollo or graphql-js refused the request itself, the cause
 * is one of our own errors. Any other error of graphql-js is its own cause.
 */
function causeOf({ message, extensions }: GraphQLFormattedError, error: unknown): unknown {
  const original = error instanceof GraphQLError ? (error.originalError ?? null) : error;
  switch (extensions?.['code']) {
    case 'BAD_USER_INPUT':
      return wrongVariables(message);
    case 'PERSISTED_QUERY_NOT_SUPPORTED':
    case 'PERSISTED_QUERY_NOT_FOUND':
      return new PersistedQueryNotSupported('PersistedQueryNotSupported');
    case 'BAD_REQUEST':
      return original instanceof StoreError ? original : refusalOfApollo(message, error);
    default:
      return [error, original].some(isWrongArgument) ? wrongVariables(message) : (original ?? error);
  }
}

/**
 * Whether a nullable variable was null at a place that is not nullable. Validation allows such a variable if the place
 * or the variable has a default value (section 5.8.5 of the specification). So the error comes from the execution.
 */
function isWrongArgument(error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    // graphql-js throws a GraphQLError here, or wraps the GraphQLError of a scalar. Resolvers throw other errors.
    (error.originalError == null || error.originalError instanceof GraphQLError) &&
    error.message.startsWith('Argument "')
  );
}

function wrongVariables(message: string): ValidationFailed {
  // `ValidationFailed` adds a full stop after the details of the faults.
  const detail = shortened(message).replace(/\.$/, '');
  return new ValidationFailed([{ pointer: '#/variables', code: 'WRONG_TYPE', detail }]);
}

/**
 * Our error for a request that Apollo refuses before it knows the operation. The status in the error gives the reason.
 */
function refusalOfApollo(message: string, error: unknown): StoreError {
  const http = error instanceof GraphQLError ? (error.extensions['http'] as { status?: number }) : undefined;
  if (http?.status === 415) return new UnsupportedMediaType(['application/json']);
  return new MalformedRequest(shortened(message));
}
