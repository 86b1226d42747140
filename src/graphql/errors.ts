import { Logger } from '@nestjs/common';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { GraphqlLimitExceeded, MalformedRequest, StoreError, ValidationFailed } from '../errors.js';
import { problemOf } from '../problem.js';

const logger = new Logger('Error');

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

/** Bugs and outages go to the log in full; what a client did wrong does not. */
export function reportErrors(errors: readonly GraphQLError[], requestId: string): void {
  for (const error of errors) {
    const { status, title } = problemOf(causeOf(error.toJSON(), error));
    if (status >= 500) logger.error({ err: error.originalError ?? error, requestId }, title);
  }
}

class GraphqlSyntaxError extends StoreError {
  readonly code = 'GRAPHQL_PARSE_FAILED';
}

class GraphqlInvalid extends StoreError {
  readonly code = 'GRAPHQL_VALIDATION_FAILED';
}

/** What was thrown in a resolver, or our own error for what Apollo says of the request itself. */
function causeOf({ message, extensions }: GraphQLFormattedError, error: unknown): unknown {
  const original = error instanceof GraphQLError ? (error.originalError ?? null) : error;
  switch (extensions?.['code']) {
    case 'GRAPHQL_PARSE_FAILED':
      // graphql-js stops reading there; it is no matter of syntax.
      return message.includes('tokens. Parsing aborted')
        ? new GraphqlLimitExceeded('An operation may have at most 2000 tokens.')
        : new GraphqlSyntaxError(message);
    case 'GRAPHQL_VALIDATION_FAILED':
    case 'OPERATION_RESOLUTION_FAILURE':
      return new GraphqlInvalid(message);
    case 'BAD_USER_INPUT':
      return new ValidationFailed([{ pointer: '#/variables', code: 'WRONG_TYPE', detail: message }]);
    case 'BAD_REQUEST':
      return original instanceof StoreError ? original : new MalformedRequest(message);
    default:
      return original ?? error;
  }
}
