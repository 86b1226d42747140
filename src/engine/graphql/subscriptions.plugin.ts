import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { createSourceEventStream, OperationTypeNode, type FormattedExecutionResult } from 'graphql';
import type { Interrupted } from '../errors/errors.js';
import type { Flow } from '../events/flow.js';
import type { Places } from '../rate-limits/places.js';
import type { GraphqlContext } from './context.js';
import { failed, passing, shown } from './errors.js';
import { SharedResults, type Subscribed } from './shared-results.js';
import { Stream } from './stream.js';

const streams = new WeakMap<object, Stream | Interrupted>();

/**
 * The stream behind the result of a subscription, or the interruption that keeps it from beginning right now; undefined
 * for every other result.
 */
export function streamOf(result: object): Stream | Interrupted | undefined {
  return streams.get(result);
}

/**
 * Starts subscriptions inside Apollo's request pipeline, so that they are parsed, validated and limited like queries.
 * In Apollo one operation has one result: the stream is attached to that result.
 */
export function subscriptionsPlugin(places: Places): ApolloServerPlugin<GraphqlContext> {
  const starts = new Starts(places);
  return {
    requestDidStart: async () => ({
      responseForOperation: async ({ schema, document, operation, request, contextValue }) => {
        if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return null;
        const { variables: variableValues = {} } = request;
        const { principal, cost } = contextValue;
        const subscribed = { schema, document, operation, variableValues, principal, cost };
        return {
          http: { status: 200, headers: new HeaderMap() },
          body: { kind: 'single', singleResult: await starts.start(subscribed, contextValue) },
        };
      },
    }),
  };
}

class Starts {
  private readonly shared = new SharedResults();

  constructor(private readonly places: Places) {}

  /** Takes a place before the subscription begins. Everything is released if it cannot begin. */
  async start(subscribed: Subscribed, contextValue: GraphqlContext): Promise<FormattedExecutionResult> {
    const { schema, document, operation, variableValues } = subscribed;
    const { requestId, subject } = contextValue;
    const group = this.shared.join(subscribed);
    const held = [() => this.shared.leave(group)];
    const letGo = (): void => held.splice(0).forEach((leave) => leave());
    try {
      if (!subject) throw new Error('A subscription has nobody for whom it is counted.');
      held.push(this.places.take('subscriptions', subject, [group.selection, group]).free);
      const operationName = operation.name?.value;
      const asked = { schema, document, operationName, variableValues, contextValue };
      const outcome = await createSourceEventStream(asked);
      if (Symbol.asyncIterator in outcome) {
        // `SubscriptionField` returns a Flow.
        return standingFor(new Stream(outcome as Flow<object>, group, letGo, contextValue));
      }
      letGo();
      const interruption = passing(outcome.errors?.[0]?.originalError, requestId);
      return interruption ? standingFor(interruption) : shown(outcome, requestId);
    } catch (error) {
      letGo();
      const interruption = passing(error, requestId);
      return interruption ? standingFor(interruption) : failed(error, requestId);
    }
  }
}

function standingFor(what: Stream | Interrupted): FormattedExecutionResult {
  const result = { data: null };
  streams.set(result, what);
  return result;
}
