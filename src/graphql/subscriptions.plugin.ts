import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import {
  GraphQLError,
  OperationTypeNode,
  subscribe,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import type { GraphqlContext } from './context.js';
import { formatError, reportErrors } from './errors.js';

/** It never throws: what goes wrong comes as a last result, without `data`. */
export interface Stream extends AsyncIterable<FormattedExecutionResult> {
  next(): Promise<IteratorResult<FormattedExecutionResult>>;
  return(): Promise<IteratorResult<FormattedExecutionResult>>;
}

const streams = new WeakMap<object, Stream>();

/** The events behind the result of a subscription; undefined for every other result. */
export function streamOf(result: object): Stream | undefined {
  return streams.get(result);
}

/**
 * Starts subscriptions inside of Apollo's way of an operation, so that they are parsed, validated and limited by what
 * queries are. Apollo itself knows one result for one operation: the stream of them hangs on that.
 */
export function subscriptionsPlugin(): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: async () => ({
      responseForOperation: async ({ schema, document, operation, operationName, request, contextValue }) => {
        if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return null;
        const outcome = await subscribe({
          schema,
          document,
          operationName,
          contextValue,
          variableValues: request.variables,
        });
        const { requestId } = contextValue;
        const isStream = Symbol.asyncIterator in outcome;
        const singleResult = isStream ? { data: null } : shown(outcome, requestId);
        if (isStream) streams.set(singleResult, streamed(outcome, requestId));
        return {
          http: { status: 200, headers: new HeaderMap() },
          body: { kind: 'single', singleResult },
        };
      },
    }),
  };
}

function streamed(source: AsyncGenerator<ExecutionResult>, requestId: string): Stream {
  return {
    next: async () => {
      try {
        const { value, done } = await source.next();
        return done === true ? { value: undefined, done } : { value: shown(value, requestId), done: false };
      } catch (error) {
        await source.return(undefined);
        return { value: failed(error, requestId), done: false };
      }
    },
    return: async () => {
      await source.return(undefined);
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The public form of what graphql-js gives, its errors reported. */
function shown({ errors, ...result }: ExecutionResult, requestId: string): FormattedExecutionResult {
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

function named(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  return { ...error, extensions: { ...error.extensions, request_id: requestId } };
}
