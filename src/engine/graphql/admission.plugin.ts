import type { ApolloServerPlugin, GraphQLRequest } from '@apollo/server';
import { requireReadable, requireSmall } from './admission.js';
import type { GraphqlContext } from './context.js';

/**
 * Replaces the text of a refused operation: Apollo takes an error of a plugin as a refusal only once there is an
 * operation.
 */
export const NOTHING = '{ __typename }';

/**
 * Bounds the text, the variables and the extensions of an operation on every transport, before anything reads them. It
 * comes after the plugin that inserts the texts of trusted documents.
 */
export function admissionPlugin(): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: async ({ request }) => {
      const refusal = refusalOf(request);
      if (!refusal) return undefined;
      request.query = NOTHING;
      delete request.variables;
      return {
        didResolveOperation: async () => {
          throw refusal;
        },
      };
    },
  };
}

function refusalOf({ query, variables, extensions }: GraphQLRequest): Error | null {
  try {
    if (typeof query === 'string') requireReadable(query);
    requireSmall('variables', variables);
    requireSmall('extensions', extensions);
    return null;
  } catch (error) {
    return error as Error;
  }
}
