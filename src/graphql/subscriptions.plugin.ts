import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { createSourceEventStream, OperationTypeNode, type FormattedExecutionResult } from 'graphql';
import { TooSlow } from '../errors.js';
import { StoreEvent } from '../events/store-event.js';
import type { GraphqlContext } from './context.js';
import { failed, shown } from './errors.js';
import { SharedResults } from './shared-results.js';

/** The result of one event. */
export interface Delivery {
  /** As JSON: the same text for all who have the same selection and rights. */
  readonly json: string;
  /** Behind which to go on; null for what is not in the log. */
  readonly cursor: string | null;
}

/** What goes wrong comes as a last result, without `data`; only that the subscriber is too slow is thrown. */
export interface Stream extends AsyncIterable<Delivery | FormattedExecutionResult> {
  /** The position behind which it began; null for one from now on. */
  readonly after: number | null;
  /** @throws TooSlow */
  next(): Promise<IteratorResult<Delivery | FormattedExecutionResult>>;
  return(): Promise<IteratorResult<Delivery | FormattedExecutionResult>>;
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
        const { requestId } = contextValue;
        const isStream = Symbol.asyncIterator in outcome;
        const singleResult = isStream ? { data: null } : shown(outcome, requestId);
        if (isStream) {
          const group = shared.join(subscribed);
          const events = outcome[Symbol.asyncIterator]() as AsyncIterator<object>;
          const leave = () => shared.leave(group);
          streams.set(
            singleResult,
            streamed(events, (event) => group.resultOf(event), leave, contextValue),
          );
        }
        return {
          http: { status: 200, headers: new HeaderMap() },
          body: { kind: 'single', singleResult },
        };
      },
    }),
  };
}

function streamed(
  source: AsyncIterator<object>,
  resultOf: (event: object) => Promise<string>,
  leave: () => void,
  { after, requestId }: GraphqlContext,
): Stream {
  let isOver = false;
  const end = async (): Promise<void> => {
    if (!isOver) leave();
    isOver = true;
    await source.return?.();
  };
  return {
    after,
    next: async () => {
      try {
        const { value, done } = await source.next();
        if (done !== true) {
          const cursor = value instanceof StoreEvent ? String(value.position) : null;
          return { value: { json: await resultOf(value), cursor }, done: false };
        }
        await end();
        return { value: undefined, done };
      } catch (error) {
        await end();
        if (error instanceof TooSlow) throw error;
        return { value: failed(error, requestId), done: false };
      }
    },
    return: async () => {
      await end();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
