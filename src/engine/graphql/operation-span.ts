import type { GraphQLFormattedError, OperationDefinitionNode } from 'graphql';
import type { RouteHandlerMethod } from 'fastify';
import { currentSpan } from '../tracing/span.js';

/** The name of the span of an operation whose text was not read. */
export const UNREAD = 'graphql';

/** A client chooses the name of an operation, and with it its length. */
const LONGEST_NAME = 100;

/** Adds the span of the operation. Node calls a handler outside of the work of its request if the request has a body. */
export function spanned(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function handle(request, reply) {
    const answer = () => handler.call(this, request, reply);
    return request.span === null ? answer() : request.span.child(UNREAD).around(answer);
  };
}

/**
 * Names the present span after an operation that was read. The name of the span has only the kind, because a client
 * can send any number of other names.
 *
 * @param document the file of a trusted document
 */
export function describeOperation(
  { operation, name }: OperationDefinitionNode,
  document: string | null,
): void {
  const span = currentSpan();
  if (span === undefined) return;
  span.name = operation;
  span.attributes['graphql.operation.type'] = operation;
  if (name) span.attributes['graphql.operation.name'] = name.value.slice(0, LONGEST_NAME);
  if (document !== null) span.attributes['store.graphql.document'] = document;
}

/** Adds the kind of the first error of a result to the present span. */
export function describeErrors(errors: readonly GraphQLFormattedError[] | undefined): void {
  const [first] = errors ?? [];
  if (first === undefined) return;
  const span = currentSpan();
  if (span === undefined) return;
  span.attributes['error.type'] = String(first.extensions?.['code']);
  span.isFailed = (errors ?? []).some(({ extensions }) => Number(extensions?.['status'] ?? 500) >= 500);
}
