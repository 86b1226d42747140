import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { ADMIN_KEY } from './app.js';

const NEW = 'subscription NewOrder { newOrder { id total status cursor } }';

export interface Heard {
  readonly id: string;
  readonly cursor: string;
}

/** Starts to listen after a cursor, and calls `heard` for each order. Returns a function that stops listening. */
type Client = (
  port: number,
  cursor: string,
  heard: (order: Heard) => void,
  failed: (error: unknown) => void,
) => () => void;

/** Any number of retries. The waits are short, so that the tests do not take long. */
const QUICKLY = {
  retryAttempts: Infinity,
  retryWait: () => new Promise<void>((resolve) => setTimeout(resolve, 5)),
};

/** The client libraries. Apart from their retries, they behave as they do by default. */
export const CLIENTS: Record<string, Client> = {
  'graphql-ws': (port, cursor, heard, failed) => {
    let last = cursor;
    const client = createClient({
      ...QUICKLY,
      // By default the client does not retry if its first connection failed.
      shouldRetry: () => true,
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: () => ({ 'X-API-Key': ADMIN_KEY, resume: { newOrder: last } }),
    });
    client.subscribe<{ newOrder: Heard }>(
      { query: NEW },
      {
        next: ({ data, extensions }) => {
          last = String((extensions as { cursor?: string }).cursor);
          if (data) heard(data.newOrder);
        },
        error: failed,
        complete: () => failed(new Error('completed')),
      },
    );
    return () => void client.dispose();
  },
  'graphql-sse': (port, cursor, heard, failed) => {
    let last = cursor;
    const client = createSseClient({
      retryAttempts: Infinity,
      retry: QUICKLY.retryWait,
      url: `http://127.0.0.1:${port}/graphql/stream`,
      headers: () => ({ 'X-API-Key': ADMIN_KEY, 'Last-Event-ID': last }),
    });
    client.subscribe<{ newOrder: Heard }>(
      { query: NEW },
      {
        next: ({ data, errors }) => {
          if (!data) return failed(errors);
          last = data.newOrder.cursor;
          heard(data.newOrder);
        },
        error: failed,
        complete: () => failed(new Error('completed')),
      },
    );
    return () => client.dispose();
  },
  'Apollo Client': (port, cursor, heard, failed) => {
    let last = cursor;
    const socket = createClient({
      ...QUICKLY,
      // By default the client does not retry if its first connection failed.
      shouldRetry: () => true,
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: () => ({ 'X-API-Key': ADMIN_KEY, resume: { newOrder: last } }),
    });
    const client = new ApolloClient({ link: new GraphQLWsLink(socket), cache: new InMemoryCache() });
    const subscription = client.subscribe<{ newOrder: Heard }>({ query: gql(NEW) }).subscribe({
      next: ({ data }) => {
        if (!data) return;
        // The hooks of Apollo Client hide extensions, so the cursor must be a field of the data.
        last = data.newOrder.cursor;
        heard(data.newOrder);
      },
      error: failed,
      complete: () => failed(new Error('completed')),
    });
    return () => {
      subscription.unsubscribe();
      client.stop();
      void socket.dispose();
    };
  },
};
