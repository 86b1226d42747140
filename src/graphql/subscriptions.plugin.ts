import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { createSourceEventStream, OperationTypeNode } from 'graphql';
import type { Interrupted } from '../errors.js';
import type { Flow } from '../events/flow.js';
import type { GraphqlContext } from './context.js';
import { passing, shown } from './errors.js';
import { SharedResults } from './shared-results.js';
import { Stream } from './stream.js';

const streams = new WeakMap<object, Stream | Interrupted>();

/** The events behind the result of a subscription, or why it cannot begin right now; undefined for every other result. */
export function streamOf(result: object): Stream | Interrupted | undefined {
  return streams.get(result);
}

/**
 * Starts subscriptions inside of Apollo's way of an operation, so that they are parsed, validated and limited by what
 * queries are. Apollo itself knows one result for one operation: the stream of them hangs on that.
 */
export function subscriptionsPlugin(): ApolloServerPlugin<GraphqlContext> {
  const shared = new SharedResults();
  return {
    requestDidStart: async () => ({
      responseForOperation: async ({ schema, document, operation, operationName, request, contextValue }) => {
        if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return null;
        const subscribed = {
          schema,
          document,
          operationName,
          contextValue,
          variableValues: request.variables,
        };
        const outcome = await createSourceEventStream(subscribed);
        const isStream = Symbol.asyncIterator in outcome;
        const { requestId } = contextValue;
        const interruption = isStream ? null : passing(outcome.errors?.[0]?.originalError, requestId);
        const singleResult = isStream || interruption ? { data: null } : shown(outcome, requestId);
        if (isStream) {
          // By `SubscriptionField`.
          const events = outcome as Flow<object>;
          const group = shared.join(subscribed);
          streams.set(singleResult, new Stream(events, group, () => shared.leave(group), contextValue));
        }
        if (interruption) streams.set(singleResult, interruption);
        return {
          http: { status: 200, headers: new HeaderMap() },
          body: { kind: 'single', singleResult },
        };
      },
    }),
  };
}
