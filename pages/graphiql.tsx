import { GraphiQL } from 'graphiql';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { createRoot } from 'react-dom/client';
import { EXAMPLES, HEADERS } from './examples.js';
import { fetcher } from './graphql-fetcher.js';
import { keylessStorage } from './keyless-storage.js';
import 'graphiql/setup-workers/vite';
// The parts of graphiql/style.css without its fonts, which are half of its bytes.
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './graphiql.css';

/**
 * Reads the schema from the contract. The contract is served even if introspection is switched off, and has
 * the directives of the fields. If this returns null, GraphiQL reads the schema by introspection.
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
    storage={keylessStorage}
    shouldPersistHeaders={false}
  >
    <GraphiQL.Logo>
      <a href="/">Store service</a>
    </GraphiQL.Logo>
  </GraphiQL>,
);
