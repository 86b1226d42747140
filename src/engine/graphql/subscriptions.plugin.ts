import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { createSourceEventStream, OperationTypeNode, type FormattedExecutionResult } from 'graphql';
import { StreamEnd } from '../contract/stream-end.js';
import type { Flow } from '../events/flow.js';
import type { Places } from '../rate-limits/places.js';
import type { GraphqlContext } from './context.js';
import { resultOfThrown, shown } from './errors.js';
import { SharedResults, type Subscribed } from './shared-results.js';
import { Stream } from './stream.js';

const streams = new WeakMap<object, Stream | StreamEnd>();

/**
 * Returns the stream behind the result of a subscription. If the subscription cannot begin right now, but may begin
 * later, returns its `StreamEnd`. Returns undefined for every other result.
 */
export function streamOf(result: object): Stream | StreamEnd | undefined {
  return streams.get(result);
}

/**
 * Starts subscriptions inside Apollo's request pipeline, so that they are parsed, validated and limited like queries.
 * In Apollo one operation has one result, so the stream is attached to that result.
 */
export function subscriptionsPlugin(places: Places): ApolloServerPlugin<GraphqlContext> {
  const starts = new Starts(places);
  return {
    requestDidStart: async () => ({
      responseForOperation: async ({ schema, contextValue }) => {
        const { principal, admitted } = contextValue;
        if (admitted?.operation.operation !== OperationTypeNode.SUBSCRIPTION) return null;
        const { document, operation, variables: variableValues, size } = admitted;
        const subscribed = { schema, document, operation, variableValues, principal, cost: size.cost };
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

  /**
   * Takes a place (see `Places`) before the subscription begins. If the subscription cannot begin, everything is
   * released.
   */
  async start(subscribed: Subscribed, contextValue: GraphqlContext): Promise<FormattedExecutionResult> {
    const { schema, document, operation, variableValues } = subscribed;
    const { requestId, subject } = contextValue;
    const group = this.shared.join(subscribed);
    const held = [() => this.shared.leave(group)];
    const letGo = (): void => held.splice(0).forEach((leave) => leave());
    try {
      if (!subject) throw new Error('A subscription has no subject for which it is counted.');
      held.push(this.places.take('subscriptions', subject, [group.selection, group]).free);
      const operationName = operation.name?.value;
      const asked = { schema, document, operationName, variableValues, contextValue };
      const outcome = await createSourceEventStream(asked);
      if (Symbol.asyncIterator in outcome) {
        // `SubscriptionField` returns a Flow.
        return resultWith(new Stream(outcome as Flow<object>, group, letGo, contextValue));
      }
      letGo();
      return delayed(outcome.errors?.[0]?.originalError, requestId) ?? shown(outcome, contextValue);
    } catch (error) {
      letGo();
      return delayed(error, requestId) ?? resultOfThrown(error, contextValue);
    }
  }
}

/** The result for an error after which the subscription may begin a moment later; null for all other errors. */
function delayed(error: unknown, requestId: string): FormattedExecutionResult | null {
  const end = StreamEnd.by(error, requestId);
  return end.kind === 'final' ? null : resultWith(end);
}

function resultWith(what: Stream | StreamEnd): FormattedExecutionResult {
  const result = { data: null };
  streams.set(result, what);
  return result;
}
