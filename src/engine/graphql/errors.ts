import {
  GraphQLError,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import {
  GraphqlLimitExceeded,
  Interrupted,
  MalformedRequest,
  StoreError,
  Unavailable,
  UnsupportedMediaType,
  ValidationFailed,
} from '../errors/errors.js';
import { FIELDS } from '../../generated/fields.js';
import { problemOf, report } from '../contract/problem.js';

/** The bound of graphql-js, which has no setting for it. */
const MAX_COMPARISONS = 500_000;
const MOST_OF_A_MESSAGE = 1_000;

/**
 * Gives an error of an operation its public form. `extensions` contains the same as problem details: `code`, `status`,
 * `type`, `pointer` of the first fault, `errors`.
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
export function shown({ errors, ...result }: ExecutionResult, requestId: string): FormattedExecutionResult {
  if (!errors) return result;
  reportErrors(errors, requestId);
  return { ...result, errors: errors.map((error) => named(formatError(error.toJSON(), error), requestId)) };
}

/** Like `shown`, for an error that was thrown instead of returned in a result. */
export function failed(error: unknown, requestId: string): { readonly errors: GraphQLFormattedError[] } {
  const cause = error instanceof Error ? error : new Error(String(error));
  const located = new GraphQLError(cause.message, { originalError: cause });
  reportErrors([located], requestId);
  return { errors: [named(formatError(located.toJSON(), located), requestId)] };
}

/**
 * Converts an error of a subscription to an interruption if the subscription could begin again a moment later; null for
 * all other errors. Stock clients would take an error of the operation as final.
 */
export function passing(error: unknown, requestId: string): Interrupted | null {
  if (error instanceof Interrupted) return error;
  const problem = problemOf(error);
  if (problem.status !== 503) return null;
  report(problem, requestId);
  // A message that we throw on purpose is short enough for a close frame.
  const reason = error instanceof Unavailable ? error.message : problem.title;
  return new Interrupted(reason, { cause: error });
}

/** Adds the id of the request to errors of requests that Apollo refuses before its plugins are called. */
export function nameErrors(answer: string, requestId: string): string {
  if (!answer.startsWith('{"errors":') || answer.includes('"request_id":')) return answer;
  const { errors, ...result } = JSON.parse(answer) as FormattedExecutionResult;
  return JSON.stringify({ errors: errors?.map((error) => named(error, requestId)), ...result });
}

function named(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  return { ...error, extensions: { ...error.extensions, request_id: requestId } };
}

class GraphqlSyntaxError extends StoreError {
  readonly code = 'GRAPHQL_PARSE_FAILED';
}

export class GraphqlInvalid extends StoreError {
  readonly code = 'GRAPHQL_VALIDATION_FAILED';
}

/** Clients that probe recognize this code and message, and send the text instead. */
class PersistedQueryNotSupported extends StoreError {
  readonly code = 'PERSISTED_QUERY_NOT_SUPPORTED';
}

class GraphqlMethodNotAllowed extends StoreError {
  readonly code = 'METHOD_NOT_ALLOWED';
}

/** The error that a resolver has thrown, or our own error for one that Apollo reports about the request itself. */
function causeOf({ message, extensions }: GraphQLFormattedError, error: unknown): unknown {
  const original = error instanceof GraphQLError ? (error.originalError ?? null) : error;
  switch (extensions?.['code']) {
    case 'GRAPHQL_PARSE_FAILED':
      return new GraphqlSyntaxError(shortened(message));
    case 'GRAPHQL_VALIDATION_FAILED':
      if (extensions['validationErrorCode'] === 'INTROSPECTION_DISABLED') {
        return new GraphqlInvalid(
          'Introspection is switched off here; the schema stands at /schema.graphql.',
        );
      }
      if (message === 'Validation aborted.') {
        return new GraphqlLimitExceeded(
          `The number of comparisons between the fields of this operation is more than ${MAX_COMPARISONS}, which is the most.`,
        );
      }
      return new GraphqlInvalid(shortened(message) + argumentsBesides(message));
    case 'OPERATION_RESOLUTION_FAILURE':
      return new GraphqlInvalid(shortened(message));
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

/** Lists the arguments of a field that got an unknown one. */
function argumentsBesides(message: string): string {
  const field = /^Unknown argument "\w+" on field "(\w+\.\w+)"/.exec(message)?.[1] ?? '';
  const dto = FIELDS[field]?.args;
  if (message.length > MOST_OF_A_MESSAGE || !dto) return '';
  return ` There are ${[...dto.shape.members.keys()].join(', ')}.`;
}

/**
 * Whether a nullable variable was null at a non-null place. (Section 5.8.5 allows such a variable if there is a
 * default.)
 */
function isWrongArgument(error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    // An error of a scalar for a variable is also an error of graphql-js. An error of a resolver is not.
    (error.originalError == null || error.originalError instanceof GraphQLError) &&
    error.message.startsWith('Argument "')
  );
}

function wrongVariables(message: string): ValidationFailed {
  // The summary of all faults adds the full stop.
  const detail = shortened(message).replace(/\.$/, '');
  return new ValidationFailed([{ pointer: '#/variables', code: 'WRONG_TYPE', detail }]);
}

/** For requests that Apollo refuses before it knows the operation: the status in the error says why. */
function refusalOfApollo(message: string, error: unknown): StoreError {
  const http = error instanceof GraphQLError ? (error.extensions['http'] as { status?: number }) : undefined;
  if (http?.status === 405) return new GraphqlMethodNotAllowed(`${message}.`);
  if (http?.status === 415) return new UnsupportedMediaType(['application/json']);
  return new MalformedRequest(shortened(message));
}

/** A name or a value in a message may be as long as the text of the operation. */
function shortened(message: string): string {
  if (message.length <= MOST_OF_A_MESSAGE) return message;
  return `${message.slice(0, MOST_OF_A_MESSAGE / 2)}…${message.slice(-MOST_OF_A_MESSAGE / 2)}`;
}
