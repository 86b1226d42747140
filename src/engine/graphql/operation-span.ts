import type { GraphQLFormattedError, OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { RouteHandlerMethod } from 'fastify';
import { currentSpan, SpanForm, type Span, type SpanKind } from '../tracing/span.js';

/**
 * The forms of spans for operations whose text was not read: `inside` the span of a request, or `alone` on a WebSocket.
 */
export const UNREAD = { inside: new SpanForm('graphql'), alone: new SpanForm('graphql', 'server') };

const INSIDE = formsOf('internal');
const ALONE = formsOf('server');

/** A client chooses the name of an operation, so the name may be long. */
const LONGEST_NAME = 100;

/** The span of an operation in the span of its request. */
export function spanOf(request: Span): Span {
  return request.child(UNREAD.inside);
}

/**
 * Lets a handler run in the span of the operation, which is a child of `request.span`. The present span (`currentSpan`)
 * is not used: if the request has a body, Node calls the handler outside of the async context of the request.
 */
export function spanned(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function handle(request, reply) {
    const answer = () => handler.call(this, request, reply);
    return request.span === null ? answer() : spanOf(request.span).around(answer);
  };
}

/**
 * Adds the description of an operation to the present span. The name of the span is the kind of the operation, and not
 * the name of the operation, because a client can send any number of names.
 *
 * @param document the file of a trusted document
 */
export function describeOperation(
  { operation, name }: OperationDefinitionNode,
  document: string | null,
): void {
  const span = currentSpan();
  if (span === undefined) return;
  span.form = (span.form.kind === 'server' ? ALONE : INSIDE)[operation];
  if (name) span.attributes['graphql.operation.name'] = name.value.slice(0, LONGEST_NAME);
  if (document !== null) span.attributes['store.graphql.document'] = document;
}

/**
 * Adds the code of the first error of a result to the present span. An error with a status of 500 or more marks the
 * span as failed.
 */
export function describeErrors(errors: readonly GraphQLFormattedError[] | undefined): void {
  const [first] = errors ?? [];
  if (first === undefined) return;
  const span = currentSpan();
  if (span === undefined) return;
  span.attributes['error.type'] = String(first.extensions?.['code']);
  span.isFailed = (errors ?? []).some(({ extensions }) => Number(extensions?.['status'] ?? 500) >= 500);
}

function formsOf(kind: SpanKind): Readonly<Record<`${OperationTypeNode}`, SpanForm>> {
  const formOf = (operation: string): SpanForm =>
    new SpanForm(operation, kind, { 'graphql.operation.type': operation });
  return { query: formOf('query'), mutation: formOf('mutation'), subscription: formOf('subscription') };
}
