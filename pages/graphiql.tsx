import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { createRoot } from 'react-dom/client';
import { EXAMPLES, HEADERS } from './examples.js';
import 'graphiql/setup-workers/vite';
// The parts of graphiql/style.css without its fonts, which are half of all its bytes.
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './graphiql.css';

type Fetcher = ReturnType<typeof createGraphiQLFetcher>;

const address = new URL('/graphql', location.href);
const socketAddress = new URL(address);
socketAddress.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';

// What stands in the editor of headers goes along with HTTP requests, and as connectionParams with a subscription.
const send = createGraphiQLFetcher({
  url: address.href,
  subscriptionUrl: socketAddress.href,
  enableIncrementalDelivery: false,
});

/** Every tab begins with an empty key. As a credential it would be refused: until it is filled in there is none. */
const fetcher: Fetcher = (operation, options) =>
  send(operation, { ...options, headers: withoutEmpty(options?.headers ?? {}) });

function withoutEmpty(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}

/**
 * The contract itself: unlike introspection it cannot be switched off, and it has the directives on its fields. Null
 * leaves GraphiQL to ask for the schema in its own way.
 */
async function readSchema(): Promise<GraphQLSchema | null> {
  const response = await fetch('/schema.graphql');
  return response.ok ? buildSchema(await response.text()) : null;
}

const schema = await readSchema().catch(() => null);
createRoot(document.querySelector('#graphiql') as Element).render(
  <GraphiQL
    fetcher={fetcher}
    {...(schema && { schema })}
    defaultTabs={EXAMPLES}
    defaultHeaders={HEADERS}
    // A key must not stay in the browser when the page is closed.
    shouldPersistHeaders={false}
  >
    <GraphiQL.Logo>
      <a href="/">Store service</a>
    </GraphiQL.Logo>
  </GraphiQL>,
);
