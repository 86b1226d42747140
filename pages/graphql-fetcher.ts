import { createGraphiQLFetcher, isAsyncIterable, type Fetcher } from '@graphiql/toolkit';

const address = new URL('/graphql', location.href);
const socketAddress = new URL(address);
socketAddress.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';

// HTTP requests get the headers from the editor of headers. Subscriptions get them as connectionParams.
const send = createGraphiQLFetcher({
  url: address.href,
  subscriptionUrl: socketAddress.href,
  enableIncrementalDelivery: false,
});

/** Every tab begins with an empty key. The service would refuse an empty key, so it is not sent. */
export const fetcher: Fetcher = async (operation, options) => {
  const result = await send(operation, { ...options, headers: withoutEmpty(options?.headers ?? {}) });
  return isAsyncIterable(result) ? explained(result) : result;
};

function withoutEmpty(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}

/** Replaces an error of the socket with an error that has a readable message. */
function explained<T>(results: AsyncIterable<T>): AsyncIterableIterator<T> {
  const iterator = results[Symbol.asyncIterator]();
  return {
    next: () =>
      iterator.next().catch((error: unknown) => {
        throw error instanceof Error || error instanceof Event ? errorOf(error) : error;
      }),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** GraphiQL would show an event as `{"isTrusted": true}`, and an error with its stack. */
function errorOf(cause: Error | Event): Error {
  const error =
    cause instanceof Error
      ? new Error(cause.message)
      : new Error(`The WebSocket ${socketAddress.href} could not be opened.`);
  delete error.stack;
  return error;
}
