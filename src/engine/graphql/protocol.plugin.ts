import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestContext } from '@apollo/server';
import { parse, type FormattedExecutionResult, type GraphQLSchema } from 'graphql';
import type { DocumentPlans } from '../documents/document-plans.js';
import type { AdmittedOperation } from './admitted-operation.js';
import { complete, mediaTypeFor } from './answer.js';
import { CompiledOperations } from './compiled-operations.js';
import type { TextResult } from './text-result.js';
import type { GraphqlContext } from './context.js';
import { takeDocumentId, withoutHash } from './document-id.js';
import { reportErrors } from './errors.js';
import type { KeptResults } from './kept-results.js';
import type { QueryLane } from './query-lane.js';
import { OperationReader, type ReaderParts } from './read-operation.js';

/**
 * Apollo gets this harmless operation instead of a refused operation. Apollo asks the plugin for an answer
 * (`responseForOperation`) only if there is an operation. Apollo never executes the harmless operation.
 */
const NOTHING = { text: '{ __typename }', document: parse('{ __typename }') };

/**
 * Reads each operation before Apollo does, executes it by compiled code if there is any, and sets the final headers and
 * status of its answer. Apollo gets each operation parsed and validated.
 *
 * @param lane answers some requests without Apollo, with the same reader and the same compiled code
 */
export function protocolPlugin(
  parts: ReaderParts,
  lane: QueryLane,
  plansFor: (schema: GraphQLSchema) => DocumentPlans,
  kept: KeptResults,
): ApolloServerPlugin<GraphqlContext> {
  let reader: OperationReader;
  let compiled: CompiledOperations;
  return {
    serverWillStart: async ({ schema }) => {
      reader = new OperationReader(schema, parts);
      const plans = plansFor(schema);
      plans.add(reader.readTrusted());
      compiled = new CompiledOperations(schema, plans, kept);
      lane.open({ reader, compiled, instruments: parts.instruments, maxCost: parts.limits.cost });
    },
    requestDidStart: async (requestContext) => {
      const { request, contextValue } = requestContext;
      const begunAt = performance.now();
      // An empty name is the same as no name (GraphQL over HTTP, GET, Request Parameters).
      if (request.http?.method === 'GET' && request.operationName === '') delete request.operationName;
      takeDocumentId(request);
      const reading = await reader.readOperation(request, contextValue);
      if (reading) {
        contextValue.admitted = reading.admitted;
        handOn(reading.admitted ?? NOTHING, requestContext);
      }
      return {
        responseForOperation: async () => {
          if (!reading) return null;
          const { admitted, errors } = reading;
          const singleResult: FormattedExecutionResult | null =
            admitted === null ? { errors } : parsed(await compiled.run(admitted, contextValue));
          const http = { status: 200, headers: new HeaderMap() };
          return singleResult && { http, body: { kind: 'single', singleResult } };
        },
        didEncounterErrors: async ({ errors }) => reportErrors(errors, contextValue.requestId),
        willSendResponse: async ({ response: { body, http }, source }) => {
          if (reading?.admitted) {
            const { operation } = reading.admitted.operation;
            parts.instruments.durations[operation].observe((performance.now() - begunAt) / 1_000);
          }
          if (body.kind !== 'single') return;
          const { status, headers } = complete(body.singleResult, reading, {
            ids: contextValue,
            mediaType: mediaTypeFor(request.http?.headers.get('accept')),
            hasText: source !== undefined,
            maxCost: parts.limits.cost,
          });
          for (const [name, value] of headers) http.headers.set(name, value);
          // Apollo sets a status for the errors that it knows. Our errors have a status of their own, which replaces
          // it.
          if (status !== undefined) http.status = status;
        },
      };
    },
  };
}

function parsed(result: TextResult | null): FormattedExecutionResult | null {
  if (result === null) return null;
  const { data, errors } = result;
  return { ...(errors && { errors }), data: JSON.parse(data) as Record<string, unknown> };
}

/** Hands a parsed text on to Apollo. Apollo does not parse a text if the request context has a `document`. */
function handOn(
  { text, document }: Pick<AdmittedOperation, 'text' | 'document'>,
  requestContext: GraphQLRequestContext<GraphqlContext>,
): void {
  const { request } = requestContext;
  request.query = text;
  request.extensions = withoutHash(request.extensions);
  Object.assign(requestContext, { document });
}
