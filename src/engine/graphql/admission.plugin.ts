import type { ApolloServerPlugin, GraphQLRequest } from '@apollo/server';
import { requireReadable, requireSmall } from './admission.js';
import type { GraphqlContext } from './context.js';

/** Stands in for the text of what is refused: what a plugin throws is a refusal to Apollo only once there is an operation. */
export const NOTHING = '{ __typename }';

/**
 * Bounds an operation before anything reads it, whatever it came by: its text, its variables and its extensions. It
 * stands behind the plugin that puts the texts of trusted documents in place.
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
