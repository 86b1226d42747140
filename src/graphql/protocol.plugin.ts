import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { GraphqlContext } from './context.js';
import { reportErrors } from './errors.js';
import { checkLimits, type Limits } from './limits.js';

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** What every operation passes, whoever executes it: the limits before, and the last touch of the answer after. */
export function protocolPlugin(limits: Limits): ApolloServerPlugin<GraphqlContext> {
  let schema: GraphQLSchema;
  return {
    serverWillStart: async (service) => {
      schema = service.schema;
    },
    requestDidStart: async ({ contextValue }) => {
      let cost: number | undefined;
      return {
        didResolveOperation: async ({ document, operation, request }) => {
          if (!operation) return;
          cost = checkLimits(schema, document, operation, request.variables ?? {}, limits);
        },
        didEncounterErrors: async ({ errors }) => reportErrors(errors, contextValue.requestId),
        willSendResponse: async ({ request, response, source }) => {
          if (response.body.kind !== 'single') return;
          const result = response.body.singleResult;
          result.errors?.forEach((error) => {
            if (error.extensions) error.extensions['request_id'] = contextValue.requestId;
          });
          if (cost !== undefined) {
            result.extensions = { ...result.extensions, cost: { requested: cost, limit: limits.cost } };
          }
          // Under application/json a request that has a text is answered with 200 even if that could not be executed
          // (GraphQL over HTTP, section 6.4.1); the newer media type keeps the status that tells.
          const asksForStatus = request.http?.headers.get('accept')?.includes(GRAPHQL_RESPONSE) ?? false;
          if (source !== undefined && response.http.status === 400 && !asksForStatus)
            response.http.status = 200;
        },
      };
    },
  };
}
