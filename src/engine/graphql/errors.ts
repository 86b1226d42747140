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

/** That of graphql-js, which has no setting for it. */
const MAX_COMPARISONS = 500_000;
const MOST_OF_A_MESSAGE = 1_000;

/**
 * Gives an error of an operation its public form. `extensions` says the same as problem details do: `code`,
 * `status`, `type`, `pointer` of the first fault, `errors`.
 *
 * @param formatted what graphql-js and Apollo would show
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

/** The public form of what graphql-js gives, its errors reported. */
export function shown({ errors, ...result }: ExecutionResult, requestId: string): FormattedExecutionResult {
  if (!errors) return result;
  reportErrors(errors, requestId);
  return { ...result, errors: errors.map((error) => named(formatError(error.toJSON(), error), requestId)) };
}

/** The same for what is no result of an execution, but was thrown. */
export function failed(error: unknown, requestId: string): { readonly errors: GraphQLFormattedError[] } {
  const cause = error instanceof Error ? error : new Error(String(error));
  const located = new GraphQLError(cause.message, { originalError: cause });
  reportErrors([located], requestId);
  return { errors: [named(formatError(located.toJSON(), located), requestId)] };
}

/**
 * For a fault of a subscription: what interrupts it, when it could be begun again a moment later, and null for all else. To say it
 * as an error of the operation would be final to stock clients.
 */
export function passing(error: unknown, requestId: string): Interrupted | null {
  if (error instanceof Interrupted) return error;
  const problem = problemOf(error);
  if (problem.status !== 503) return null;
  report(problem, requestId);
  // What is thrown on purpose is said in words that a close frame has room for.
  const reason = error instanceof Unavailable ? error.message : problem.title;
  return new Interrupted(reason, { cause: error });
}

/** What Apollo refuses before its plugins hear of it, with the id of the request as all others have it. */
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

/** Clients that probe know it by this code and message, and send the text instead. */
class PersistedQueryNotSupported extends StoreError {
  readonly code = 'PERSISTED_QUERY_NOT_SUPPORTED';
}

class GraphqlMethodNotAllowed extends StoreError {
  readonly code = 'METHOD_NOT_ALLOWED';
}

/** What was thrown in a resolver, or our own error for what Apollo says of the request itself. */
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

/** What a field takes, where it was given something else. */
function argumentsBesides(message: string): string {
  const field = /^Unknown argument "\w+" on field "(\w+\.\w+)"/.exec(message)?.[1] ?? '';
  const dto = FIELDS[field]?.args;
  if (message.length > MOST_OF_A_MESSAGE || !dto) return '';
  return ` There are ${[...dto.shape.members.keys()].join(', ')}.`;
}

/** Null in a variable that may be null, at a place that may not (section 5.8.5 allows it where there is a default). */
function isWrongArgument(error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    // What a scalar says of a variable is an error of graphql-js as well; what a resolver throws is none.
    (error.originalError == null || error.originalError instanceof GraphQLError) &&
    error.message.startsWith('Argument "')
  );
}

function wrongVariables(message: string): ValidationFailed {
  // The summary of all faults ends the sentence.
  const detail = shortened(message).replace(/\.$/, '');
  return new ValidationFailed([{ pointer: '#/variables', code: 'WRONG_TYPE', detail }]);
}

/** Apollo tells what it refuses before it knows the operation by the status that goes with the error. */
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
