import type { ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { OperationTypeNode, type FormattedExecutionResult, type GraphQLSchema } from 'graphql';
import Negotiator from 'negotiator';
import type { GraphqlContext } from './context.js';
import {
  COST_OF_A_UNIT,
  fieldsOf,
  requireTaken,
  secondsTo,
  type RateLimits,
  type Standing,
} from '../rate-limits/rate-limits.js';
import type { LoopGuard } from '../http/loop-guard.js';
import { GraphqlInvalid, reportErrors } from './errors.js';
import { limitsOf, type CheckLimits, type Limits } from './limits.js';
import { requireVariables } from './variables.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const MEDIA_TYPES = [JSON_TYPE, 'application/graphql-response+json; charset=utf-8'];

/**
 * The parts of the protocol that are common to all operations: the limits before execution, and the final headers and
 * status after it.
 */
export function protocolPlugin(
  limits: Limits,
  rateLimits: RateLimits,
  guard: LoopGuard,
): ApolloServerPlugin<GraphqlContext> {
  let schema: GraphQLSchema;
  let checkLimits: CheckLimits;
  return {
    serverWillStart: async (service) => {
      schema = service.schema;
      checkLimits = limitsOf(schema, limits);
    },
    requestDidStart: async ({ contextValue }) => {
      let cost: number | undefined;
      let standing: Standing | null = null;
      return {
        didResolveOperation: async ({ document, operation, request }) => {
          if (!operation) return;
          guard.mark({
            id: contextValue.requestId,
            method: request.http?.method ?? 'GRAPHQL',
            routeOptions: { url: '/graphql' },
            operation: operation.operation,
          });
          if (!schema.getRootType(operation.operation)) {
            throw new GraphqlInvalid(`There is no ${operation.operation} in this schema.`);
          }
          if (operation.operation === OperationTypeNode.SUBSCRIPTION && request.http) {
            throw new GraphqlInvalid(
              'A subscription needs a connection that stays open: send it by WebSocket (graphql-transport-ws) to this address, or to /graphql/stream.',
            );
          }
          if (operation.operation === OperationTypeNode.MUTATION && contextValue.isSafe) {
            throw new GraphqlInvalid('GET changes nothing: send a mutation by POST.');
          }
          const variables = request.variables ?? {};
          const size = checkLimits(document, operation, variables);
          ({ cost } = size);
          contextValue.selections = size.selections;
          contextValue.cost = cost;
          const total = cost + size.introspection;
          const units = Math.ceil(total / COST_OF_A_UNIT);
          if (units > 0 && contextValue.subject) {
            const asked = rateLimits.take(contextValue.subject, units);
            standing = asked instanceof Promise ? await asked : asked;
            requireTaken(
              standing,
              units,
              `The cost of this operation, ${total}, counts as ${units === 1 ? 'a request' : `${units} requests`}`,
            );
          }
          requireVariables(schema, operation, variables);
        },
        didEncounterErrors: async ({ errors }) => reportErrors(errors, contextValue.requestId),
        willSendResponse: async ({ request, response, source }) => {
          if (response.body.kind !== 'single') return;
          // Most `Accept` headers need no negotiation; Apollo negotiates the others.
          if (takesFirst(request.http?.headers.get('accept')))
            response.http.headers.set('content-type', JSON_TYPE);
          if (standing) {
            for (const [name, value] of Object.entries(fieldsOf(standing)))
              response.http.headers.set(name, value);
            if (!standing.isTaken)
              response.http.headers.set('retry-after', String(secondsTo(standing.resetsAt)));
          }
          const result = response.body.singleResult;
          result.errors?.forEach((error) => {
            if (error.extensions) error.extensions['request_id'] = contextValue.requestId;
          });
          if (isUnavailable(result)) response.http.headers.set('retry-after', '1');
          if (cost !== undefined) {
            result.extensions = { ...result.extensions, cost: { requested: cost, limit: limits.cost } };
          }
          if (result.data === undefined && result.errors) {
            // Apollo sets a status for the errors that it knows. Our errors have their own, and the two must not
            // disagree.
            const status = (result.errors[0]?.extensions?.['status'] as number | undefined) ?? 500;
            // With application/json, a request that has a text is answered with 200 even if it could not be executed
            // (GraphQL over HTTP, section 6.4.1). With the newer media type the answer keeps its status.
            const isHidden = status === 400 && source !== undefined && isPlainJson(request.http?.headers);
            response.http.status = isHidden ? 200 : status;
          }
        },
      };
    },
  };
}

/** Whether nothing could be executed for now, so that the whole operation may be sent again. */
function isUnavailable({ data, errors = [] }: FormattedExecutionResult): boolean {
  return (
    errors.length > 0 &&
    errors.every(({ extensions }) => extensions?.['status'] === 503) &&
    Object.values(data ?? {}).every((value) => value === null)
  );
}

/** Whether the answer has the type application/json. Apollo chooses in the same way. */
function isPlainJson(headers: HeaderMap | undefined): boolean {
  const accept = headers?.get('accept');
  return takesFirst(accept) || new Negotiator({ headers: { accept } }).mediaType(MEDIA_TYPES) === JSON_TYPE;
}

function takesFirst(accept: string | undefined): boolean {
  return !accept || accept === 'application/json' || accept === '*/*';
}
