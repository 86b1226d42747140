import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { EXAMPLES, HEADERS } from './examples.js';
import { fetcher } from './graphql-fetcher.js';
import { followTabs } from './graphiql-tabs.js';
import { keylessStorage } from './keyless-storage.js';
import 'graphiql/setup-workers/vite';
// The parts of graphiql/style.css, but not its fonts, which are more than half of its bytes.
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

/**
 * If the system becomes dark or light while the page is open, the styles of GraphiQL change at once, but its editors
 * keep the old colours, which are not readable on the new background. This function gives the editors the new colours.
 */
function EditorColours(): null {
  const { setTheme } = useGraphiQLActions();
  const isChosen = useGraphiQL(({ theme }) => theme !== null);
  useEffect(() => {
    if (isChosen) return undefined;
    const follow = (): void => setTheme(null);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, [setTheme, isChosen]);
  return null;
}

const schema = await readSchema().catch(() => null);
const root = document.querySelector('#graphiql') as Element;
followTabs(root);
createRoot(root).render(
  <GraphiQL
    fetcher={fetcher}
    {...(schema && { schema })}
    defaultTabs={EXAMPLES}
    defaultHeaders={HEADERS}
    storage={keylessStorage}
    shouldPersistHeaders={false}
  >
    <GraphiQL.Logo>
      <EditorColours />
      <a href="/">Store service</a>
    </GraphiQL.Logo>
  </GraphiQL>,
);
