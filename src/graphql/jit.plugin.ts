import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { OperationTypeNode, type DocumentNode, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { GraphqlContext } from './context.js';
import { formatError, reportErrors } from './errors.js';

const COMPILED_AFTER = 5;
const MOST_COMPILED = 500;

/**
 * Executes operations that come again and again by compiled code. Compiling costs several times an execution, so a
 * text is compiled only when it was seen five times, and at most 500 are kept: sending ever new texts gains an
 * attacker nothing. Everything else, and subscriptions, is left to graphql-js.
 */
export function jitPlugin(): ApolloServerPlugin<GraphqlContext> {
  let schema: GraphQLSchema;
  const uses = new WeakMap<DocumentNode, Map<string, number>>();
  const compiled = new Map<DocumentNode, Map<string, CompiledQuery | null>>();

  const compiledFor = (document: DocumentNode, name: string): CompiledQuery | null => {
    const known = compiled.get(document)?.get(name);
    if (known !== undefined) return known;
    const counts = uses.get(document) ?? new Map<string, number>();
    uses.set(document, counts.set(name, (counts.get(name) ?? 0) + 1));
    if ((counts.get(name) as number) < COMPILED_AFTER) return null;
    const query = compileQuery(schema, document, name);
    if (compiled.size >= MOST_COMPILED) compiled.delete(compiled.keys().next().value as DocumentNode);
    const byName = compiled.get(document) ?? new Map<string, CompiledQuery | null>();
    compiled.set(document, byName.set(name, isCompiledQuery(query) ? query : null));
    return isCompiledQuery(query) ? query : null;
  };

  return {
    serverWillStart: async (service) => {
      schema = service.schema;
    },
    requestDidStart: async () => ({
      responseForOperation: async ({ document, operation, operationName, request, contextValue }) => {
        // Without an operation the request names none or an unknown one, which graphql-js will say.
        if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return null;
        const query = compiledFor(document, operationName ?? '');
        if (!query) return null;
        const { data, errors } = await query.query(undefined, contextValue, request.variables ?? {});
        if (errors) reportErrors(errors, contextValue.requestId);
        return {
          http: { status: 200, headers: new HeaderMap() },
          body: {
            kind: 'single',
            singleResult: {
              // Errors that are returned from here do not pass Apollo's own formatting.
              ...(errors && {
                errors: errors.map((error) => formatError(error.toJSON(), error)),
              }),
              data: data as Record<string, unknown>,
            },
          },
        };
      },
    }),
  };
}
